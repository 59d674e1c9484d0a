import EventStore
import Synchronization
import Testing

@testable import EntitlementDomain
@testable import EntitlementService

/// Reads that are shared: one query for many, and none for those who must see what came after it began.
@Suite(.timeLimit(.minutes(1))) struct ReadFlightsTests {
    /// A read that ends when it is told to.
    private final class Gate: Sendable {
        private struct State {
            var count = 0
            var isOpen = false
            var waiting: [CheckedContinuation<Void, Never>] = []
        }

        private let state = Mutex(State())

        var count: Int { state.withLock { $0.count } }

        func pass() async -> AccountRead {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    state.count += 1
                    if !state.isOpen { state.waiting.append(continuation) }
                    return state.isOpen
                }
                if isOpen { continuation.resume() }
            }
            return AccountRead(
                answer: Answer(instant: Sample.day(0), entitlements: [], balances: [:], nextChangeAt: nil),
                position: LogPosition(epoch: 1, number: Int64(count)),
                json: []
            )
        }

        func open() {
            let waiting = state.withLock { state in
                state.isOpen = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    @Test func manyWhoAskForOneAccountCostOneRead() async throws {
        let flights = ReadFlights()
        let gate = Gate()
        let key = AnswerKey(Sample.account(1))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await flights.read(key) { await gate.pass() } } }
            group.addTask { _ = try await flights.read(AnswerKey(Sample.account(2))) { await gate.pass() } }
            #expect(await eventually { gate.count == 2 })
            gate.open()
            try await group.waitForAll()
        }
        // Whoever came when the first was over began another.
        #expect(gate.count >= 2 && gate.count < 21)
    }

    @Test func nobodyJoinsAReadThatBeganBeforeAChange() async throws {
        let flights = ReadFlights()
        let gate = Gate()
        let key = AnswerKey(Sample.account(1))
        async let before = flights.read(key) { await gate.pass() }
        #expect(await eventually { gate.count == 1 })
        flights.detach(key)
        async let after = flights.read(key) { await gate.pass() }
        #expect(await eventually { gate.count == 2 })
        flights.detachAll()
        async let last = flights.read(key) { await gate.pass() }
        #expect(await eventually { gate.count == 3 })
        gate.open()
        _ = try await (before, after, last)
    }

    @Test func aReadGoesOnWhenTheOneWhoAskedIsGone() async throws {
        let flights = ReadFlights()
        let gate = Gate()
        let key = AnswerKey(Sample.account(1))
        let first = Task { try await flights.read(key) { await gate.pass() } }
        #expect(await eventually { gate.count == 1 })
        first.cancel()
        async let second = flights.read(key) { await gate.pass() }
        gate.open()
        _ = try await second
    }
}

extension ReadFlights {
    /// Waits for what a read finds, which ends when the work does.
    fileprivate func read(
        _ key: AnswerKey,
        _ work: @escaping @Sendable () async -> AccountRead
    ) async throws -> AccountRead {
        let result = await withCheckedContinuation { continuation in
            read(key) {
                continuation.resume(returning: $0)
            } begin: { end in
                Task { end(.success(await work())) }
            }
        }
        return try result.get()
    }
}
