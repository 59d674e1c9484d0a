import Compression
import TestKit
import Testing

@Suite struct ZstandardDictionaryTests {
    private let dictionary: ZstandardDictionary

    init() throws {
        dictionary = try ZstandardDictionary(
            content: Array("the quick brown fox jumps over the lazy dog\n".utf8),
            level: 3
        )
    }

    @Test func bytesComeBack() throws {
        let seed = SeededGenerator.seedOfThisRun("bytesComeBack")
        var random = SeededGenerator(seed: seed)
        for length in [0, 1, 2, 255, 256, 257, 4_096, 100_000] {
            let bytes = (0..<length).map { _ in UInt8.random(in: 97...100, using: &random) }
            let frame = try dictionary.compress(bytes)
            #expect(try dictionary.decompress(frame.span, limit: length) == bytes, "seed \(seed), length \(length)")
        }
    }

    @Test func whatTheDictionaryKnowsTakesLittle() throws {
        let text = Array("the quick brown fox jumps over the lazy dog".utf8)
        #expect(try dictionary.compress(text).count < 24)
    }

    @Test func aContentOverTheLimitIsRefusedBeforeItIsMade() throws {
        let frame = try dictionary.compress([UInt8](repeating: 7, count: 1_000))
        #expect(throws: ZstandardError.self) { _ = try dictionary.decompress(frame.span, limit: 999) }
        #expect(try dictionary.decompress(frame.span, limit: 1_000).count == 1_000)
    }

    @Test func whatIsNoFrameIsRefused() throws {
        let frame = try dictionary.compress(Array("the quick brown fox".utf8))
        let cases: [[UInt8]] = [[], [1, 2, 3], Array(frame.dropLast()), frame + [0], Array("no frame at all".utf8)]
        for bytes in cases {
            #expect(throws: ZstandardError.self, "\(bytes)") { _ = try dictionary.decompress(bytes.span, limit: 100) }
        }
    }

    @Test func manyTasksMayUseItAtOnce() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<32 {
                group.addTask { [dictionary] in
                    for number in 0..<200 {
                        let bytes = Array("the lazy dog \(task) \(number)".utf8)
                        let frame = try dictionary.compress(bytes)
                        #expect(try dictionary.decompress(frame.span, limit: 100) == bytes)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
