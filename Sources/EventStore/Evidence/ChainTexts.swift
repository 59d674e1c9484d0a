import Postgres
import Synchronization

/// The certificate chains that stored texts name, read from the database and remembered.
final class ChainTexts: Sendable {
    private let known = Mutex<[CertificateChain.ID: [UInt8]]>([:])
    private let limit = 256

    private static let someChains = PreparedStatement(
        "SELECT chain_id, content FROM entitled.certificate_chains LIMIT $1::bigint"
    )
    private static let findChains = PreparedStatement(
        "SELECT chain_id, content FROM entitled.certificate_chains WHERE chain_id = ANY ($1::bytea[])"
    )

    /// The texts of these chains, when all of them are remembered.
    func texts(_ ids: [CertificateChain.ID]) -> [CertificateChain.ID: [UInt8]]? {
        known.withLock { known in
            var texts: [CertificateChain.ID: [UInt8]] = [:]
            for id in ids {
                guard let text = known[id] else { return nil }
                texts[id] = text
            }
            return texts
        }
    }

    /// Remembers as many chains as it may, unless it knows some already: mostly there are no more.
    func loadSome(_ session: PostgresSession) throws {
        guard known.withLock(\.isEmpty) else { return }
        try remember(try session.query(Self.someChains, [.int8(Int64(limit))]))
    }

    /// The texts of these chains, as far as the database has them.
    func load(
        _ ids: [CertificateChain.ID],
        _ session: PostgresSession
    ) throws -> [CertificateChain.ID: [UInt8]] {
        if let texts = texts(ids) { return texts }
        return try remember(try session.query(Self.findChains, [.byteaArray(ids.map(\.bytes))]))
    }

    @discardableResult
    private func remember(_ found: PostgresResult) throws -> [CertificateChain.ID: [UInt8]] {
        var texts: [CertificateChain.ID: [UInt8]] = [:]
        for row in found.rows { texts[CertificateChain.ID(bytes: try found.bytes(row, 0))] = try found.bytes(row, 1) }
        known.withLock { known in
            if known.count + texts.count > limit { known = [:] }
            known.merge(texts) { _, new in new }
        }
        return texts
    }
}
