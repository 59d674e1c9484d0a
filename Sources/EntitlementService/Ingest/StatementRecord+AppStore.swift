import AppStore
import EventStore
import X509

extension StatementRecord {
    /// A verified App Store statement as the event store takes it.
    init(_ statement: Statement) {
        self.init(
            identity: statement.identity.bytes,
            source: statement.source,
            environment: statement.environment,
            bundleID: statement.bundleID.isEmpty ? nil : statement.bundleID,
            line: statement.line,
            facts: statement.facts,
            notificationType: statement.notificationType,
            notificationSubtype: statement.subtype,
            signedAt: statement.signedAt,
            payload: statement.payload,
            evidence: zip(statement.evidence, statement.evidenceDigests).map {
                Evidence(digest: $1.bytes, text: $0)
            }
        )
    }
}
