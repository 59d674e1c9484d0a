import Synchronization
import Testing

@testable import EntitlementService

@Suite struct LogSinkTests {
    @Test func aReaderThatStopsReadingHoldsNobodyUpAndCostsBoundedMemory() async throws {
        let gate = Mutex(())
        let written = Mutex<[UInt8]>([])
        let isBlocked = Atomic(true)
        let sink = LogSink(limit: 1_000) { lines in
            while isBlocked.load(ordering: .acquiring) { gate.withLock { _ in } }
            written.withLock { $0 += lines }
        }
        let line = Array((String(repeating: "x", count: 99) + "\n").utf8)
        let started = ContinuousClock.now
        for _ in 0..<1_000 { sink.add(line) { Array("\($0) missing\n".utf8) } }
        #expect(ContinuousClock.now - started < .seconds(5))
        // The first lines may be with the writer already when the limit begins to count.
        let taken = sink.counts.written
        #expect((10...20).contains(taken))
        #expect(sink.counts.dropped == 1_000 - taken)
        isBlocked.store(false, ordering: .releasing)
        await sink.flush(within: .seconds(10))
        sink.add(line) { Array("\($0) missing\n".utf8) }
        await sink.flush(within: .seconds(10))
        let lines = written.withLock { String(decoding: $0, as: UTF8.self) }.split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("x") }.count == Int(taken) + 1)
        let missing = lines.filter { $0.hasSuffix(" missing") }.compactMap { Int($0.prefix { $0 != " " }) }
        #expect(missing.reduce(0, +) == 1_000 - Int(taken))
    }
}
