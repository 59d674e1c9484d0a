import EntitlementDomain
import EventStore

/// Keeps a cache right: applies the change feed to it for as long as it runs.
///
/// It asks where the feed ends ten times a second, and at once when this instance hears of something. It does not read what
/// this instance wrote itself, since the cache was told. What it cannot apply one by one (another catalog, a rebuild, a log
/// that a fail-over rewound) makes it drop everything and begin again.
struct CacheFollower: Sendable {
    /// How often to ask without a reason.
    private static let interval: Duration = .milliseconds(100)
    /// The least time between two pages once all is applied: news come in crowds.
    private static let spacing: Duration = .milliseconds(10)

    let store: PostgresEventStore
    let cache: AnswerCache

    /// How far the feed has been applied, and under which catalog and tables.
    private struct State {
        var position: FeedPosition
        var basis: FollowedPage.Basis
    }

    /// Follows until the task is cancelled.
    func run() async {
        guard cache.isOn else { return }
        var state: State?
        while !Task.isCancelled {
            let asked = ContinuousClock.now
            do throws(StoreError) {
                if let place = state?.position { state?.position = cache.unread(after: place) }
                let page = try await store.follow(after: state?.position)
                if apply(page, asked, &state) { continue }
                try? await Task.sleep(for: Self.spacing)
                await store.waitForChanges(after: page.head, upTo: Self.interval)
            } catch {
                // The cache sees by itself that it has heard nothing.
                try? await Task.sleep(for: Self.interval)
            }
        }
        cache.begin(at: nil)
    }

    /// - Returns: whether there is more to read at once.
    private func apply(_ page: FollowedPage, _ asked: ContinuousClock.Instant, _ state: inout State?) -> Bool {
        let place = CachePlace(page.head, page.basis, heardAt: asked)
        guard let known = state, known.basis == page.basis, known.position.log.epoch == page.head.log.epoch,
            known.position <= page.head
        else {
            cache.begin(at: place)
            state = State(position: page.head, basis: page.basis)
            return false
        }
        cache.invalidate(page.changes)
        state?.position = page.position
        if page.hasMore { return true }
        // Where an append has ended the following, it begins again.
        if !cache.confirm(place) { state = nil }
        return state == nil
    }
}
