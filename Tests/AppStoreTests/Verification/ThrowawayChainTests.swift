import AppStore
import Foundation
import Simulator
import Testing
import X509

@Suite struct ThrowawayChainTests {
    @Test func comesBackFromItsDirectory() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("entitled-\(UUID().uuidString)", isDirectory: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let chain = try ThrowawayChain.make(validity: VerificationFixture.validity)
        try chain.write(to: directory)
        try chain.write(to: directory)
        let copy = try ThrowawayChain(directory: directory)
        #expect(copy.root.certificate == chain.root.certificate)
        #expect(copy.leaf == chain.leaf)

        let roots = try Certificate.load(file: [UInt8](Data(contentsOf: ThrowawayChain.rootFile(in: directory))))
        let verifier = try SignedStatementVerifier(VerifierConfiguration(roots: roots))
        let payload = VerificationFixture.payload()
        #expect(try verifier.verify(copy.signer.sign(payload), now: VerificationFixture.now).payload == payload)
        let issued = try copy.intermediate.issue(
            CertificateTemplate(commonName: "Another", validity: VerificationFixture.validity),
            to: copy.key.key
        )
        #expect(issued.issuer == chain.intermediate.certificate.subject)

        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        for name in names where name.hasSuffix("-key.pem") {
            let path = directory.appendingPathComponent(name).path
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        }
        #expect(names.count == 6)
    }

    @Test func needsAllItsFiles() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("entitled-\(UUID().uuidString)", isDirectory: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        try ThrowawayChain.make(validity: VerificationFixture.validity).write(to: directory)
        try FileManager.default.removeItem(at: directory.appendingPathComponent("leaf-key.pem"))
        #expect(throws: (any Error).self) { try ThrowawayChain(directory: directory) }
    }
}
