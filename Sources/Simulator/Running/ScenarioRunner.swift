private import Foundation

/// Plays scenario files against a set of targets side by side.
package struct ScenarioRunner: Sendable {
    /// The seed of the random orders of long files, unless another is given: the same orders in every run.
    package static let defaultSeed: UInt64 = 20_260_401

    /// How many targets work side by side.
    package var workers = 2
    /// The seed of the random orders.
    package var seed = ScenarioRunner.defaultSeed
    /// After so many failing orders the rest of a file is not played.
    package var failureLimit = 3

    private let signing: ScenarioSigning
    private let makeTarget: @Sendable () async throws -> any ScenarioTarget

    /// A runner that signs with these keys and asks the closure for each target it needs, at most `workers`.
    package init(signing: ScenarioSigning, makeTarget: @escaping @Sendable () async throws -> any ScenarioTarget) {
        self.signing = signing
        self.makeTarget = makeTarget
    }

    /// Reads and plays files; a folder stands for the `.json` files in it. A file that cannot be read counts as
    /// failed, one without deliveries is passed over.
    ///
    /// - Parameter onFile: told of each file as soon as it and all files before it are done.
    /// - Throws: what making a target or signing throws.
    package func run(
        files paths: [String],
        onFile: @escaping @Sendable (ScenarioFileReport) -> Void = { _ in }
    ) async throws -> ScenarioReport {
        let items = try ScenarioFile.files(at: paths).map { path throws in
            let fileName = URL(filePath: path).lastPathComponent
            do throws(ScenarioFileError) {
                guard let file = try ScenarioFile.load(path) else {
                    return ScenarioQueue.Item.done(
                        ScenarioFileReport(fileName: fileName, name: nil, outcome: .passedOver)
                    )
                }
                return .toPlay(file)
            } catch {
                return .done(ScenarioFileReport(fileName: fileName, name: nil, outcome: .faulty(error.problems)))
            }
        }
        return try await run(items, onFile: onFile)
    }

    /// Plays scenarios that are read already; otherwise like `run(files:onFile:)`.
    package func run(
        scenarios: [ScenarioFile],
        onFile: @escaping @Sendable (ScenarioFileReport) -> Void = { _ in }
    ) async throws -> ScenarioReport {
        try await run(scenarios.map { .toPlay($0) }, onFile: onFile)
    }

    private func run(
        _ items: [ScenarioQueue.Item],
        onFile: @escaping @Sendable (ScenarioFileReport) -> Void
    ) async throws -> ScenarioReport {
        let queue = try ScenarioQueue(
            items,
            signing: signing,
            seed: seed,
            failureLimit: failureLimit,
            onFile: onFile
        )
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<min(max(workers, 1), queue.pieceCount) {
                group.addTask {
                    let target = try await makeTarget()
                    while let piece = queue.next() {
                        try Task.checkCancellation()
                        await play(piece, queue, target)
                    }
                }
            }
            try await group.waitForAll()
        }
        return queue.report
    }

    private func play(_ piece: ScenarioQueue.Piece, _ queue: ScenarioQueue, _ target: any ScenarioTarget) async {
        for place in piece.orders where queue.isWorthPlaying(place, of: piece.file) {
            var run = ScenarioRun(piece.scenario, order: piece.scenario.orders[place], target: target)
            await run.play()
            if !run.failures.isEmpty { queue.note(run.failures, order: place, of: piece.file) }
        }
        queue.finish(piece)
    }
}
