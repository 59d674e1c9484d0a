import Synchronization
import Testing

@testable import EntitlementService

@Suite struct RefreshedTests {
    @Test func aFreshValueIsGivenAgain() async {
        let count = Mutex(0)
        let value = Refreshed(for: .seconds(60)) {
            count.withLock { count in
                count += 1
                return count
            }
        }
        #expect(value.last == nil)
        #expect(await value.value(within: .seconds(10)) == 1)
        #expect(await value.value(within: .seconds(10)) == 1)
        #expect(value.last?.value == 1)
    }

    @Test func nobodyWaitsLongerThanTheLimitAndTheReadingGoesOn() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let count = Mutex(0)
        let value = Refreshed(for: .zero) {
            count.withLock { $0 += 1 }
            for await _ in stream { break }
            return 7
        }
        #expect(await value.value(within: .milliseconds(20)) == nil)
        #expect(await value.value(within: .milliseconds(20)) == nil)
        #expect(count.withLock { $0 } == 1, "two readings at a time")
        continuation.finish()
        #expect(await value.value(within: .seconds(10)) == 7)
    }
}
