import Synchronization

/// Lets readers that wait at the same place share one read: when a change wakes a thousand streams, the database is asked
/// once.
///
/// A reader may join a read that began before the change it was woken for. It finds that the feed has gone on, and reads
/// again; so this is for readers that wait, not for one that must see what it has just written.
final class FeedReads: Sendable {
    private let reads = Mutex<[FeedQuery: Task<FeedPage, any Error>]>([:])

    /// The page that a read under way gives, or else the work does.
    func page(_ query: FeedQuery, _ work: @escaping @Sendable () async throws -> FeedPage) async throws -> FeedPage {
        let read = reads.withLock { reads in
            if let known = reads[query] { return known }
            let read = Task {
                defer { self.reads.withLock { $0[query] = nil } }
                return try await work()
            }
            reads[query] = read
            return read
        }
        return try await read.value
    }
}
