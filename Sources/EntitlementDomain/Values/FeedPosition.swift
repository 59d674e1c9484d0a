/// A place in the change feed: a position of the log, and a count of the changes under it that no event of its own brought.
///
/// On the wire it is `epoch:number`, or `epoch:number.ordinal` when the ordinal is not 0. So every position of the log is a
/// place in the feed, and every place names the position of the log at which the change can be read.
package struct FeedPosition: Sendable, Hashable, Comparable, CustomStringConvertible {
    package var log: LogPosition
    /// 0 for the first change at a position of the log; the clock's changes and further accounts of the same event count up.
    package var ordinal: Int64

    package init(_ log: LogPosition, ordinal: Int64 = 0) {
        self.log = log
        self.ordinal = ordinal
    }

    /// Reads `epoch:number` or `epoch:number.ordinal`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let log = LogPosition(String(parts[0])) else { return nil }
        guard parts.count == 2 else {
            self.init(log)
            return
        }
        guard parts[1].utf8.allSatisfy({ (48...57).contains($0) }), let ordinal = Int64(parts[1]) else { return nil }
        self.init(log, ordinal: ordinal)
    }

    package var description: String { ordinal == 0 ? log.description : "\(log).\(ordinal)" }

    /// Order in time; places of a later epoch come after all of an earlier one.
    package static func < (left: FeedPosition, right: FeedPosition) -> Bool {
        (left.log.epoch, left.log.number, left.ordinal) < (right.log.epoch, right.log.number, right.ordinal)
    }
}
