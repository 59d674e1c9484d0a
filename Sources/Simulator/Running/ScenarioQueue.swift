import Synchronization

/// The work of a run, cut into pieces for the workers, and what has come of it so far.
final class ScenarioQueue: Sendable {
    /// A file to be played, or one whose report stands already.
    enum Item {
        case toPlay(ScenarioFile)
        case done(ScenarioFileReport)
    }

    /// Some orders of one file.
    struct Piece: Sendable {
        let file: Int
        let scenario: PreparedScenario
        let orders: Range<Int>
    }

    private struct Progress {
        /// Nil for a file that is not played.
        var scenario: PreparedScenario?
        var openPieces = 0
        var failures: [Int: [ScenarioFailure]] = [:]
        var report: ScenarioFileReport?
    }

    private struct State {
        var files: [Progress] = []
        var pieces: [Piece] = []
        var nextPiece = 0
        var nextToReport = 0
    }

    /// Small enough that two workers share a long file, large enough to cost nothing.
    private static let ordersPerPiece = 8

    let pieceCount: Int
    private let failureLimit: Int
    private let onFile: @Sendable (ScenarioFileReport) -> Void
    private let state: Mutex<State>

    init(
        _ items: [Item],
        signing: ScenarioSigning,
        seed: UInt64,
        failureLimit: Int,
        onFile: @escaping @Sendable (ScenarioFileReport) -> Void
    ) throws {
        var state = State()
        for (index, item) in items.enumerated() {
            var progress = Progress()
            switch item {
            case .done(let report):
                progress.report = report
            case .toPlay(let file):
                let scenario = try PreparedScenario(file, signing: signing, seed: seed)
                progress.scenario = scenario
                for start in stride(from: 0, to: scenario.orders.count, by: Self.ordersPerPiece) {
                    let end = min(start + Self.ordersPerPiece, scenario.orders.count)
                    state.pieces.append(Piece(file: index, scenario: scenario, orders: start..<end))
                    progress.openPieces += 1
                }
            }
            state.files.append(progress)
        }
        pieceCount = state.pieces.count
        self.failureLimit = max(failureLimit, 1)
        self.onFile = onFile
        self.state = Mutex(state)
        self.state.withLock { tell(&$0) }
    }

    /// The next piece of work; nil when none is left.
    func next() -> Piece? {
        state.withLock { state in
            guard state.nextPiece < state.pieces.count else { return nil }
            defer { state.nextPiece += 1 }
            return state.pieces[state.nextPiece]
        }
    }

    /// Whether an order can still belong to the failures that are reported. Orders before it must have failed for it
    /// not to, so whichever worker is faster, the same ones are reported.
    func isWorthPlaying(_ order: Int, of file: Int) -> Bool {
        state.withLock { state in
            state.files[file].failures.keys.count { $0 < order } < failureLimit
        }
    }

    /// Keeps the failures of an order.
    func note(_ failures: [ScenarioFailure], order: Int, of file: Int) {
        state.withLock { $0.files[file].failures[order] = failures }
    }

    /// Marks a piece as done.
    func finish(_ piece: Piece) {
        state.withLock { state in
            state.files[piece.file].openPieces -= 1
            guard state.files[piece.file].openPieces == 0 else { return }
            let failures = state.files[piece.file].failures.sorted { $0.key < $1.key }
                .prefix(failureLimit).flatMap(\.value)
            let scenario = piece.scenario
            state.files[piece.file].report = ScenarioFileReport(
                fileName: scenario.file.fileName,
                name: scenario.file.name,
                outcome: failures.isEmpty ? .passed(orders: scenario.orders.count) : .failed(failures)
            )
            tell(&state)
        }
    }

    /// The reports of all files; complete when every piece is finished.
    var report: ScenarioReport {
        state.withLock { ScenarioReport(files: $0.files.compactMap(\.report)) }
    }

    /// Tells of the files that are done, in their order.
    private func tell(_ state: inout State) {
        while state.nextToReport < state.files.count, let report = state.files[state.nextToReport].report {
            onFile(report)
            state.nextToReport += 1
        }
    }
}
