/// Which positions are to be checked, after which hash, and how the log should end.
struct ChainPlan: Sendable {
    var from: Int64
    var to: Int64
    /// What table log_head says.
    var head: LogHead
    /// The highest position in the table; 0: none.
    var last: Int64
    /// The hash before `from`; nil: the one stored with the event before.
    var previous: [UInt8]?

    var isEmpty: Bool { from > to }

    /// Keeps the first events only.
    mutating func shorten(to limit: Int64) {
        to = min(to, from + limit - 1)
    }

    /// Whether the end of the log is among the positions.
    var reachesEnd: Bool { to >= max(last, head.position) }

    /// Compares the log's end with table log_head.
    ///
    /// - Parameter hash: the stored hash of the last event.
    func problemAtEnd(_ hash: [UInt8]) -> ChainProblem? {
        // A log that grew since the head was read ends behind it by right; then position and hash are compared by the
        // chain itself.
        guard reachesEnd else { return nil }
        if last > head.position {
            return ChainProblem(
                position: head.position + 1,
                kind: .headMismatch,
                message: "table log_head says that the log ends at \(head.position), but there are events up to \(last)"
            )
        }
        guard hash == head.hash else {
            return ChainProblem(
                position: max(head.position, 1),
                kind: .headMismatch,
                message: "table log_head holds another hash than the last event"
            )
        }
        return nil
    }
}
