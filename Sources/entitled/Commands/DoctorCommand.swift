import EntitlementDomain
import EntitlementService
import EventStore
import Foundation

/// `entitled doctor`.
enum DoctorCommand: Command {
    static let words = ["doctor"]
    static let summary = "Ask the App Store for a test notification, follow it into the log, and say what is wrong."
    static let options = [
        Option("config", "FILE", "JSON configuration of the service, with the credentials in appStore"),
        Option("environment", "NAME", "Production or Sandbox; default: each one that is accepted"),
        Option("wait", "SECONDS", "how long to wait for the notification; default 60"),
    ]
    static let discussion = """
        The service must be running with the same database, reachable at the URL in App Store Connect. Each step needs the
        ones before it: configuration, database, network, clock, credentials, notificationURL, signature, delivery, arrival.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        var settings = ServeSettings(file: arguments.value("config"), environment: ProcessInfo.processInfo.environment)
        let configuration = try settings.configuration()
        guard let access = configuration.appStore else {
            throw CommandError(.configuration, "the configuration has no credentials: set appStore")
        }
        let environments: [StoreEnvironment]
        switch arguments.value("environment") {
        case nil: environments = [.production, .sandbox].filter { configuration.policy.environments.contains($0) }
        case "Production"?: environments = [.production]
        case "Sandbox"?: environments = [.sandbox]
        case let name?: throw CommandError(.usage, "--environment must be Production or Sandbox, not '\(name)'")
        }
        let seconds = try arguments.integer("wait", in: 0...3_600) ?? 60
        let store = PostgresEventStore(configuration.store, clock: SystemClock.now)
        let doctor = try Doctor(
            configuration,
            access: access,
            store: store,
            patience: .seconds(seconds),
            clock: SystemClock.now
        )
        var isGood = true
        let apps = configuration.apps.keys.filter { access.bundleIDs.isEmpty || access.bundleIDs.contains($0) }.sorted()
        for bundleID in apps {
            for environment in environments {
                print("\(bundleID) \(environment.rawValue)")
                let isWell = await doctor.examine(bundleID, in: environment) { finding in
                    print("  \(finding.isGood ? "good" : "BAD ")  \(finding.step.rawValue): \(finding.text)")
                    fflush(nil)
                }
                isGood = isGood && isWell
            }
        }
        await store.close()
        if !isGood { throw CommandError(.checkFailed, "something is wrong; see above") }
    }
}
