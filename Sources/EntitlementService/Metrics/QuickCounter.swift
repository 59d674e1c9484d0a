import Synchronization

/// Counts calls and the time they took without a lock.
final class QuickCounter: Sendable {
    private let count = Atomic<UInt64>(0)
    private let nanoseconds = Atomic<UInt64>(0)

    func add(_ duration: Duration) {
        count.add(1, ordering: .relaxed)
        // A quick call takes no whole second.
        nanoseconds.add(UInt64(max(0, duration.components.attoseconds / 1_000_000_000)), ordering: .relaxed)
    }

    /// Calls, and seconds together.
    var value: (count: Double, seconds: Double) {
        (Double(count.load(ordering: .relaxed)), Double(nanoseconds.load(ordering: .relaxed)) / 1e9)
    }
}
