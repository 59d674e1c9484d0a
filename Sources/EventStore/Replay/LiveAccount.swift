import EntitlementDomain

/// The live row of one account.
struct LiveAccount {
    var position: Int64
    var state: [UInt8]

    /// Where a row differs from the one that follows from the log.
    ///
    /// - Parameters:
    ///   - live: nil: there is no row.
    ///   - folded: nil: the log knows no such account. One without a state of its own has no row.
    static func differences(
        _ key: LogFold.AccountKey,
        _ live: LiveAccount?,
        from folded: FoldedAccount?
    ) -> [ProjectionDifference] {
        let folded = folded.flatMap { folded in folded.state.map { (position: folded.position, state: $0) } }
        guard let live, let folded else {
            if live == nil, folded == nil { return [] }
            return [
                ProjectionDifference(account: key, field: "row").with(
                    live: live.map { "position \($0.position)" },
                    replayed: folded.map { "position \($0.position)" }
                )
            ]
        }
        var found: [ProjectionDifference] = []
        if live.position != folded.position {
            found.append(
                ProjectionDifference(account: key, field: "position")
                    .with(live: "\(live.position)", replayed: "\(folded.position)")
            )
        }
        let state = folded.state
        if live.state == state.encoded { return found }
        guard let before = try? AccountState(encoded: live.state) else {
            found.append(
                ProjectionDifference(account: key, field: "state").with(
                    live: "\(live.state.count) bytes that cannot be read",
                    replayed: "\(state.encoded.count) bytes"
                )
            )
            return found
        }
        let count = found.count
        let parts = zip(StateDescription.parts(of: before), StateDescription.parts(of: state))
        for (left, right) in parts where left.text != right.text {
            found.append(
                ProjectionDifference(account: key, field: left.name).with(live: left.text, replayed: right.text)
            )
        }
        if found.count == count {
            found.append(
                ProjectionDifference(account: key, field: "state").with(
                    live: "\(live.state.count) bytes",
                    replayed: "\(state.encoded.count) bytes"
                )
            )
        }
        return found
    }
}
