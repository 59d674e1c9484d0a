/// The orders in which the deliveries of a scenario are played.
package enum DeliveryOrders {
    /// Up to so many deliveries every permutation is played.
    package static let exhaustiveCount = 6
    /// Above that, so many different random permutations (as many as six deliveries have), beside the listed order.
    package static let sampleCount = 720

    /// The orders, each as places in the list; the listed one first, then by how far they are from it (the number of
    /// pairs that are the wrong way round). So the first order that fails is a smallest one.
    package static func orders(_ kind: ScenarioFile.Orders, count: Int, seed: UInt64) -> [[Int]] {
        let listed = Array(0..<count)
        guard kind == .all else { return [listed] }
        let orders = count <= exhaustiveCount ? permutations(of: listed) : sample(of: listed, seed: seed)
        return orders.map { (inversions(of: $0), $0) }
            .sorted { $0.0 == $1.0 ? $0.1.lexicographicallyPrecedes($1.1) : $0.0 < $1.0 }
            .map(\.1)
    }

    private static func permutations(of elements: [Int]) -> [[Int]] {
        guard elements.count > 1 else { return [elements] }
        return elements.indices.flatMap { index in
            var rest = elements
            let first = rest.remove(at: index)
            return permutations(of: rest).map { [first] + $0 }
        }
    }

    private static func sample(of listed: [Int], seed: UInt64) -> [[Int]] {
        var random = SeededRandom(seed: seed)
        var orders: Set<[Int]> = [listed]
        while orders.count <= sampleCount { orders.insert(listed.shuffled(using: &random)) }
        return Array(orders)
    }

    private static func inversions(of order: [Int]) -> Int {
        order.indices.reduce(0) { count, index in
            count + order[(index + 1)...].count { $0 < order[index] }
        }
    }
}
