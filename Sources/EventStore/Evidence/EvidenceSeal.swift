import EntitlementDomain
import Postgres
import X509

/// The outermost layer of stored texts that name an account: their compact form, sealed with the account's key. With the
/// account's name the key goes, and nobody reads the text any more; its digest remains in the log.
///
/// The bytes are 3, the sixteen of the pseudonym, and a `SealedBox`. A text that names two accounts is sealed twice.
enum EvidenceSeal {
    static let form: UInt8 = 3
    private static let headerLength = 17

    /// Seals a stored form, once for each account.
    ///
    /// - Parameter keys: gives the key of a pseudonym; nil: the account was erased. Then nobody keeps the key.
    static func seal(
        _ content: [UInt8],
        for pseudonyms: [AccountID],
        keys: (AccountID) -> [UInt8]?
    ) throws -> [UInt8] {
        var content = content
        for pseudonym in pseudonyms {
            let key = try keys(pseudonym) ?? SecureRandom.bytes(SealedBox.keyByteCount)
            content = [form] + pseudonym.bytes + (try SealedBox.seal(content, key: key))
        }
        return content
    }

    /// What stands for a text that was sealed elsewhere and whose key is gone.
    static func empty(for pseudonym: AccountID) -> [UInt8] { [form] + pseudonym.bytes }

    /// SQL: the pseudonym of the outermost seal of a content; null: there is none.
    static func pseudonym(ofContent content: String) -> String {
        """
        CASE WHEN octet_length(\(content)) >= \(headerLength) AND get_byte(\(content), 0) = \(form)
            THEN encode(substr(\(content), 2, 16), 'hex')::uuid END
        """
    }

    /// $1 pseudonyms -> their keys.
    private static let findKeys = PreparedStatement(
        "SELECT pseudonym, evidence_key FROM entitled.account_names WHERE pseudonym = ANY ($1::uuid[])"
    )

    /// Opens the seals of contents, as far as there are keys.
    static func open(_ contents: inout [[UInt8]], _ session: PostgresSession) throws {
        while true {
            let pseudonyms = Set(contents.compactMap { pseudonym(in: $0) })
            if pseudonyms.isEmpty { return }
            let found = try session.query(findKeys, [.uuidArray(pseudonyms.map(\.uuid))])
            var keys: [AccountID: [UInt8]] = [:]
            for row in found.rows { keys[AccountID(try found.uuid(row, 0))] = try found.bytes(row, 1) }
            var isOpened = false
            for index in contents.indices {
                guard let key = pseudonym(in: contents[index]).flatMap({ keys[$0] }),
                    let opened = open(contents[index], key: key)
                else { continue }
                contents[index] = opened
                isOpened = true
            }
            if !isOpened { return }
        }
    }

    /// The pseudonym whose key opens the outermost seal; nil: there is none.
    static func pseudonym(in content: [UInt8]) -> AccountID? {
        guard content.first == form, content.count >= headerLength else { return nil }
        func half(_ start: Int) -> UInt64 { content[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        return AccountID(high: half(1), low: half(9))
    }

    /// What is under the outermost seal; nil: the key is another one.
    static func open(_ content: [UInt8], key: [UInt8]) -> [UInt8]? {
        SealedBox.open(Array(content.dropFirst(headerLength)), key: key)
    }
}
