import TestKit
import Testing
import X509

/// The table must never change an answer: the plain verification is the measure.
@Suite struct P256RepeatedVerifierTests {
    private static let digest = SHA256.hash([1, 2, 3])

    /// A verifier with its table made.
    private func verifier(for key: P256PrivateKey) throws -> P256RepeatedVerifier {
        let verifier = P256RepeatedVerifier(key.publicKey, threshold: 1)
        #expect(!verifier.hasTable)
        #expect(verifier.isValidSignature(try key.sign(digest: Self.digest), digest: Self.digest))
        #expect(verifier.hasTable)
        return verifier
    }

    @Test func makesItsTableAfterEnoughGoodSignatures() throws {
        let key = try P256PrivateKey.generate()
        let verifier = P256RepeatedVerifier(key.publicKey, threshold: 3)
        let good = try key.sign(digest: Self.digest)
        var bad = good
        bad[0] ^= 1
        for _ in 0..<10 { #expect(!verifier.isValidSignature(bad, digest: Self.digest)) }
        for _ in 0..<2 { #expect(verifier.isValidSignature(good, digest: Self.digest)) }
        #expect(!verifier.hasTable)
        #expect(verifier.isValidSignature(good, digest: Self.digest))
        #expect(verifier.hasTable)
    }

    @Test(arguments: P256Tests.publishedSignatures)
    func acceptsPublishedSignatures(message: String, signature: String) throws {
        let key = try #require(P256PublicKey(point: P256Tests.publishedKey))
        let verifier = P256RepeatedVerifier(key, threshold: 1)
        let digest = SHA256.hash(Array(message.utf8))
        for _ in 0..<2 { #expect(verifier.isValidSignature(bytes(hex: signature), digest: digest)) }
        #expect(verifier.hasTable)
        #expect(!verifier.isValidSignature(bytes(hex: signature), digest: Self.digest))
    }

    @Test func refusesEveryFlippedBit() throws {
        let key = try P256PrivateKey.generate()
        let verifier = try verifier(for: key)
        let signature = try key.sign(digest: Self.digest)
        for bit in 0..<512 {
            var spoiled = signature
            spoiled[bit / 8] ^= 1 << (bit % 8)
            #expect(!verifier.isValidSignature(spoiled, digest: Self.digest))
        }
        #expect(verifier.isValidSignature(signature, digest: Self.digest))
    }

    @Test func agreesOnNumbersAtTheEdges() throws {
        let key = try P256PrivateKey.generate()
        let verifier = try verifier(for: key)
        let zero = [UInt8](repeating: 0, count: 32)
        let highest = [UInt8](repeating: 0xFF, count: 32)
        let order = P256Tests.order
        let one = Array(zero.dropLast()) + [1]
        let belowOrder = Array(order.dropLast()) + [order[31] - 1]
        let edges = [zero, one, belowOrder, order, highest]
        let good = try key.sign(digest: Self.digest)
        for digest in try edges.map({ try #require(SHA256Digest(bytes: $0)) }) + [Self.digest] {
            for r in edges + [Array(good[..<32])] {
                for s in edges + [Array(good[32...])] {
                    #expect(
                        verifier.isValidSignature(r + s, digest: digest)
                            == key.publicKey.isValidSignature(r + s, digest: digest)
                    )
                }
            }
        }
    }

    @Test func verifiesDigestsAtTheEdges() throws {
        let key = try P256PrivateKey.generate()
        let verifier = try verifier(for: key)
        // Zero, and the order itself, leave nothing of the base point in the sum.
        for value in [[UInt8](repeating: 0, count: 32), P256Tests.order, [UInt8](repeating: 0xFF, count: 32)] {
            let digest = try #require(SHA256Digest(bytes: value))
            let signature = try key.sign(digest: digest)
            #expect(verifier.isValidSignature(signature, digest: digest))
            #expect(!verifier.isValidSignature(signature, digest: Self.digest))
        }
    }

    @Test func refusesSignaturesOfAnotherLength() throws {
        let key = try P256PrivateKey.generate()
        let verifier = try verifier(for: key)
        let good = try key.sign(digest: Self.digest)
        for spoiled in [[], Array(good.dropLast()), good + [0], [0] + good] {
            #expect(!verifier.isValidSignature(spoiled, digest: Self.digest))
        }
    }

    @Test func agreesWithThePlainWayOnRandomSignatures() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfThisRun("P256RepeatedVerifierTests"))
        for _ in 0..<3 {
            let key = try P256PrivateKey.generate()
            let verifier = try verifier(for: key)
            for _ in 0..<300 {
                let digest = SHA256.hash((0..<8).map { _ in UInt8.random(in: 0...255, using: &generator) })
                var signature = try key.sign(digest: digest)
                #expect(verifier.isValidSignature(signature, digest: digest))
                signature[Int.random(in: 0..<64, using: &generator)] ^= UInt8.random(in: 0...255, using: &generator)
                #expect(
                    verifier.isValidSignature(signature, digest: digest)
                        == key.publicKey.isValidSignature(signature, digest: digest)
                )
            }
        }
    }

    @Test func servesManyThreadsWhileTheTableIsMade() async throws {
        let key = try P256PrivateKey.generate()
        let verifier = P256RepeatedVerifier(key.publicKey, threshold: 40)
        let signature = try key.sign(digest: Self.digest)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    (0..<50).allSatisfy { _ in
                        verifier.isValidSignature(signature, digest: Self.digest)
                            && !verifier.isValidSignature(signature, digest: SHA256.hash([9]))
                    }
                }
            }
            for await allHold in group { #expect(allHold) }
        }
        #expect(verifier.hasTable)
    }
}
