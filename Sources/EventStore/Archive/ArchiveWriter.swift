import EntitlementDomain
import JSON
import Postgres
import X509

/// Writes events, with the signed texts behind them, as the lines of an archive.
struct ArchiveWriter {
    private(set) var count: Int64 = 0
    private(set) var textCount: Int64 = 0
    private(set) var lastHash: [UInt8]
    private var digests = RecentSet<[UInt8]>(capacity: ArchiveFormat.rememberedDigests)
    private var pseudonyms = RecentSet<AccountID>(capacity: ArchiveFormat.rememberedDigests)
    private var seal = ArchiveSeal()

    /// - Parameter previousHash: the hash before the first event.
    init(previousHash: [UInt8]) {
        lastHash = previousHash
    }

    /// The digest of what was written so far; behind the last line, of the whole archive.
    var digest: [UInt8] { seal.digest }

    /// The first line.
    mutating func header(epoch: Int, from: Int64, to: Int64) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("format", ArchiveFormat.name)
        writer.member("version", ArchiveFormat.version)
        writer.member("epoch", Int64(epoch))
        writer.member("from", from)
        writer.member("to", to)
        writer.member("previousHash", Hexadecimal.text(lastHash))
        return seal.close(writer.bytes)
    }

    /// The digests of an event's texts that have to be written with it.
    mutating func newDigests(_ row: PostgresCopyRow) throws -> [[UInt8]] {
        try row.bytesArray(EventColumns.evidenceDigests).compactMap(\.self).filter { digest in
            digests.insert(digest)
        }
    }

    /// The UUIDs of an event that may be pseudonyms.
    func mentions(_ row: PostgresCopyRow) throws -> Set<AccountID> {
        var ids = AccountMentions(in: try row.json(EventColumns.payload)).ids
        for column in [EventColumns.account, EventColumns.appAccountToken] {
            if let id = try row.optionalUuid(column) { ids.insert(AccountID(id)) }
        }
        return ids
    }

    /// The line of one event, up to its texts.
    mutating func event(_ row: PostgresCopyRow) throws -> [UInt8] {
        var writer = JSONWriter(capacity: 2_048)
        writer.beginObject()
        for (column, (name, kind)) in EventColumns.all.enumerated() where try !row.isNull(column) {
            writer.key(name)
            switch kind {
            case .int8: writer.int(try row.int64(column))
            case .int4: writer.int(Int64(try row.int32(column)))
            case .bool: writer.bool(try row.bool(column))
            case .text: writer.string(try row.text(column))
            case .uuid: writer.string(AccountID(try row.uuid(column)).description)
            case .timestamptz: writer.int(try row.timestamp(column))
            case .bytea: writer.string(Hexadecimal.text(try row.bytes(column)))
            case .byteaList:
                writer.beginArray()
                for digest in try row.bytesArray(column) { writer.string(Hexadecimal.text(digest ?? [])) }
                writer.endArray()
            case .jsonb: writer.raw(try row.json(column))
            }
        }
        lastHash = try row.bytes(EventColumns.hash)
        writer.member("hash", Hexadecimal.text(lastHash))
        count += 1
        // The bracket is left open for the texts.
        return writer.bytes
    }

    /// The whole line of an event: its columns, its texts and its accounts.
    ///
    /// - Parameters:
    ///   - columns: what `event` gave.
    ///   - accounts: by pseudonym; those that were written shortly before are left out.
    mutating func line(
        _ columns: [UInt8],
        texts: [(digest: [UInt8], text: String)],
        erasedTexts: [(digest: [UInt8], pseudonym: AccountID)],
        accounts: [(pseudonym: AccountID, account: AccountID)]
    ) -> [UInt8] {
        var bytes = columns
        textCount += Int64(texts.count)
        if !texts.isEmpty {
            var writer = JSONWriter(capacity: 8_192)
            writer.beginObject()
            for (digest, text) in texts { writer.member(Hexadecimal.text(digest), text) }
            writer.endObject()
            bytes += Array(#","texts":"#.utf8) + writer.bytes
        }
        if !erasedTexts.isEmpty {
            var writer = JSONWriter()
            writer.beginObject()
            for (digest, pseudonym) in erasedTexts { writer.member(Hexadecimal.text(digest), pseudonym.description) }
            writer.endObject()
            bytes += Array(#","erasedTexts":"#.utf8) + writer.bytes
        }
        let new = accounts.filter { pseudonyms.insert($0.pseudonym) }
        if !new.isEmpty {
            var writer = JSONWriter()
            writer.beginObject()
            for (pseudonym, account) in new { writer.member(pseudonym.description, account.description) }
            writer.endObject()
            bytes += Array(#","accounts":"#.utf8) + writer.bytes
        }
        return seal.close(bytes)
    }

    /// The last line.
    mutating func trailer(_ erased: ErasedAccounts) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("count", count)
        writer.member("texts", textCount)
        writer.member("lastHash", Hexadecimal.text(lastHash))
        writer.key("erased")
        writer.value(erased.json)
        return seal.close(writer.bytes)
    }
}
