import EntitlementDomain
import EntitlementService
import EventStore
import Foundation

/// `entitled reconcile`.
enum ReconcileCommand: Command {
    static let words = ["reconcile"]
    static let summary = "Fetch from the App Store what is missing in the log, once, and say what was found."
    static let options = [
        Option("config", "FILE", "JSON configuration of the service, with the credentials in appStore"),
        Option("everything", nil, "fetch the whole history since the last time, whatever the intervals say"),
    ]
    static let discussion = """
        'entitled serve' does the same by itself at intervals. One instance does it at a time: when the service is at it,
        this command says so and ends with status 75.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        var settings = ServeSettings(file: arguments.value("config"), environment: ProcessInfo.processInfo.environment)
        let configuration = try settings.configuration()
        let server = try EntitlementServer(configuration, clock: SystemClock.now)
        guard let reconciler = server.reconciler else {
            throw CommandError(.configuration, "the configuration has no credentials: set appStore")
        }
        let report: ReconcileReport?
        do throws(StoreError) {
            try await server.store.check()
            report = try await reconciler.run(arguments.has("everything") ? .everything : .now)
        } catch {
            await server.stop()
            throw CommandError(error)
        }
        await server.stop()
        guard let report else {
            throw CommandError(.temporaryFailure, "another instance is reconciling; try again in a minute")
        }
        for line in ReconcileText.lines(report) { print(line) }
        if report.stop != nil { throw CommandError(.temporaryFailure, "the run is not complete") }
        if report.histories.contains(where: { $0.problem != nil }) {
            throw CommandError(.unavailable, "some of the history could not be fetched")
        }
    }
}
