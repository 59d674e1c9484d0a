import EntitlementDomain
import Foundation
import JSON
import Testing
import X509

@testable import EntitlementService

/// Rotation without downtime: what is in the directory, what is published, what signs.
struct SigningKeyDirectoryTests {
    private let directory: TemporaryDirectory
    private let keys: SigningKeyDirectory
    private let ring: SigningKeyRing
    private let start = TestService.start

    init() throws {
        directory = try TemporaryDirectory()
        keys = SigningKeyDirectory(path: directory.path)
        ring = SigningKeyRing(keys)
    }

    private func published() throws -> Set<String> {
        Set(try JSONParser.parse(ring.keySet)["keys"]?.arrayValue?.compactMap { $0["kid"]?.stringValue } ?? [])
    }

    private func after(_ seconds: Int64) -> Instant { start.advanced(byMilliseconds: seconds * 1_000) }

    @Test(arguments: [
        ("20260401T000000Z-abcdef.pem", "2026-04-01T00:00:00.000Z"),
        ("20260401T000000Z.pem", "2026-04-01T00:00:00.000Z"),
        ("20240229T235959Z-x-y.z.pem", "2024-02-29T23:59:59.000Z"), ("key.pem", "0001-01-01T00:00:00.000Z"),
        ("20260401.pem", nil), ("20261301T000000Z.pem", nil), ("20260401T000000.pem", nil), ("2key.pem", nil),
        ("20260401T000000Zx.pem", nil), ("2026０401T00000Z.pem", nil),
    ])
    func aNameSaysFromWhenOnItsKeySigns(name: String, time: String?) {
        #expect(SigningKeyDirectory.signsFrom(name)?.iso8601 == time)
    }

    @Test func theFirstKeySignsAtOnce() async throws {
        let key = try keys.addKey(now: start.advanced(byMilliseconds: 1))
        await ring.refresh()
        #expect(ring.signer(at: start.advanced(byMilliseconds: 1))?.keyID == key.keyID)
        #expect(try published() == [key.keyID])
    }

    @Test func aNewKeyIsPublishedBeforeItSignsAndAnOldOneAfterwards() async throws {
        let old = try keys.addKey(now: start)
        let new = try keys.addKey(now: after(60))
        await ring.refresh()
        #expect(new.signsFrom == after(660))
        #expect(try published() == [old.keyID, new.keyID])
        #expect(ring.signer(at: after(60))?.keyID == old.keyID)
        #expect(ring.signer(at: after(660).advanced(byMilliseconds: -1))?.keyID == old.keyID)
        #expect(ring.signer(at: after(660))?.keyID == new.keyID)
        #expect(try published() == [old.keyID, new.keyID])
    }

    @Test func anotherOverlapMayBeAskedFor() throws {
        _ = try keys.addKey(now: start)
        #expect(try keys.addKey(now: start, overlap: .seconds(0)).signsFrom == start)
        #expect(try keys.addKey(now: start, overlap: .seconds(3_600)).signsFrom == after(3_600))
    }

    @Test func aKeyIsWithdrawnWithItsFile() async throws {
        let old = try keys.addKey(now: start)
        let new = try keys.addKey(now: start)
        try directory.remove(old.fileName)
        await ring.refresh()
        #expect(try published() == [new.keyID])
        // Its time has not come, but there is no other.
        #expect(ring.signer(at: start)?.keyID == new.keyID)
    }

    @Test func aKeyOfAnyOtherNameSignsUntilADatedOneDoes() async throws {
        try directory.write(Ed25519PrivateKey.generate().pem(), to: "mine.pem")
        await ring.refresh()
        let mine = try #require(ring.signer(at: start))
        let dated = try keys.addKey(now: start)
        await ring.refresh()
        #expect(ring.signer(at: start)?.keyID == mine.keyID)
        #expect(ring.signer(at: dated.signsFrom)?.keyID == dated.keyID)
    }

    @Test func aFaultyFileIsReportedAndTheOthersAreUsed() async throws {
        let key = try keys.addKey(now: start)
        try directory.write("nothing", to: "a.pem")
        try directory.write(P256PrivateKey.generate().pem(), to: "b.pem")
        try directory.write(Ed25519PrivateKey.generate().pem(), to: "2027.pem")
        try directory.write(Ed25519PrivateKey.generate().pem(), to: ".hidden.pem")
        try directory.write("not looked at", to: "README")
        let contents = keys.read()
        #expect(contents.keys.map(\.keyID) == [key.keyID])
        #expect(contents.problems.count == 3)
        for name in ["a.pem", "b.pem", "2027.pem"] {
            #expect(contents.problems.contains { $0.contains("/\(name) ") }, "\(contents.problems)")
        }
        await ring.refresh()
        #expect(try published() == [key.keyID])
    }

    @Test func aDirectoryThatIsGoneForAMomentChangesNothing() async throws {
        let key = try keys.addKey(now: start)
        await ring.refresh()
        let moved = directory.url.appendingPathExtension("moved")
        try FileManager.default.moveItem(at: directory.url, to: moved)
        await ring.refresh()
        #expect(ring.signer(at: start)?.keyID == key.keyID)
        try FileManager.default.moveItem(at: moved, to: directory.url)
        try directory.remove(key.fileName)
        await ring.refresh()
        #expect(ring.signer(at: start) == nil)
        #expect(try published() == [])
    }

    @Test func onlyTheOwnerCanReadAKeyThatWasMade() throws {
        let path = directory.url.appendingPathComponent("new")
        let key = try SigningKeyDirectory(path: path.path).addKey(now: start)
        func permissions(_ url: URL) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        }
        #expect(try permissions(path) == 0o700)
        #expect(try permissions(path.appendingPathComponent(key.fileName)) == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path.path) == [key.fileName])
    }

    @Test func aFileMayGoADayAfterANewerKeyHasBegunToSign() throws {
        let old = try keys.addKey(now: start)
        let new = try keys.addKey(now: start)
        let last = try keys.addKey(now: start, overlap: .seconds(86_400))
        #expect(last.signsFrom == after(86_400))
        let contents = keys.read()
        #expect(contents.keys.map(\.keyID) == [old.keyID, new.keyID, last.keyID])
        #expect(contents.replaceable(at: new.signsFrom) == [])
        #expect(contents.replaceable(at: after(86_400 + 599)) == [])
        #expect(contents.replaceable(at: after(86_400 + 600)) == [old.fileName])
        #expect(contents.replaceable(at: after(2 * 86_400)) == [old.fileName, new.fileName])
    }
}
