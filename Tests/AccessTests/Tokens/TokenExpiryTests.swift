import EntitlementAPI
import EntitlementDomain
import EventStore
import Foundation
import JSON
import TestKit
import Testing

@testable import EntitlementService

/// How long a token may be believed: never beyond the next change that the clock alone brings.
struct TokenExpiryTests {
    private static let start = TestService.start

    /// Issues tokens over a service's store; waiting lets the service's clock run.
    private func tokens(_ service: TestService, _ ring: SigningKeyRing) -> Tokens {
        let clock = service.clock
        let reads = AccountReads(
            store: service.server.store,
            cache: AnswerCache(CacheConfiguration()),
            clock: { clock.now }
        )
        return Tokens(
            lookups: Lookups(reads: reads),
            keys: ring,
            issuer: "entitled",
            clock: { clock.now },
            pause: { clock.advance($0) }
        )
    }

    private func with(_ body: (TestService, SigningKeyRing) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let keys = SigningKeyDirectory(path: directory.path)
        _ = try keys.addKey(now: Self.start)
        let ring = SigningKeyRing(keys)
        await ring.refresh()
        try await TestService.with { try await body($0, ring) }
        withExtendedLifetime(directory) {}
    }

    private func issue(_ service: TestService, _ ring: SigningKeyRing, ttl: Int64 = 3_600) async throws
        -> VerifiedToken
    {
        let account = try #require(AccountID(TestService.account))
        let response = try await tokens(service, ring).issue(
            EntitlementsToken.Parameters(key: KeyParameters(subject: .account(account)), ttlSeconds: ttl)
        )
        let token = try VerifiedToken(response.token, keySet: JSONParser.parse(ring.keySet))
        #expect(token.claims["exp"]?.int64Value == response.expiresAt.milliseconds / 1_000)
        return token
    }

    struct Case: Sendable {
        /// The time within the second, in milliseconds, at which the token is asked for.
        var asked: Int64
        /// When access ends, in milliseconds of the same beginning.
        var change: Int64
        var ttl: Int64
        /// `iat` and `exp`, in seconds of the same beginning.
        var issued: Int64
        var expires: Int64
        /// Whether access is on in the token.
        var active: Bool
    }

    @Test(arguments: [
        // The time to live ends first; the change does; both at once.
        Case(asked: 0, change: 7_200_000, ttl: 3_600, issued: 0, expires: 3_600, active: true),
        Case(asked: 999, change: 7_200_000, ttl: 3_600, issued: 0, expires: 3_600, active: true),
        Case(asked: 0, change: 100_000, ttl: 3_600, issued: 0, expires: 100, active: true),
        Case(asked: 0, change: 100_999, ttl: 3_600, issued: 0, expires: 100, active: true),
        Case(asked: 500, change: 60_000, ttl: 60, issued: 0, expires: 60, active: true),
        // A second is left, to the millisecond: enough.
        Case(asked: 0, change: 1_000, ttl: 3_600, issued: 0, expires: 1, active: true),
        Case(asked: 1_000, change: 2_001, ttl: 3_600, issued: 1, expires: 2, active: true),
        // Less is left: the change is waited for, and the token says what is true then.
        Case(asked: 1, change: 1_000, ttl: 3_600, issued: 1, expires: 3_601, active: false),
        Case(asked: 200, change: 700, ttl: 3_600, issued: 0, expires: 3_600, active: false),
        Case(asked: 900, change: 1_100, ttl: 3_600, issued: 1, expires: 3_601, active: false),
        Case(asked: 100, change: 1_999, ttl: 3_600, issued: 1, expires: 3_601, active: false),
        // A short time to live is what was asked for, and the change lies beyond it.
        Case(asked: 900, change: 5_000, ttl: 1, issued: 0, expires: 1, active: true),
        Case(asked: 900, change: 1_500, ttl: 1, issued: 0, expires: 1, active: true),
        Case(asked: 900, change: 950, ttl: 1, issued: 0, expires: 1, active: false),
    ])
    func aTokenEndsWithItsAnswer(example: Case) async throws {
        try await with { service, ring in
            try await service.grant("pro", from: Self.start, to: Self.start.advanced(byMilliseconds: example.change))
            service.clock.set(Self.start.advanced(byMilliseconds: example.asked))
            let token = try await issue(service, ring, ttl: example.ttl)
            let beginning = Self.start.milliseconds / 1_000
            #expect(token.claims["iat"]?.int64Value == beginning + example.issued)
            #expect(token.claims["nbf"]?.int64Value == beginning + example.issued)
            #expect(token.claims["exp"]?.int64Value == beginning + example.expires)
            #expect(token.claims["entitlements"]?["pro"]?["active"]?.boolValue == example.active)
        }
    }

    @Test func aBeginningIsAChangeAsWell() async throws {
        try await with { service, ring in
            try await service.grant("pro", from: Self.start.advanced(byMilliseconds: 10_500), to: nil)
            let before = try await issue(service, ring)
            #expect(before.claims["entitlements"] == [:])
            #expect(before.claims["exp"]?.int64Value == Self.start.milliseconds / 1_000 + 10)
            service.clock.set(Self.start.advanced(byMilliseconds: 10_100))
            let after = try await issue(service, ring)
            #expect(after.claims["entitlements"]?["pro"]?["active"] == true)
        }
    }

    @Test func changesInQuickSuccessionAreNotWaitedForEndlessly() async throws {
        try await with { service, ring in
            for step in 1...8 {
                let from = Self.start.advanced(byMilliseconds: Int64(step) * 400)
                try await service.grant("pro", from: from, to: nil)
            }
            service.clock.set(Self.start.advanced(byMilliseconds: 300))
            let error = await #expect(throws: (any Error).self) { _ = try await issue(service, ring) }
            #expect("\(try #require(error))".contains("unavailable"))
        }
    }

    /// A token that a verifier takes says what the service says at that instant, whatever the histories.
    @Test func aValidTokenSaysWhatTheServiceSays() async throws {
        var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun("aValidTokenSaysWhatTheServiceSays"))
        try await with { service, ring in
            for entitlement in ["pro", "max"] {
                for _ in 0..<3 {
                    let from = Int64.random(in: 0...20_000, using: &random)
                    let to = from + Int64.random(in: 1...20_000, using: &random)
                    try await service.grant(
                        entitlement,
                        from: Self.start.advanced(byMilliseconds: from),
                        to: Self.start.advanced(byMilliseconds: to)
                    )
                }
            }
            for _ in 0..<40 {
                service.clock.set(
                    Self.start.advanced(byMilliseconds: Int64.random(in: 0...40_000, using: &random))
                )
                let token: VerifiedToken
                do {
                    token = try await issue(service, ring, ttl: Int64.random(in: 1...30, using: &random))
                } catch is VerifiedToken.Refusal {
                    throw VerifiedToken.Refusal(reason: "seed \(random.seed)")
                } catch {
                    continue  // too many changes within seconds
                }
                let issued = service.clock.now
                let end = try #require(token.claims["exp"]?.int64Value) * 1_000
                guard issued.milliseconds < end else { continue }
                for _ in 0..<4 {
                    let instant = Instant(milliseconds: Int64.random(in: issued.milliseconds..<end, using: &random))
                    #expect(token.isValid(at: instant))
                    let answer = try await service.result(
                        "entitlements.get",
                        ["account": .string(TestService.account), "at": .number(JSONNumber(instant.milliseconds))]
                    )
                    let live = (answer["entitlements"]?.arrayValue ?? []).map {
                        "\($0["entitlement"]?.stringValue ?? "") \($0["state"]?.stringValue ?? "")"
                    }
                    let signed = (token.claims["entitlements"]?.objectValue?.members ?? []).map {
                        "\($0.key) \($0.value["state"]?.stringValue ?? "")"
                    }
                    #expect(live == signed, "at \(instant.iso8601), issued \(issued.iso8601), seed \(random.seed)")
                }
            }
        }
    }
}
