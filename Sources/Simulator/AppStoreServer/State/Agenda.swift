import EntitlementDomain

/// What happens in a fake App Store by itself, the earliest first: a binary heap.
struct Agenda: Sendable {
    enum Matter: Sendable, Hashable {
        /// A period, a grace period or the tries to charge end.
        case billing(StoreEnvironment, line: String)
        /// A notification is to be sent.
        case delivery(StoreEnvironment, index: Int)
    }

    struct Entry: Sendable {
        var at: Instant
        /// Entries of one instant happen in the order in which they were put in.
        var order: Int
        var matter: Matter
    }

    private var heap: [Entry] = []
    private var count = 0

    var first: Entry? { heap.first }

    mutating func add(_ matter: Matter, at: Instant) {
        count += 1
        heap.append(Entry(at: at, order: count, matter: matter))
        var index = heap.count - 1
        while index > 0, Self.precedes(heap[index], heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() -> Entry? {
        guard let first = heap.first else { return nil }
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first }
        heap[0] = last
        var index = 0
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < heap.count }
            guard let smallest = children.min(by: { Self.precedes(heap[$0], heap[$1]) }),
                Self.precedes(heap[smallest], heap[index])
            else { return first }
            heap.swapAt(index, smallest)
            index = smallest
        }
    }

    private static func precedes(_ left: Entry, _ right: Entry) -> Bool {
        (left.at, left.order) < (right.at, right.order)
    }
}
