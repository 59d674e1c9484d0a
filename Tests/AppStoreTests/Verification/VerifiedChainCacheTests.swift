import Simulator
import Testing
import X509

@testable import AppStore

@Suite struct VerifiedChainCacheTests {
    let fixture: VerificationFixture
    let now = VerificationFixture.now

    init() throws {
        fixture = try VerificationFixture.shared.get()
    }

    /// Statements under one chain whose headers differ, so that each takes a place of its own.
    private func statements(_ count: Int) throws -> [String] {
        try (0..<count).map { number in
            let header = StatementSigner.header(
                certificates: fixture.headerCertificates,
                extra: "\"kid\":\"\(number)\","
            )
            return try StatementSigner(header: header, key: fixture.chain.key).sign(VerificationFixture.payload())
        }
    }

    @Test func isBounded() throws {
        let verifier = try fixture.verifier { $0.chainCacheCapacity = 3 }
        for text in try statements(10) { _ = try verifier.verify(text, now: now) }
        #expect(verifier.cachedChainCount == 3)
    }

    @Test func canBeTurnedOff() throws {
        let verifier = try fixture.verifier { $0.chainCacheCapacity = 0 }
        let text = try statements(1)[0]
        for _ in 0..<2 { _ = try verifier.verify(text, now: now) }
        #expect(verifier.cachedChainCount == 0)
    }

    @Test func oneHeaderTakesOnePlace() throws {
        let verifier = try fixture.verifier()
        for number in 0..<5 {
            let text = try fixture.chain.signer.sign(VerificationFixture.payload("\"number\":\(number)"))
            _ = try verifier.verify(text, now: now)
        }
        #expect(verifier.cachedChainCount == 1)
    }

    @Test func theLeastRecentlyUsedGoesFirst() throws {
        let cache = VerifiedChainCache(capacity: 2, lifetime: .seconds(60))
        let headers = try (0..<3).map { try trustedHeader("header \($0)") }
        cache.insert(headers[0], now: 0)
        cache.insert(headers[1], now: 1)
        #expect(find(0, in: cache, now: 2) === headers[0])
        cache.insert(headers[2], now: 3)
        #expect(find(0, in: cache, now: 4) === headers[0])
        #expect(find(1, in: cache, now: 4) == nil)
        #expect(find(2, in: cache, now: 4) === headers[2])
    }

    @Test func anEntryEndsWithItsLifetimeHoweverOftenItIsUsed() throws {
        let cache = VerifiedChainCache(capacity: 2, lifetime: .seconds(900))
        let header = try trustedHeader("header 0")
        cache.insert(header, now: 1_000)
        for instant in stride(from: Int64(1_000), to: 901_000, by: 100_000) {
            #expect(find(0, in: cache, now: instant) === header)
        }
        #expect(find(0, in: cache, now: 900_999) === header)
        #expect(find(0, in: cache, now: 901_000) == nil)
        #expect(cache.count == 0)
    }

    @Test func aClockSetBackEndsAnEntry() throws {
        let cache = VerifiedChainCache(capacity: 2, lifetime: .seconds(900))
        cache.insert(try trustedHeader("header 0"), now: 1_000)
        #expect(find(0, in: cache, now: 999) == nil)
        cache.insert(try trustedHeader("header 1"), now: Int64.max)
        #expect(find(1, in: cache, now: Int64.min) == nil)
    }

    @Test func onlyExactlyTheSameTextIsFound() throws {
        let cache = VerifiedChainCache(capacity: 4, lifetime: .seconds(900))
        cache.insert(try trustedHeader("header 0"), now: 0)
        for other in ["header 1", "header ", "header 00", "", "Header 0"] {
            #expect(cache.header(for: Array(other.utf8).span, now: 0) == nil)
        }
    }

    @Test func forgeriesNeverComeIn() throws {
        let verifier = try fixture.verifier()
        let genuine = try fixture.chain.signer.sign(VerificationFixture.payload())
        let stranger = try ThrowawayChain.make(validity: VerificationFixture.validity)
        let thief = StatementSigner(certificates: fixture.headerCertificates, key: stranger.key)
        let forgeries = [
            try stranger.signer.sign(VerificationFixture.payload()),
            try thief.sign(VerificationFixture.payload()),
            try fixture.xcode.signer.sign(VerificationFixture.payload()),
            try fixture.chain.signer.sign(VerificationFixture.payload(signedDate: "1")),
            try fixture.chain.signer.sign([1]),
        ]
        for _ in 0..<2 {
            for forgery in forgeries {
                #expect(throws: VerificationError.self) { try verifier.verify(forgery, now: now) }
            }
        }
        #expect(verifier.cachedChainCount == 0)
        _ = try verifier.verify(genuine, now: now)
        for forgery in forgeries {
            #expect(throws: VerificationError.self) { try verifier.verify(forgery, now: now) }
        }
        #expect(verifier.cachedChainCount == 1)
    }

    @Test func forgeriesDoNotPushGenuineChainsOut() throws {
        let verifier = try fixture.verifier { $0.chainCacheCapacity = 1 }
        _ = try verifier.verify(fixture.chain.signer.sign(VerificationFixture.payload()), now: now)
        // Variations of the genuine header without the genuine key.
        let thief = try P256PrivateKey.generate()
        for number in 0..<5 {
            let header = StatementSigner.header(
                certificates: fixture.headerCertificates,
                extra: "\"kid\":\"\(number)\","
            )
            let text = try StatementSigner(header: header, key: thief).sign(VerificationFixture.payload())
            #expect(verificationError { _ = try verifier.verify(text, now: now) } == .badSignature)
        }
        #expect(verifier.cachedChainCount == 1)
    }

    @Test func answersManyThreadsAlike() async throws {
        let verifier = try fixture.verifier { $0.chainCacheCapacity = 2 }
        let texts = try statements(4)
        let forged = try texts.map { text in
            let segments = text.split(separator: ".")
            let other = try #require(
                String(validating: Base64URL.encode(VerificationFixture.payload("\"a\":1")), as: UTF8.self)
            )
            return "\(segments[0]).\(other).\(segments[2])"
        }
        let now = now
        await withTaskGroup(of: Bool.self) { group in
            for worker in 0..<8 {
                group.addTask {
                    (0..<20).allSatisfy { round in
                        let index = (worker + round) % texts.count
                        let good = verificationError { _ = try verifier.verify(texts[index], now: now) }
                        let bad = verificationError { _ = try verifier.verify(forged[index], now: now) }
                        return good == nil && bad == .badSignature
                    }
                }
            }
            for await allHold in group { #expect(allHold) }
        }
        #expect(verifier.cachedChainCount == 2)
    }

    private func trustedHeader(_ text: String) throws -> TrustedHeader {
        TrustedHeader(
            segment: Array(text.utf8).span,
            source: .xcode(fixture.xcode.certificate, fixture.xcode.key.publicKey)
        )
    }

    private func find(_ number: Int, in cache: VerifiedChainCache, now: Int64) -> TrustedHeader? {
        cache.header(for: Array("header \(number)".utf8).span, now: now)
    }
}
