import AppStore
import EntitlementDomain
import EventStore
import Synchronization

/// Looks through the lines for suspicious ones, and asks the App Store about them.
final class LineReview: Sendable {
    /// Lines read at a time.
    private static let pageSize = 1_000
    /// Lines looked at in one run; the next run goes on behind them.
    private static let linesPerRun = 100_000

    private let clients: AppStoreClients
    private let intake: StatementIntake
    private let metrics: ServiceMetrics
    private let policy: Policy
    /// Where the last run stopped; nil: at the end.
    private let place = Mutex<LineID?>(nil)

    init(clients: AppStoreClients, intake: StatementIntake, metrics: ServiceMetrics, policy: Policy) {
        self.clients = clients
        self.intake = intake
        self.metrics = metrics
        self.policy = policy
    }

    /// Looks through lines, and asks about the suspicious ones.
    func run(_ run: ReconcileRun, at now: Instant, into report: inout ReconcileReport) async throws(ReconcileStop) {
        let catalog = try await run.storing { store async throws(StoreError) in try await store.catalog() }
        var looked = 0
        while looked < Self.linesPerRun {
            let start = place.withLock { $0 }
            let page = try await run.storing { store async throws(StoreError) in
                try await store.linesToReconcile(after: start, limit: Self.pageSize)
            }
            for (line, asked) in page {
                looked += 1
                report.lines += 1
                if let suspicion = suspicion(of: line, asked, at: now, catalog: catalog) {
                    try await ask(about: line, suspicion, run, at: now, into: &report)
                }
                place.withLock { $0 = line.id }
            }
            if page.count < Self.pageSize {
                place.withLock { $0 = nil }
                return
            }
        }
    }

    private func suspicion(of line: LineState, _ asked: AskedLine?, at now: Instant, catalog: Catalog) -> LineSuspicion?
    {
        guard line.id.store == .appStore, let client = clients[line.id.bundleID],
            client.environments.contains(line.id.environment)
        else { return nil }
        if let asked, now.milliseconds - asked.at.milliseconds < LineSuspicion.pause(afterTries: asked.tries) {
            return nil
        }
        return LineSuspicion(line, at: now, catalog: catalog, policy: policy)
    }

    private func ask(
        about line: LineState,
        _ suspicion: LineSuspicion,
        _ run: ReconcileRun,
        at now: Instant,
        into report: inout ReconcileReport
    ) async throws(ReconcileStop) {
        guard let client = clients[line.id.bundleID] else { return }
        let (id, environment) = (line.id.originalTransactionID, line.id.environment)
        report.asked[suspicion.rawValue, default: 0] += 1
        metrics.countAskedLine(suspicion)
        var parts: [SignedResponsePart] = []
        do throws(ReconcileStop) {
            if suspicion == .ownerDisagrees {
                let statement = try await run.call { () async throws(ServerAPIError) in
                    try await client.transactionInfo(id, in: environment)
                }
                parts = [SignedResponsePart(text: "", result: .success(statement))]
            } else {
                // The periods between the last one that is known and the last one there is.
                let statuses = try await run.call { () async throws(ServerAPIError) in
                    try await client.subscriptionStatuses(of: id, in: environment)
                }
                parts = statuses.lines.map(\.statement)
                if isBehind(line, parts) { parts += try await missing(id, in: environment, client, run, line) }
            }
        } catch {
            // An id that the App Store does not know stays suspicious, and is no reason to stop.
            guard case .api(let reason) = error, !reason.isTemporary, reason.code != nil else { throw error }
        }
        let (intake, taken) = (intake, parts)
        let outcomes = try await run.storing { _ async throws(StoreError) in try await intake.take(taken) }
        report.appendedAboutLines += outcomes.count { $0 == .appended }
        try await run.storing { store async throws(StoreError) in try await store.noteAsked(about: line.id, at: now) }
    }

    /// Whether the App Store's last transaction of the line is another one than the last one known.
    private func isBehind(_ line: LineState, _ parts: [SignedResponsePart]) -> Bool {
        parts.contains { part in
            guard case .success(let statement) = part.result, statement.line == line.id,
                let transaction = statement.facts.transaction
            else { return false }
            return line[transactionID: transaction.transactionID] == nil
        }
    }

    /// The transactions of the customer that were bought since the last one known.
    private func missing(
        _ id: String,
        in environment: StoreEnvironment,
        _ client: ServerAPIClient,
        _ run: ReconcileRun,
        _ line: LineState
    ) async throws(ReconcileStop) -> [SignedResponsePart] {
        var query = TransactionHistoryQuery()
        query.startsAt = line.transactions.last?.newest.purchasedAt
        var parts: [SignedResponsePart] = []
        var pages = client.transactionHistoryPages(of: id, query, in: environment)
        while true {
            var walk = pages
            let page = try await run.call { () async throws(ServerAPIError) in try await walk.next() }
            pages = walk
            guard let page else { return parts }
            parts += page.transactions
        }
    }
}
