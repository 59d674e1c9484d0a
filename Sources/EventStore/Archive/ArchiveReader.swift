import EntitlementDomain
import JSON
import Postgres
import X509

/// Reads the lines of an archive and checks each against the chain: positions, hashes, digests of texts, the count at the
/// end, and the digest of every line. What it lends is what was written.
struct ArchiveReader {
    /// The first line.
    struct Header {
        var epoch: Int
        var from: Int64
        var to: Int64
        var previousHash: [UInt8]
    }

    /// One event.
    struct Event {
        var position: Int64
        /// All columns but the hash, in PostgreSQL's binary form.
        var columns: [UInt8]
        var hash: [UInt8]
        var statementID: [UInt8]
        var recordedAt: Int64
        var isCatalog: Bool
        var digests: [[UInt8]]
        var texts: [(digest: [UInt8], text: [UInt8])]
        /// Those that cannot be read, with the pseudonym of the erased account.
        var erasedTexts: [(digest: [UInt8], pseudonym: AccountID)]
        /// The pseudonyms of the accounts that the statement names.
        var tokens: Set<AccountID>
        var environment: String
        var accounts: [(pseudonym: AccountID, account: AccountID)]
    }

    private(set) var header: Header?
    private(set) var isEnded = false
    private(set) var count: Int64 = 0
    private(set) var textCount: Int64 = 0
    /// The hash of the last event.
    private(set) var lastHash: [UInt8] = []
    /// What recognises erased accounts; there once the last line was read.
    private(set) var erased: ErasedAccounts?
    private var line = 0
    private var seal = ArchiveSeal()
    /// The digests whose texts the writer has written shortly before.
    private var digests = RecentSet<[UInt8]>(capacity: ArchiveFormat.rememberedDigests)

    /// The digest of what was read so far; behind the last line, of the whole archive.
    var digest: [UInt8] { seal.digest }

    /// Takes the next line, without its line break.
    ///
    /// - Returns: the event, when the line is one.
    mutating func take(_ bytes: [UInt8]) throws(ArchiveError) -> Event? {
        line += 1
        if isEnded { throw error("there is something behind the last line of the archive") }
        let members = try members(bytes)
        let holds = seal.holds(bytes)
        guard header != nil else {
            try readHeader(members)
            if !holds { throw error("the first line of the archive was changed: it has another digest") }
            return nil
        }
        if members["count"] != nil, members["position"] == nil {
            try readTrailer(members)
            if !holds {
                throw error(
                    "the last line was changed, which says what recognises erased accounts: it has another digest"
                )
            }
            isEnded = true
            return nil
        }
        let event = try readEvent(members)
        if !holds {
            throw error(
                "the line was changed outside of what the event's hash covers, such as the names of its accounts: it has "
                    + "another digest",
                at: event.position
            )
        }
        return event
    }

    /// Says behind which line and position the source of the lines ended too early.
    func error(_ cutOff: ArchiveCutOff) -> ArchiveError {
        ArchiveError(line: line + 1, message: "\(cutOff.message), behind position \(nextPosition - 1)")
    }

    /// To be called behind the last line.
    func finish() throws(ArchiveError) {
        if header == nil { throw ArchiveError(line: 1, message: "the file is empty") }
        guard isEnded else {
            throw ArchiveError(
                line: line + 1,
                message: "the archive is cut off behind position \(nextPosition - 1): its last line is missing"
            )
        }
    }

    private var nextPosition: Int64 { (header?.from ?? 1) + count }

    private func error(_ message: String, at position: Int64? = nil) -> ArchiveError {
        ArchiveError(line: line, position: position, message: message)
    }

    // MARK: Lines

    private struct Members {
        var scanner: JSONScanner
        var values: [String: JSONToken]

        subscript(name: String) -> JSONToken? { values[name] }
        func string(_ name: String) -> String? { values[name].flatMap { scanner.string($0) } }
        func int64(_ name: String) -> Int64? { values[name].flatMap { scanner.int64($0) } }
        func bytes(_ name: String) -> [UInt8]? { string(name).flatMap { HexText.bytes($0) } }
    }

    private func members(_ bytes: [UInt8]) throws(ArchiveError) -> Members {
        do {
            var scanner = try JSONScanner(bytes)
            var values: [String: JSONToken] = [:]
            while let member = try scanner.next() { values[scanner.text(member.key)] = member.value }
            return Members(scanner: scanner, values: values)
        } catch {
            throw self.error(
                "this is no line of an archive (\(error.reason)), behind position \(nextPosition - 1); the file was changed or "
                    + "cut off"
            )
        }
    }

    private mutating func readHeader(_ members: Members) throws(ArchiveError) {
        guard members.string("format") == ArchiveFormat.name else { throw error("this is no archive of the log") }
        guard members.int64("version") == ArchiveFormat.version else {
            throw error("the archive has a format that this version does not know; upgrade entitled")
        }
        guard let epoch = members.int64("epoch"), let from = members.int64("from"), let to = members.int64("to"),
            let hash = members.bytes("previousHash"), hash.count == 32, from >= 1, to >= from - 1
        else { throw error("the first line of the archive was changed") }
        header = Header(epoch: Int(epoch), from: from, to: to, previousHash: hash)
        lastHash = hash
    }

    private mutating func readTrailer(_ members: Members) throws(ArchiveError) {
        guard members.int64("count") == count, members.int64("texts") == textCount,
            members.bytes("lastHash") == lastHash, nextPosition - 1 == header?.to
        else {
            throw error(
                "the last line speaks of another number of events or texts, or of another hash: lines are missing"
            )
        }
        guard let erased = members["erased"].flatMap({ ErasedAccounts(members.scanner.tree($0)) }) else {
            throw error("the last line does not say which accounts were erased")
        }
        self.erased = erased
    }

    private mutating func readEvent(_ members: Members) throws(ArchiveError) -> Event {
        let position = nextPosition
        guard members.int64("position") == position else {
            throw error("here must be the event of this position", at: position)
        }
        var row = KeptRow()
        for (name, kind) in EventColumns.all {
            guard let value = members[name] else {
                row.appendNull()
                continue
            }
            guard Self.append(value, kind, members.scanner, to: &row) else {
                throw error("column \(name) has no value of its type", at: position)
            }
        }
        guard let hash = members.bytes("hash"), hash.count == 32 else { throw error("it has no hash", at: position) }
        let columns = row.rows.bytes
        var chain = SHA256()
        chain.update(lastHash)
        chain.update(columns)
        guard chain.finalize().bytes == hash else {
            throw error(
                "the hash does not follow from the event before and its columns: the file was changed",
                at: position
            )
        }
        let texts = try texts(members, position)
        let erasedTexts = try pairs(members, "erasedTexts", position) { HexText.bytes($0) }
        let named = members["evidence_digests"].map { Self.digests($0, members.scanner) ?? [] } ?? []
        let present = Set(texts.map(\.digest) + erasedTexts.map(\.key))
        for digest in named where digests.insert(digest) && !present.contains(digest) {
            throw error("the signed text \(Hexadecimal.text(digest)) is missing", at: position)
        }
        let accounts = try pairs(members, "accounts", position) { AccountID($0) }
            .map { (pseudonym: $0.key, account: $0.value) }
        lastHash = hash
        count += 1
        textCount += Int64(texts.count)
        return Event(
            position: position,
            columns: columns,
            hash: hash,
            statementID: members.bytes("statement_id") ?? [],
            recordedAt: members.int64("recorded_at") ?? 0,
            isCatalog: members.string("type") == EventType.catalogChanged.rawValue,
            digests: named,
            texts: texts,
            erasedTexts: erasedTexts.map { ($0.key, $0.value) },
            tokens: Self.tokens(members),
            environment: members.string("environment") ?? "",
            accounts: accounts
        )
    }

    private static func tokens(_ members: Members) -> Set<AccountID> {
        let payload = members["payload"].map { Array(members.scanner.raw($0)) } ?? []
        var tokens = AccountMentions(in: payload).tokens
        if let token = members.string("app_account_token").flatMap({ AccountID($0) }) { tokens.insert(token) }
        return tokens
    }

    /// The members of an object whose values are UUIDs.
    private func pairs<Key>(
        _ members: Members,
        _ name: String,
        _ position: Int64,
        key: (String) -> Key?
    ) throws(ArchiveError) -> [(key: Key, value: AccountID)] {
        guard let value = members[name] else { return [] }
        var found: [(key: Key, value: AccountID)] = []
        for member in members.scanner.tree(value).objectValue?.members ?? [] {
            guard let key = key(member.key), let value = member.value.stringValue.flatMap({ AccountID($0) }) else {
                throw error("\(name) holds something else than it should", at: position)
            }
            found.append((key, value))
        }
        return found
    }

    private func texts(
        _ members: Members,
        _ position: Int64
    ) throws(ArchiveError) -> [(digest: [UInt8], text: [UInt8])] {
        guard let value = members["texts"] else { return [] }
        guard var scanner = members.scanner.object(value) else { throw error("texts is no object", at: position) }
        var found: [(digest: [UInt8], text: [UInt8])] = []
        do {
            while let member = try scanner.next() {
                let name = scanner.text(member.key)
                guard let digest = HexText.bytes(name), let text = scanner.string(member.value) else {
                    throw error("texts holds something else than digests and texts", at: position)
                }
                let bytes = Array(text.utf8)
                guard SHA256.hash(bytes).bytes == digest else {
                    throw error("the signed text \(name) was changed: it has another digest", at: position)
                }
                found.append((digest, bytes))
            }
        } catch let error as ArchiveError {
            throw error
        } catch {
            throw self.error("texts cannot be read", at: position)
        }
        return found
    }

    // MARK: Columns

    private static func append(
        _ value: JSONToken,
        _ kind: EventColumns.Kind,
        _ scanner: JSONScanner,
        to row: inout KeptRow
    ) -> Bool {
        switch kind {
        case .int8:
            guard let number = scanner.int64(value) else { return false }
            row.append(number)
        case .int4:
            guard let number = scanner.int64(value).flatMap({ Int32(exactly: $0) }) else { return false }
            row.append(number)
        case .bool:
            guard let flag = scanner.bool(value) else { return false }
            row.append(flag)
        case .text:
            guard let text = scanner.string(value) else { return false }
            row.append(text)
        case .uuid:
            guard let id = scanner.string(value).flatMap({ AccountID($0) }) else { return false }
            row.append(id)
        case .timestamptz:
            guard let number = scanner.int64(value) else { return false }
            row.append(timestamp: number)
        case .bytea:
            guard let bytes = scanner.string(value).flatMap({ HexText.bytes($0) }) else { return false }
            row.append(bytes)
        case .byteaList:
            guard let list = digests(value, scanner) else { return false }
            row.append(list: list)
        case .jsonb: row.append(json: scanner.raw(value))
        }
        return true
    }

    private static func digests(_ value: JSONToken, _ scanner: JSONScanner) -> [[UInt8]]? {
        guard let list = scanner.tree(value).arrayValue else { return nil }
        let digests = list.compactMap { $0.stringValue.flatMap { HexText.bytes($0) } }
        return digests.count == list.count ? digests : nil
    }
}
