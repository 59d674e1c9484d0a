/// The last so many values that were put in.
struct RecentSet<Value: Hashable> {
    private let capacity: Int
    private var values: Set<Value> = []
    private var order: [Value] = []
    private var oldest = 0

    init(capacity: Int) {
        self.capacity = capacity
    }

    /// - Returns: false when it was there; it is not moved to the front then.
    mutating func insert(_ value: Value) -> Bool {
        guard values.insert(value).inserted else { return false }
        if order.count < capacity {
            order.append(value)
        } else {
            values.remove(order[oldest])
            order[oldest] = value
            oldest = (oldest + 1) % order.count
        }
        return true
    }
}
