import EntitlementDomain
import EventStore
import JSON
import Simulator
import TestKit
import Testing

/// What was answered at a position is what `knownAt` answers of it ever after, in every read, whatever was recorded since:
/// then the answers came from the projections, now they come from a fold of the log that is cut there.
@Suite struct KnownAtPropertyTests {
    private static let accounts = [Samples.account, Samples.otherAccount]
    private static let lines = ["1001", "1002", "1003", "1004"]
    private static let start = Samples.date("2026-03-01T00:00:00Z")

    /// A question with its answer, as it was when the log ended at a position.
    private struct Memory {
        var method: String
        var params: JSONObject
        var answer: JSONValue
        var position: LogPosition
        var time: Instant
    }

    @Test func answersOfTheCutAreTheAnswersOfThatTime() async throws {
        let service = try await TestService.make()
        var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun("KnownAtPropertyTests"))
        var story = RandomCalls(accounts: Self.accounts, lines: Self.lines)
        var memories: [Memory] = []
        for step in 1...25 {
            // Each step has its own second, so that a time names one cut.
            let now = Instant(milliseconds: Self.start.milliseconds + Int64(step) * 86_400_000)
            service.setClock(now.iso8601)
            await story.takeStep(service, now: now, &random)
            let position = try await service.store.position()
            let at = Instant(
                milliseconds: Self.start.milliseconds + Int64.random(in: -5...90, using: &random) * 86_400_000
            )
            for (method, params) in Self.questions(at: at, &random) {
                let answer = try await service.call(method, .object(params))
                memories.append(
                    Memory(method: method, params: params, answer: answer, position: position, time: now)
                )
            }
        }
        #expect(Set(memories.map(\.position.number)).count > 10, "the story moved the log")
        for memory in memories {
            let byTime = Bool.random(using: &random)
            let knownAt = byTime ? memory.time.iso8601 : memory.position.description
            var params = memory.params
            params.set("knownAt", .string(knownAt))
            let answer = try await service.call(memory.method, .object(params))
            #expect(answer == memory.answer, "seed \(random.seed): \(memory.method) \(JSONValue.object(params))")
        }
        try await service.close()
    }

    /// Every read, about keys drawn at random.
    private static func questions(at: Instant, _ random: inout SeededGenerator) -> [(String, JSONObject)] {
        let instant = JSONValue.string(at.iso8601)
        var questions: [(String, JSONObject)] = [
            ("entitlements.getMany", ["accounts": .array(accounts.map { .string($0) }), "at": instant])
        ]
        let methods = [
            "entitlements.get", "entitlements.check", "entitlements.explain", "subscriptions.status", "purchases.list",
            "balances.get", "events.list",
        ]
        for method in methods {
            var params: JSONObject =
                Bool.random(using: &random)
                ? ["account": .string(accounts.randomElement(using: &random) ?? "")]
                : ["originalTransactionId": .string(lines.randomElement(using: &random) ?? "")]
            params.set("at", instant)
            if method == "entitlements.check" { params.set("entitlement", "pro") }
            if method == "events.list" {
                params.set("limit", .number(JSONNumber(Int64.random(in: 1...20, using: &random))))
            }
            questions.append((method, params))
        }
        return questions
    }
}
