import AppStore
package import EntitlementDomain
package import EventStore

/// Finds out what is wrong between the App Store and this service: asks the App Store for a test notification and follows
/// it into the log.
package struct Doctor: Sendable {
    /// The most that two clocks may differ, in milliseconds. Tokens are valid for five minutes.
    private static let clockTolerance: Int64 = 60_000

    private let access: AppStoreAccess
    private let reader: StatementReader
    private let store: PostgresEventStore
    private let witness: ClockWitness
    private let timing: ServerAPITiming
    private let patience: Duration

    /// - Parameters:
    ///   - configuration: that of the service.
    ///   - store: the service's log.
    ///   - patience: how long to wait for the notification.
    /// - Throws: `X509Error` when the configured roots are none.
    package init(
        _ configuration: ServiceConfiguration,
        access: AppStoreAccess,
        store: PostgresEventStore,
        patience: Duration,
        clock: @escaping @Sendable () -> Instant
    ) throws {
        self.access = access
        self.store = store
        self.patience = patience
        witness = ClockWitness(access.transport)
        timing = access.timing ?? ServerAPITiming(now: clock)
        reader = StatementReader(
            verifier: try SignedStatementVerifier(configuration.verifier),
            policy: configuration.appStorePolicy
        )
    }

    /// Examines one app in one environment, step by step; ends at the first step that is not good.
    ///
    /// - Parameter say: gets each finding as it is made.
    /// - Returns: whether all is good.
    package func examine(
        _ bundleID: String,
        in environment: StoreEnvironment,
        say: (DoctorFinding) -> Void
    ) async -> Bool {
        let client = ServerAPIClient(
            credentials: access.credentials,
            bundleID: bundleID,
            hosts: access.hosts,
            transport: witness,
            reader: reader,
            retries: ServerAPIRetries(attempts: 2),
            timing: timing
        )
        do throws(DoctorProblem) {
            let accepted = reader.policy.acceptedEnvironments
            guard accepted.contains(environment) else {
                throw DoctorProblem(
                    .configuration,
                    "policy.environments does not accept \(environment.rawValue): its notifications are stored without "
                        + "effect"
                )
            }
            say(.good(.configuration, "the key is read, \(bundleID) and \(environment.rawValue) are accepted"))
            try await checkDatabase()
            say(.good(.database, "the log answers"))
            let token = try await askForNotification(client, environment, say: say)
            try await follow(token, client, environment, say: say)
            return true
        } catch {
            say(DoctorFinding(step: error.step, isGood: false, text: error.text))
            return false
        }
    }

    private func checkDatabase() async throws(DoctorProblem) {
        do throws(StoreError) {
            try await store.check()
        } catch {
            throw DoctorProblem(.database, error.description)
        }
    }

    /// Asks for a test notification, which shows network, clock, credentials and URL.
    private func askForNotification(
        _ client: ServerAPIClient,
        _ environment: StoreEnvironment,
        say: (DoctorFinding) -> Void
    ) async throws(DoctorProblem) -> String {
        let result: Result<String, ServerAPIError>
        do throws(ServerAPIError) {
            result = .success(try await client.requestTestNotification(in: environment))
        } catch {
            result = .failure(error)
        }
        if case .failure(.unreachable(let reason)) = result {
            throw DoctorProblem(
                .network,
                "the App Store cannot be reached (\(reason)): open outgoing HTTPS to "
                    + "\(access.hosts.host(of: environment) ?? "it"), and check DNS and proxies"
            )
        }
        say(.good(.network, "\(access.hosts.host(of: environment) ?? "the App Store") answers"))
        try checkClock(say: say)
        switch result {
        case .success(let token):
            say(.good(.credentials, "issuer id, key id, key and bundle id are accepted"))
            say(.good(.notificationURL, "App Store Connect has a URL for \(environment.rawValue)"))
            return token
        case .failure(.unauthorized):
            throw DoctorProblem(
                .credentials,
                "the App Store does not accept the token: compare issuerId and keyId with App Store Connect (Users and "
                    + "Access, Integrations, In-App Purchase), and whether keyFile is that key and not revoked; the key "
                    + "must be of the team that owns \(client.bundleID)"
            )
        case .failure(let error) where error.code == .serverNotificationURLNotFound:
            say(.good(.credentials, "issuer id, key id, key and bundle id are accepted"))
            throw DoctorProblem(
                .notificationURL,
                "App Store Connect has no URL for \(environment.rawValue): enter https://…/appstore/notifications, "
                    + "Version 2, under App Information, App Store Server Notifications"
            )
        case .failure(let error) where error.code == .appNotFound || error.code == .appNotFoundRetryable:
            throw DoctorProblem(
                .credentials,
                "the App Store does not know \(client.bundleID) in \(environment.rawValue): check the bundle id; an app "
                    + "that was never released has the Sandbox only"
            )
        case .failure(let error): throw DoctorProblem(.credentials, error.description)
        }
    }

    private func checkClock(say: (DoctorFinding) -> Void) throws(DoctorProblem) {
        guard let theirs = witness.instant else { return }
        let difference = timing.now().milliseconds - theirs.milliseconds
        guard abs(difference) <= Self.clockTolerance else {
            throw DoctorProblem(
                .clock,
                "this machine's clock is \(abs(difference) / 1_000) seconds \(difference > 0 ? "ahead" : "behind"): set it "
                    + "with NTP; tokens are valid for minutes only"
            )
        }
        say(.good(.clock, "the clocks agree"))
    }

    /// Follows the notification from the App Store into the log.
    private func follow(
        _ token: String,
        _ client: ServerAPIClient,
        _ environment: StoreEnvironment,
        say: (DoctorFinding) -> Void
    ) async throws(DoctorProblem) {
        let step: Duration = .seconds(1)
        var waited: Duration = .zero
        var isSignatureGood = false
        var attempts: [SendAttempt] = []
        while true {
            if let status = try await status(of: token, client, environment) {
                attempts = status.attempts
                let statement = try Self.statement(status)
                if !isSignatureGood {
                    isSignatureGood = true
                    say(.good(.signature, "the notification's certificates lead to a trusted root"))
                }
                if try await isInLog(statement) {
                    say(.good(.delivery, "the App Store delivered the notification"))
                    say(.good(.arrival, "the notification is in the log"))
                    return
                }
            }
            if let last = attempts.last, !last.isSuccess { throw Self.problem(with: last) }
            guard waited < patience else { break }
            waited += step
            do {
                try await timing.sleep(step)
            } catch {
                throw DoctorProblem(.delivery, "the examination was ended")
            }
        }
        guard attempts.last?.isSuccess == true else {
            throw DoctorProblem(
                .delivery,
                "the App Store has not tried to deliver the notification within \(patience.milliseconds / 1_000) seconds: "
                    + "try again with a longer --wait"
            )
        }
        throw DoctorProblem(
            .arrival,
            "the App Store got a good answer, but the notification is not in this log: the URL in App Store Connect leads "
                + "to another service, or that one has another database"
        )
    }

    /// What the App Store knows of the notification; nil: nothing yet.
    private func status(
        of token: String,
        _ client: ServerAPIClient,
        _ environment: StoreEnvironment
    ) async throws(DoctorProblem) -> TestNotificationStatus? {
        do throws(ServerAPIError) {
            return try await client.testNotificationStatus(token, in: environment)
        } catch {
            // The status of a notification is not there at once.
            if error.isTemporary || error.code == .testNotificationNotFound { return nil }
            throw DoctorProblem(.delivery, error.description)
        }
    }

    private static func statement(_ status: TestNotificationStatus) throws(DoctorProblem) -> Statement {
        do throws(StatementError) {
            return try status.notification.result.get()
        } catch {
            throw DoctorProblem(
                .signature,
                "\(error.message) A root that is not Apple's (a simulator's) must stand in trustRoots, and the app with "
                    + "its Apple id in apps."
            )
        }
    }

    private func isInLog(_ statement: Statement) async throws(DoctorProblem) -> Bool {
        do throws(StoreError) {
            return try await store.hasStatement(statement.identity.bytes)
        } catch {
            throw DoctorProblem(.database, error.description)
        }
    }

    /// What a failed delivery means (App Store Server API, sendAttemptResult).
    private static func problem(with attempt: SendAttempt) -> DoctorProblem {
        let advice =
            switch attempt.result {
            case "TLS_ISSUE": "TLS failed: the certificate must be of a public authority, whole with its intermediates"
            case "UNSUCCESSFUL_HTTP_RESPONSE_CODE":
                "something answered, but not with success: check the path (/appstore/notifications), what a proxy in "
                    + "front answers, and entitled_notifications_total in /metrics"
            case "CIRCULAR_REDIRECT": "the URL redirects: enter the address that it leads to"
            case "TIMED_OUT", "NO_RESPONSE", "SOCKET_ISSUE", "PREMATURE_CLOSE":
                "nothing answered: check that the service runs, the name resolves, and the firewall lets HTTPS in from "
                    + "17.0.0.0/8"
            default: "the answer was not understood: check what stands between the App Store and the service"
            }
        return DoctorProblem(
            .delivery,
            "the App Store could not deliver the notification (\(attempt.result)): \(advice)"
        )
    }
}

/// Ends an examination.
private struct DoctorProblem: Error {
    var step: DoctorFinding.Step
    var text: String

    init(_ step: DoctorFinding.Step, _ text: String) {
        self.step = step
        self.text = text
    }
}

extension DoctorFinding {
    fileprivate static func good(_ step: Step, _ text: String) -> DoctorFinding {
        DoctorFinding(step: step, isGood: true, text: text)
    }
}
