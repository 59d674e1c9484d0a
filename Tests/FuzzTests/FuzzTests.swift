import Foundation
import Fuzzing
import TestKit
import Testing

/// Everything that meets a stranger's bytes, against bytes that no client would send. The same targets are run by libFuzzer
/// (`make fuzz`).
@Suite(.timeLimit(.minutes(10))) struct FuzzTests {
    /// The seconds for each target: with `ENTITLED_LONG` half a minute.
    private static let seconds = ProcessInfo.processInfo.environment["ENTITLED_LONG"] == nil ? 0.2 : 30.0
    /// One input may take this long, on a machine that has other tests to run: ten times what any has ever needed there.
    private static let longest = Duration.seconds(60)

    @Test(arguments: FuzzTarget.allCases)
    func whateverComesIsAnsweredOrRefused(target: FuzzTarget) async throws {
        let seed = SeededGenerator.seedOfThisRun("FuzzTests \(target)")
        try await onOwnThread {
            #expect(!target.seeds.isEmpty)
            for input in target.seeds { try Self.run(target, input, seed) }
            var mutator = FuzzMutator(seeds: target.seeds, random: SeededGenerator(seed: seed))
            let end = ContinuousClock.now + .seconds(Self.seconds)
            var count = 0
            while ContinuousClock.now < end {
                try Self.run(target, mutator.next(), seed)
                count += 1
            }
            print("FuzzTests \(target): \(count) inputs")
        }
    }

    /// What fuzzing has found before, each with the target in its name: `json-1.bin`.
    @Test func whatWasFoundOnceIsFoundNoMore() async throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/Fuzz")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".bin") }
        try await onOwnThread {
            for name in names {
                let target = try #require(name.split(separator: "-").first.flatMap { FuzzTarget(rawValue: String($0)) })
                try Self.run(target, [UInt8](Data(contentsOf: folder.appending(path: name))), 0)
            }
        }
    }

    private static func run(_ target: FuzzTarget, _ input: [UInt8], _ seed: UInt64) throws {
        let start = ContinuousClock.now
        do {
            try target.run(input)
        } catch {
            throw Finding(what: "\(error)", target: target, input: input, seed: seed)
        }
        let duration = ContinuousClock.now - start
        if duration > longest {
            throw Finding(what: "took \(duration)", target: target, input: input, seed: seed)
        }
    }

    private struct Finding: Error, CustomStringConvertible {
        var what: String
        var target: FuzzTarget
        var input: [UInt8]
        var seed: UInt64

        var description: String {
            "\(target): \(what); ENTITLED_SEED=\(seed); input in base64: \(Data(input).base64EncodedString())"
        }
    }

    /// Fuzzing blocks its thread, which must not be one of Swift's pool.
    private func onOwnThread(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
