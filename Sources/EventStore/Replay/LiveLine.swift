import EntitlementDomain
import Postgres

/// All live rows about one line.
struct LiveLine {
    /// The row of `lines`; nil: there is none.
    var row: Row?
    /// The rows of `line_history` by transaction id.
    var history: [String: EarlierRow] = [:]
    var entitlements: [String: EntitlementInterval] = [:]
    var formerOwners: Set<AccountID> = []

    struct Row {
        var owner: AccountID?
        var position: Int64
        var state: [UInt8]
    }

    struct EarlierRow: Hashable {
        var lineItem: String?
        var state: [UInt8]
    }

    /// The key, as the first columns of all rows about lines.
    static let key = "line_id, environment, bundle_id, store, ownership"
    static let columns = "\(key), owner, position, state"
    static let historyColumns = "\(key), transaction_id, web_order_line_item_id, state"
    static let entitlementColumns =
        "\(key), entitlement, product_id, starts_at, access_ends_at, expires_at, revoked_at"
    static let ownerColumns = "\(key), account"

    static func id(_ row: some EventFields) throws -> LineID {
        guard let store = Store(rawValue: try row.text(3)), let ownership = Ownership(rawValue: try row.text(4)) else {
            throw StoreError.failed("a row about line \(try row.text(0)) has an unknown store or ownership")
        }
        return LineID(
            store: store,
            environment: StoreEnvironment(rawValue: try row.text(1)),
            bundleID: try row.text(2),
            originalTransactionID: try row.text(0),
            ownership: ownership
        )
    }

    mutating func add(line row: some EventFields) throws {
        self.row = Row(
            owner: try row.optionalUuid(5).map(AccountID.init),
            position: try row.int64(6),
            state: try row.bytes(7)
        )
    }

    mutating func add(history row: some EventFields) throws {
        history[try row.text(5)] = EarlierRow(lineItem: try row.optionalText(6), state: try row.bytes(7))
    }

    mutating func add(entitlement row: some EventFields) throws {
        let entitlement = try row.text(5)
        entitlements[entitlement] = EntitlementInterval(
            entitlement: entitlement,
            productID: try row.text(6),
            startsAt: Instant(microseconds: try row.timestamp(7)),
            accessEndsAt: try row.optionalTimestamp(8).map(Instant.init(microseconds:)),
            expiresAt: try row.optionalTimestamp(9).map(Instant.init(microseconds:)),
            revokedAt: try row.optionalTimestamp(10).map(Instant.init(microseconds:))
        )
    }

    mutating func add(formerOwner row: some EventFields) throws {
        formerOwners.insert(AccountID(try row.uuid(5)))
    }

    /// Where these rows differ from those that follow from the log.
    ///
    /// - Parameters:
    ///   - folded: nil: the log knows no such line.
    ///   - catalogs: those that the rows of `entitlements` may follow.
    func differences(
        _ id: LineID,
        from folded: FoldedLine?,
        catalogs: [Catalog],
        policy: Policy
    ) -> [ProjectionDifference] {
        var found: [ProjectionDifference] = []
        let divided = folded?.state.divided()
        if (row == nil) != (folded == nil) {
            found.append(
                ProjectionDifference(.lines, line: id, field: "row").with(
                    live: row.map { "position \($0.position)" },
                    replayed: folded.map { "position \($0.position)" }
                )
            )
        } else if let row, let folded, let divided {
            found += Self.differences(id, row, folded, divided.head)
        }
        found += historyDifferences(id, from: divided?.earlier ?? [], owner: folded?.owner ?? row?.owner)
        found += entitlementDifferences(id, from: folded, catalogs: catalogs, policy: policy)
        for owner in formerOwners.symmetricDifference(folded?.formerOwners ?? []).sorted() {
            let isLive = formerOwners.contains(owner)
            found.append(
                ProjectionDifference(.formerOwners, line: id, account: owner, field: "row").with(
                    live: isLive ? "a former owner" : nil,
                    replayed: isLive ? nil : "a former owner"
                )
            )
        }
        return found
    }

    private func entitlementDifferences(
        _ id: LineID,
        from folded: FoldedLine?,
        catalogs: [Catalog],
        policy: Policy
    ) -> [ProjectionDifference] {
        let expected = catalogs.map { catalog in
            folded.map { EntitlementInterval.all(of: $0.state, catalog: catalog, policy: policy) } ?? [:]
        }
        let names = expected.reduce(into: Set(entitlements.keys)) { $0.formUnion($1.keys) }
        return names.sorted().compactMap { name in
            if expected.contains(where: { $0[name] == entitlements[name] }) { return nil }
            return ProjectionDifference(
                .entitlements,
                line: id,
                entitlement: name,
                account: folded?.owner ?? row?.owner,
                field: "row"
            ).with(
                live: entitlements[name].map(StateDescription.text),
                replayed: expected.first?[name].map(StateDescription.text)
            )
        }
    }

    private static func differences(
        _ id: LineID,
        _ row: Row,
        _ folded: FoldedLine,
        _ head: LineState
    ) -> [ProjectionDifference] {
        var found: [ProjectionDifference] = []
        func note(_ field: String, _ live: String, _ replayed: String) {
            found.append(
                ProjectionDifference(.lines, line: id, account: folded.owner, field: field)
                    .with(live: live, replayed: replayed)
            )
        }
        if row.owner != folded.owner {
            note("owner", row.owner?.description ?? "nobody", folded.owner?.description ?? "nobody")
        }
        if row.position != folded.position { note("position", "\(row.position)", "\(folded.position)") }
        let encoded = head.encoded
        guard row.state != encoded else { return found }
        guard let live = try? LineState(id: id, encoded: row.state) else {
            note("state", "\(row.state.count) bytes that cannot be read", "\(encoded.count) bytes")
            return found
        }
        let count = found.count
        for (before, after) in zip(StateDescription.parts(of: live), StateDescription.parts(of: head))
        where before.text != after.text { note(before.name, before.text, after.text) }
        // Something that the words leave out.
        if found.count == count { note("state", "other facts", "\(encoded.count) bytes") }
        return found
    }
}
