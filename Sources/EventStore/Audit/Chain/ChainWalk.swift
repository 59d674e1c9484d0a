import Postgres
import X509

/// Checks the hash chain over rows of a binary `COPY` of table `events`, in log order, from the bytes as they came:
/// nothing is decoded but position and hash.
struct ChainWalk {
    /// The position that the next row must have.
    private(set) var expected: Int64
    /// The stored hash of the event before `expected`; nil: the next row is that event, whose own hash others check.
    private(set) var previous: [UInt8]?
    /// The first fault.
    private(set) var problem: ChainProblem?
    /// The number of events whose hash was found right.
    private(set) var eventCount: Int64 = 0
    /// The hash that the faulty event has and the one it should have: held against the event after it, they tell what
    /// was changed.
    private var suspects: (stored: [UInt8], computed: [UInt8])?

    /// The last position to be checked. A row behind it is looked at only to tell what is wrong with it.
    private let last: Int64

    static let zeros = [UInt8](repeating: 0, count: 32)
    private static let columns = 0..<Int(EventRow.columnCount)

    /// - Parameters:
    ///   - first: the first position to be checked.
    ///   - last: the last one.
    ///   - previous: the hash before it; nil: the row before it comes first.
    init(first: Int64, last: Int64, previous: [UInt8]?) {
        self.last = last
        self.previous = previous
        expected = previous == nil ? first - 1 : first
    }

    /// Takes the next row.
    ///
    /// - Throws: `StoreError.failed` for a table with other columns.
    mutating func take(_ row: PostgresCopyRow) throws {
        guard row.count == Self.columns.count + 1 else {
            throw StoreError.failed(
                "table events has \(row.count) columns where this version knows \(Self.columns.count + 1)"
            )
        }
        if problem != nil {
            try diagnose(row)
            return
        }
        let position = try row.int64(0)
        if position > last { return }
        guard position == expected else {
            if position < expected {
                problem = ChainProblem(
                    position: position,
                    kind: .positionRepeated,
                    message: "there are two events with position \(position)"
                )
            } else {
                problem = Self.missing(expected...(position - 1))
            }
            return
        }
        let stored = try row.bytes(Self.columns.upperBound)
        if let previous {
            let computed = try Self.hash(row, after: previous)
            if computed != stored {
                suspects = (stored, computed)
                problem = ChainProblem(
                    position: position,
                    kind: .hashMismatch,
                    message: "the hash does not follow from the event before and the columns of this one: "
                        + "its content or its hash was changed"
                )
                return
            }
            eventCount += 1
        }
        previous = stored
        expected += 1
    }

    /// To be called behind the last row.
    mutating func finish() {
        if problem == nil, expected <= last { problem = Self.missing(expected...last) }
    }

    /// The event after the faulty one was hashed before anything was touched: it follows from what was not changed.
    private mutating func diagnose(_ row: PostgresCopyRow) throws {
        guard let suspects else { return }
        self.suspects = nil
        guard try row.int64(0) == expected + 1 else { return }
        let hash = try row.bytes(Self.columns.upperBound)
        if try Self.hash(row, after: suspects.computed) == hash {
            problem?.message = "its hash was changed; its content still leads to the event after it"
        } else if try Self.hash(row, after: suspects.stored) == hash {
            problem?.message = "its content was changed: its hash, which the event after it confirms, does not cover it"
        }
    }

    /// The hash that an event must have behind another one's.
    static func hash(_ row: PostgresCopyRow, after previous: [UInt8]) throws -> [UInt8] {
        var hash = SHA256()
        hash.update(previous)
        try row.withEncodedFields(columns) { bytes in hash.update(bytes) }
        return hash.finalize().bytes
    }

    static func missing(_ positions: ClosedRange<Int64>) -> ChainProblem {
        ChainProblem(
            position: positions.lowerBound,
            kind: .positionMissing,
            message: positions.count == 1
                ? "the event of position \(positions.lowerBound) is missing"
                : "the events of positions \(positions.lowerBound) to \(positions.upperBound) are missing"
        )
    }
}
