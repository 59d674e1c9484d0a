import TestKit
import Testing

@testable import Postgres

@Suite struct PoolStateMachineTests {
    private typealias Machine = PoolStateMachine<Int, Int>

    @Test func makesSessionsOnlyWhenNoneIsFree() {
        var machine = Machine(limit: 3)
        #expect(machine.leaseFree() == 0)
        #expect(machine.leaseFree() == 1)
        guard case .park = machine.release(slot: 0) else { return #expect(Bool(false)) }
        #expect(machine.leaseFree() == 0)
        #expect(machine.usedCount == 2)
        #expect(machine.leaseFree() == 2)
        #expect(machine.leaseFree() == nil)
    }

    @Test func aReturnedSessionGoesToWhoWaitedLongest() {
        var machine = Machine(limit: 1)
        #expect(machine.leaseFree() == 0)
        for waiter in [10, 11, 12] { _ = machine.acquire(deadline: 100, waiter) }
        var served: [Int] = []
        while case .handOver(let waiter, let slot) = machine.release(slot: 0) {
            #expect(slot == 0)
            served.append(waiter)
        }
        #expect(served == [10, 11, 12])
    }

    @Test func oneTimerServesAllWaiters() {
        var machine = Machine(limit: 1)
        _ = machine.leaseFree()
        func timer(_ deadline: Int) -> Int? {
            guard case .wait(_, let timer) = machine.acquire(deadline: deadline, deadline) else { return -1 }
            return timer
        }
        #expect(timer(50) == 50)
        #expect(timer(60) == nil)
        #expect(timer(40) == 40)
        let first = machine.expire(now: 50)
        #expect(first.expired == [50, 40])
        #expect(first.timer == 60)
        let second = machine.expire(now: 60)
        #expect(second.expired == [60])
        #expect(second.timer == nil)
        #expect(timer(70) == 70)
    }

    @Test func afterCloseNobodyIsServed() {
        var machine = Machine(limit: 2)
        _ = machine.leaseFree()
        _ = machine.leaseFree()
        _ = machine.release(slot: 1)
        _ = machine.leaseFree()
        _ = machine.acquire(deadline: 1, 7)
        #expect(machine.close() == [7])
        guard case .retire(isLast: false) = machine.release(slot: 0) else { return #expect(Bool(false)) }
        #expect(machine.leaseFree() == nil)
        guard case .retire(isLast: true) = machine.release(slot: 1) else { return #expect(Bool(false)) }
        guard case .refuse = machine.acquire(deadline: 1, 8) else { return #expect(Bool(false)) }
    }

    /// Random histories against a plain model: nobody overtakes, nobody is lost or served twice, no session has two
    /// users, and none lies idle while somebody waits.
    @Test func everyHistoryIsFairAndLosesNobody() {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfThisRun("PoolStateMachineTests"))
        for _ in 0..<300 {
            let limit = Int.random(in: 1...4, using: &generator)
            var machine = Machine(limit: limit)
            var queue: [(waiter: Int, id: UInt64, deadline: Int)] = []
            var leased: Set<Int> = []
            var now = 0
            var next = 0
            for _ in 0..<400 {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<4:
                    let deadline = now + Int.random(in: 1...30, using: &generator)
                    switch machine.acquire(deadline: deadline, next) {
                    case .lease(let slot):
                        #expect(queue.isEmpty)
                        #expect(slot < limit)
                        #expect(leased.insert(slot).inserted)
                    case .wait(let id, _):
                        #expect(leased.count == limit)
                        queue.append((next, id, deadline))
                    case .refuse: Issue.record("refused while open")
                    }
                    next += 1
                case 4..<8:
                    guard let slot = leased.randomElement(using: &generator) else { continue }
                    switch machine.release(slot: slot) {
                    case .handOver(let waiter, let same):
                        #expect(same == slot)
                        #expect(waiter == queue.first?.waiter)
                        if !queue.isEmpty { queue.removeFirst() }
                    case .park:
                        #expect(queue.isEmpty)
                        leased.remove(slot)
                    case .retire: Issue.record("closed while open")
                    }
                case 8:
                    guard let index = queue.indices.randomElement(using: &generator) else { continue }
                    let entry = queue.remove(at: index)
                    #expect(machine.cancel(id: entry.id) == entry.waiter)
                    #expect(machine.cancel(id: entry.id) == nil)
                default:
                    now += Int.random(in: 1...10, using: &generator)
                    let (expired, timer) = machine.expire(now: now)
                    #expect(expired == queue.filter { $0.deadline <= now }.map { $0.waiter })
                    queue.removeAll { $0.deadline <= now }
                    #expect(timer == queue.map { $0.deadline }.min())
                }
                #expect(machine.leasedCount == leased.count)
                #expect(machine.waitingCount == queue.count)
                #expect(machine.usedCount <= limit)
                #expect(machine.idleCount == limit - leased.count)
            }
        }
    }
}
