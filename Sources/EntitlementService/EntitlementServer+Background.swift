import EventStore

extension EntitlementServer {
    /// How often readiness is looked at without anybody asking.
    private static let readinessInterval: Duration = .seconds(5)

    /// Looks at the readiness now and then, so that the log tells of a change also where nobody asks.
    func watchReadiness() -> Task<Void, Never> {
        Task { [readiness] in
            while !Task.isCancelled {
                _ = await readiness.checks()
                try? await Task.sleep(for: Self.readinessInterval)
            }
        }
    }

    /// Finds out when the App Store was last heard of, also before this start.
    func watchNotifications() -> Task<Void, Never> {
        Task { [notifications, store] in
            while !Task.isCancelled {
                do {
                    try await notifications.lookForward(to: store.position())
                    return try await notifications.lookBack()
                } catch {
                    try? await Task.sleep(for: Self.readinessInterval)
                }
            }
        }
    }

    /// Runs reconciliation once and says in the log what came of it.
    func reconcile(_ reconciler: Reconciler, _ mode: ReconcileMode) async {
        guard store.takesWrites else { return }
        do throws(StoreError) {
            // Nil: another instance is at it.
            guard let report = try await reconciler.run(mode) else { return }
            log.write(
                report.isWhole ? .info : .warning,
                "reconciliation",
                report.logFields
            )
        } catch {
            log.note(.warning, "reconciliation", [("problem", error.description)])
        }
    }
}
