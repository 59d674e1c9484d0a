import Simulator
import TestKit
import Testing

@Suite struct DeliveryOrdersTests {
    @Test(arguments: [(0, 1), (1, 1), (2, 2), (3, 6), (4, 24), (5, 120), (6, 720)])
    func upToSixDeliveriesComeInEveryOrder(count: Int, expected: Int) {
        let orders = DeliveryOrders.orders(.all, count: count, seed: 1)
        #expect(orders.count == expected)
        #expect(Set(orders).count == expected)
        #expect(orders.allSatisfy { $0.sorted() == Array(0..<count) })
    }

    @Test(arguments: [7, 9, 20])
    func moreDeliveriesComeInTheListedOrderAndSevenHundredAndTwentyRandomOnes(count: Int) {
        let seed = SeededGenerator.seedOfThisRun("DeliveryOrdersTests")
        let orders = DeliveryOrders.orders(.all, count: count, seed: seed)
        #expect(orders.count == 721)
        #expect(Set(orders).count == 721)
        #expect(orders.first == Array(0..<count))
        #expect(orders.allSatisfy { $0.sorted() == Array(0..<count) })
        #expect(orders == DeliveryOrders.orders(.all, count: count, seed: seed))
        #expect(orders != DeliveryOrders.orders(.all, count: count, seed: seed &+ 1))
    }

    @Test func theListedOrderIsTheOnlyOneWhenAskedFor() {
        #expect(DeliveryOrders.orders(.listed, count: 3, seed: 1) == [[0, 1, 2]])
    }

    @Test func ordersNearTheListedOneComeFirst() {
        let orders = DeliveryOrders.orders(.all, count: 3, seed: 1)
        #expect(orders == [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    }
}
