import EntitlementDomain
import Foundation
import Postgres
import Synchronization

/// The whole log up to one position, read once and sorted into buckets: all events of a line are in one bucket, all
/// events about an account in another. What is in one bucket is folded without a look at the others.
final class LogScan: Sendable {
    /// Where things go and how much of them.
    struct Settings: Sendable {
        /// A directory of its own for what does not fit into memory.
        var directory: URL
        /// Bytes of events kept in memory.
        var memoryLimit = 128 << 20
        /// Events in one bucket, about.
        var bucketLength: Int64 = 16_384
        /// The most buckets: each has a file and a share of the memory.
        var maximumBuckets: Int64 = 32_768
        /// Positions that are read at once.
        var chunkLength: Int64 = 32_768
    }

    /// The log's head as the scan saw it.
    let extent: LogExtent
    let lines: Spill
    let accounts: Spill
    /// Accounts that have owned lines (`AccountTouch`), which are counted, noted by whoever folds the lines.
    let touches: Spill
    private let settings: Settings
    private let state: Mutex<State>

    private struct State {
        var next: Int64 = 1
        var done: Int64 = 0
        var catalogs: [Int64] = []
    }

    /// - Parameters:
    ///   - bucketCount: nil: as many as the log's length asks for.
    ///   - catalogPositions: of a scan that another process has made; it is not to be made again.
    init(
        _ extent: LogExtent,
        settings: Settings,
        bucketCount: Int? = nil,
        catalogPositions: [Int64] = []
    ) {
        self.extent = extent
        self.settings = settings
        state = Mutex(State(catalogs: catalogPositions))
        let wanted = (extent.head.position + settings.bucketLength - 1) / settings.bucketLength
        let count = bucketCount ?? Int(min(max(wanted, 1), settings.maximumBuckets))
        func spill(_ name: String, _ share: Int) -> Spill {
            Spill(
                name,
                bucketCount: count,
                directory: settings.directory,
                memoryLimit: settings.memoryLimit / share
            )
        }
        lines = spill("lines", 2)
        accounts = spill("accounts", 4)
        touches = spill("touches", 4)
    }

    var bucketCount: Int { lines.bucketCount }

    /// Positions of the catalogs that came into force, in order.
    var catalogPositions: [Int64] { state.withLock { $0.catalogs.sorted() } }

    var progress: AuditProgress {
        AuditProgress(phase: "reading the log", done: state.withLock { $0.done }, total: extent.head.position)
    }

    /// Reads ranges of the log until none is left; several sessions of one snapshot do so side by side.
    func read(_ session: PostgresSession, progress: @Sendable (AuditProgress) -> Void) throws {
        while let range = nextRange() {
            let count = try session.copyOutRows(
                """
                COPY (SELECT \(EventRecord.foldColumns) FROM entitled.events e
                    WHERE e.position BETWEEN \(range.lowerBound) AND \(range.upperBound))
                TO STDOUT WITH (FORMAT binary)
                """
            ) { row in try sort(row) }
            guard count == range.count else {
                throw StoreError.failed(
                    "the log is not whole: of positions \(range.lowerBound) to \(range.upperBound) only \(count) are "
                        + "there; 'entitled audit verify' names the first that is missing (attach archived ranges again)"
                )
            }
            state.withLock { $0.done += Int64(count) }
            progress(self.progress)
        }
    }

    private func nextRange() -> ClosedRange<Int64>? {
        state.withLock { state in
            let first = state.next
            if first > extent.head.position { return nil }
            state.next = min(first + settings.chunkLength, extent.head.position + 1)
            return first...(state.next - 1)
        }
    }

    /// Columns of `EventRecord.columns`.
    private enum Column {
        static let position = 0
        static let type = 2
        static let environment = 4
        static let lineID = 6
        static let account = 8
    }

    private func sort(_ row: PostgresCopyRow) throws {
        if let hash = try KeyHash.of([Column.lineID, Column.environment], row) {
            try lines.append(row, hash: hash)
        } else if let hash = try KeyHash.of([Column.account], row) {
            try accounts.append(row, hash: hash)
        } else if try row.text(Column.type) == EventType.catalogChanged.rawValue {
            let position = try row.int64(Column.position)
            state.withLock { $0.catalogs.append(position) }
        }
    }
}
