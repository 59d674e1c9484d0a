package import EntitlementDomain
import X509

extension StatementReader {
    /// Reads a notification (App Store Server Notifications V2).
    ///
    /// - Parameters:
    ///   - signedPayload: the text of that name in the notification's body.
    ///   - source: `.notification`, or `.api` when it is an entry of the notification history.
    ///   - now: the clock.
    /// - Throws: `StatementError` when the envelope or a text inside it is not genuine, or when the app is not ours.
    package func readNotification(
        signedPayload: String,
        source: EventSource = .notification,
        now: Instant
    ) throws(StatementError) -> Statement {
        let outer = try part(signedPayload, "notification", now: now, environment: \.environment) {
            NotificationPayload($0)
        }
        let envelope = outer.content
        let subject = NotificationSubject(envelope)
        // Before the parts inside, so that the notification of a foreign app costs one verification.
        if let subject, let bundleID = subject.bundleID {
            try policy.checkApp(
                bundleID: bundleID,
                appAppleID: subject.appAppleID,
                environment: subject.environment
            )
        }
        let parts = try NotificationParts(outer, reader: self, now: now)
        try checkTrust(outer.trust, parts.origins)

        let environment = subject.flatMap { $0.environment ?? parts.transaction?.environment }
        let bundleID = subject.flatMap { $0.bundleID ?? parts.transaction?.content.bundleID }
        if let subject {
            try policy.checkApp(bundleID: bundleID, appAppleID: subject.appAppleID, environment: environment)
        }
        var reading = NotificationReading()
        if let environment, let bundleID, policy.accepts(environment, trust: outer.trust) {
            reading = NotificationReading(parts, environment: environment, bundleID: bundleID)
        }
        let evidence = [Array(signedPayload.utf8)]
        return Statement(
            identity: Self.identity(of: outer),
            source: source,
            environment: environment ?? StoreEnvironment(rawValue: ""),
            bundleID: bundleID ?? "",
            line: reading.line,
            facts: reading.facts,
            notificationType: envelope.type?.rawValue,
            subtype: envelope.subtype?.rawValue,
            signedAt: envelope.signedAt ?? reading.facts.transaction?.signedAt ?? reading.facts.renewal?.signedAt
                ?? now,
            payload: parts.payload.canonicalBytes(),
            evidence: evidence,
            evidenceDigests: [outer.textDigest]
        )
    }

    /// The notification's own identity where the App Store vouches for it: one that Xcode's certificate signed must not
    /// use up the identity of a genuine one.
    private static func identity(of envelope: SignedPart<NotificationPayload>) -> StatementIdentity {
        if envelope.trust == .appStore, let id = envelope.content.uuidText.flatMap({ NotificationID($0) }) {
            return .notification(id)
        }
        return .payload(envelope.digest)
    }
}

extension NotificationPayload {
    /// The environment that the envelope names.
    fileprivate var environment: StoreEnvironment? { NotificationSubject(self)?.environment }
}
