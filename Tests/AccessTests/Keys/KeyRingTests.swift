import EntitlementAPI
import EntitlementDomain
import EventStore
import JSON
import Testing

@testable import EntitlementService

/// Who is let in, and what is remembered of it.
struct KeyRingTests {
    private func header(_ key: APIKey) -> String { "Bearer \(key.text)" }

    private func ring(_ service: TestService) -> KeyRing {
        let clock = service.clock
        return KeyRing(store: service.server.store) { clock.now }
    }

    /// The last use of a key as the database has it, in milliseconds after the start of the test's clock.
    private func lastUse(_ key: APIKey, _ service: TestService) async throws -> Int64? {
        let record = try #require(try await service.server.store.keys().first { $0.keyID == key.keyID })
        return record.lastUsedAt.map { $0.milliseconds - TestService.start.milliseconds }
    }

    @Test func aKeyOpensNothingFromItsExpiryOn() async throws {
        try await TestService.with { service in
            let key = try await service.addKey([.read], expiresAt: TestService.start.advanced(byMilliseconds: 1_000))
            let question: JSONValue = ["account": .string(TestService.account)]
            service.clock.advance(.milliseconds(999))
            #expect(try await service.call("entitlements.get", question, key: key)["result"] != nil)
            service.clock.advance(.milliseconds(1))
            let refused = try await service.call("entitlements.get", question, key: key)
            #expect(refused["error"]?["data"]?["reason"] == "unauthorized")
        }
    }

    @Test func twoKeysAreInForceWhileOneReplacesTheOther() async throws {
        try await TestService.with { service in
            let question: JSONValue = ["account": .string(TestService.account)]
            let old = try await service.addKey([.read])
            let new = try await service.addKey([.read])
            for key in [old, new] {
                #expect(try await service.call("entitlements.get", question, key: key)["result"] != nil)
            }
            #expect(try await service.revoke(old))
            try await service.server.prepare()
            let refused = try await service.call("entitlements.get", question, key: old)
            #expect(refused["error"]?["data"]?["reason"] == "unauthorized")
            #expect(try await service.call("entitlements.get", question, key: new)["result"] != nil)
        }
    }

    @Test func theLastUseIsWrittenAtMostOnceAMinute() async throws {
        try await TestService.with { service in
            let key = try await service.addKey([.read])
            let ring = ring(service)
            try await ring.refresh()
            #expect(ring.caller(authorization: header(key))?.scopes == [.read])
            // The request itself writes nothing.
            #expect(try await lastUse(key, service) == nil)
            try await ring.writeUses()
            #expect(try await lastUse(key, service) == 0)

            service.clock.advance(.milliseconds(59_999))
            _ = ring.caller(authorization: header(key))
            try await ring.refresh()
            try await ring.writeUses()
            #expect(try await lastUse(key, service) == 0)

            service.clock.advance(.milliseconds(1))
            _ = ring.caller(authorization: header(key))
            service.clock.advance(.seconds(30))
            try await ring.refresh()
            try await ring.writeUses()
            #expect(try await lastUse(key, service) == 60_000)
        }
    }

    @Test func otherInstancesDoNotWriteTheSameMinuteAgain() async throws {
        try await TestService.with { service in
            let key = try await service.addKey([.read])
            let (one, two) = (ring(service), ring(service))
            try await one.refresh()
            try await two.refresh()
            _ = one.caller(authorization: header(key))
            try await one.writeUses()
            service.clock.advance(.seconds(10))
            // This one has not read what the other wrote.
            _ = two.caller(authorization: header(key))
            try await two.writeUses()
            #expect(try await lastUse(key, service) == 0)
            // An older use does not go over a newer one.
            service.clock.advance(.seconds(120))
            _ = two.caller(authorization: header(key))
            try await two.writeUses()
            #expect(try await lastUse(key, service) == 130_000)
            try await one.writeUses()
            #expect(try await lastUse(key, service) == 130_000)
        }
    }

    @Test func aRefusedKeyCountsAsNoUse() async throws {
        try await TestService.with { service in
            let key = try await service.addKey([.read], expiresAt: TestService.start.advanced(byMilliseconds: 1))
            let ring = ring(service)
            try await ring.refresh()
            service.clock.advance(.seconds(1))
            #expect(ring.caller(authorization: header(key))?.scopes == nil)
            let forged = try #require(APIKey("ent_\(key.keyID)_secret"))
            #expect(ring.caller(authorization: header(forged))?.scopes == nil)
            try await ring.writeUses()
            #expect(try await lastUse(key, service) == nil)
        }
    }
}
