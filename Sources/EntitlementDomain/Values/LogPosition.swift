/// A place in the log, as clients see it: `epoch:number`. The number counts events; the epoch changes when a fail-over
/// may have rewound the log, so that a cursor from before is recognised instead of silently skipping.
package struct LogPosition: Sendable, Hashable, CustomStringConvertible {
    package var epoch: Int
    /// Position of an event, 0 before the first one.
    package var number: Int64

    package init(epoch: Int, number: Int64) {
        self.epoch = epoch
        self.number = number
    }

    /// Reads `epoch:number`; nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ part in part.utf8.allSatisfy { $0 >= 48 && $0 <= 57 } }),
            let epoch = Int(parts[0]), let number = Int64(parts[1])
        else { return nil }
        self.init(epoch: epoch, number: number)
    }

    package var description: String { "\(epoch):\(number)" }
}
