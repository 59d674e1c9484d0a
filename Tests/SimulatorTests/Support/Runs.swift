import JSON
import Simulator

/// Plays scenarios given as text and gives the report.
func run(
    _ texts: String...,
    workers: Int = 1,
    failureLimit: Int = 3,
    makeTarget: @escaping @Sendable () async throws -> any ScenarioTarget
) async throws -> ScenarioReport {
    var runner = ScenarioRunner(signing: SignedText.signing, makeTarget: makeTarget)
    runner.workers = workers
    runner.failureLimit = failureLimit
    return try await runner.run(scenarios: try texts.map { try Fixtures.scenario($0) })
}

/// The failures of the first file of a report.
func failures(_ report: ScenarioReport) -> [ScenarioFailure] {
    guard case .failed(let failures)? = report.files.first?.outcome else { return [] }
    return failures
}
