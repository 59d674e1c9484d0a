import AppStore
import EntitlementDomain
import Foundation
import Simulator
import Testing
import X509

@Suite struct ReceiptVerifierTests {
    private let desk: ReceiptDesk

    init() throws { desk = try ReceiptDesk() }

    private static let month = ReceiptDesk.period("1001", from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z")

    private func outcome(
        _ text: String,
        change: (inout VerifierConfiguration) -> Void = { _ in }
    ) throws -> VerificationError? {
        let verifier = try desk.reader(change: change).verifier
        do throws(VerificationError) {
            _ = try verifier.verify(Array(text.utf8), now: ReceiptDesk.now)
            return nil
        } catch {
            return error
        }
    }

    private static func fixture(_ name: String) throws -> String {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try String(contentsOf: folder.appending(path: "Fixtures/Receipts/\(name)"), encoding: .utf8)
    }

    @Test(arguments: ["rsa-sha1.txt", "rsa-sha256-indefinite.txt"])
    func receiptsThatAnotherProgramSignedAreRead(name: String) throws {
        let root = try Certificate.load(pem: try Self.fixture("root.pem"))
        let reader = try desk.reader { $0.receiptRoots = root }
        let reading = try reader.read(try Self.fixture(name), now: ReceiptDesk.now)
        #expect(reading.environment == .sandbox)
        #expect(reading.receipt.createdAt == ReceiptDesk.date("2019-06-20T09:00:00Z"))
        #expect(reading.receipt.originalApplicationVersion == "1.0")
        let facts = reading.statements.compactMap(\.facts.transaction)
        #expect(facts.map(\.transactionID) == ["2000000000001", "2000000000002"])
        #expect(facts.map(\.webOrderLineItemID) == ["3000000000001", nil])
        #expect(facts.map(\.expiresAt) == [ReceiptDesk.date("2019-07-01T08:00:00Z"), nil])
        #expect(facts.map(\.quantity) == [1, 3])
        // Its root is nobody's whom the service trusts.
        #expect(try outcome(try Self.fixture(name)) == .untrustedChain(.unknownRoot))
    }

    @Test func theRootsOfReceiptsAreApplesAndThoseOfTheOperator() {
        let own = desk.desk.chain.root.certificate
        #expect(VerifierConfiguration().receiptRoots == AppleRoots.receipts)
        let configuration = VerifierConfiguration(roots: AppleRoots.appStore + [own])
        #expect(configuration.receiptRoots == AppleRoots.receipts + [own])
    }

    @Test(arguments: SignatureDigest.allCases, MessageSigner.Encoding.allCases)
    func everyDigestAndEncodingIsAccepted(digest: SignatureDigest, encoding: MessageSigner.Encoding) throws {
        let signer = desk.desk.chain.receiptSigner(digest: digest, encoding: encoding)
        #expect(try outcome(try signer.sign(ReceiptDesk.receipt(Self.month))) == nil)
    }

    @Test func strangersAreNotBelieved() throws {
        let receipt = ReceiptDesk.receipt(Self.month)
        let foreign = try desk.desk.foreignChain.receiptSigner().sign(receipt)
        // Its authorities bear the same names, and other keys.
        guard case .untrustedChain? = try outcome(foreign) else {
            Issue.record("\(String(describing: try outcome(foreign)))")
            return
        }
        // A leaf of the right chain without the marker, as every developer may have one.
        let key = try P256PrivateKey.generate()
        let chain = desk.desk.chain
        let developer = try chain.intermediate.issue(
            CertificateTemplate(commonName: "Developer", validity: chain.leaf.validity),
            to: key.key
        )
        let unmarked = ThrowawayChain(root: chain.root, intermediate: chain.intermediate, leaf: developer, key: key)
        #expect(try outcome(try unmarked.receiptSigner().sign(receipt)) == .untrustedChain(.missingMarker(.leaf)))
        // That developer as an authority of its own, with markers, one level below the real one.
        let forger = CertificateIssuer(certificate: developer, key: key.key)
        let forgedKey = try P256PrivateKey.generate()
        let forgedLeaf = try forger.issue(
            CertificateTemplate(
                commonName: "Forged Signer",
                validity: chain.leaf.validity,
                markers: [CertificateTemplate.Marker(oid: StatementMarker.leaf)]
            ),
            to: forgedKey.key
        )
        let shifted = ReceiptSigner(
            MessageSigner(
                certificate: forgedLeaf,
                key: forgedKey.key,
                others: [developer, chain.intermediate.certificate, chain.root.certificate]
            )
        )
        #expect(try outcome(try shifted.sign(receipt)) == .untrustedChain(.missingMarker(.intermediate)))
        // The root in the receipt itself counts for nothing, and the intermediate must come along.
        let alone = ReceiptSigner(MessageSigner(certificate: chain.leaf, key: chain.key.key, others: []))
        #expect(try outcome(try alone.sign(receipt)) == .unknownXcodeCertificate)
    }

    @Test func certificatesMustHaveBeenValidWhenTheReceiptWasCreated() throws {
        let signer = desk.desk.expiredChain.receiptSigner()
        func created(_ date: String) -> AppReceipt {
            ReceiptDesk.receipt(Self.month) { $0.createdAt = ReceiptDesk.date(date) }
        }
        #expect(try outcome(try signer.sign(created("2026-03-15T00:00:00Z"))) == .certificateExpired(.leaf))
        #expect(try outcome(try signer.sign(created("2025-03-15T00:00:00Z"))) == nil)
        #expect(try outcome(try signer.sign(created("2023-03-15T00:00:00Z"))) == .certificateNotYetValid(.leaf))
    }

    @Test func whatIsNoReceiptIsNamed() throws {
        let good = try desk.sign(ReceiptDesk.receipt(Self.month))
        for text in ["", "!", "AAA", String(good.dropLast(2)), "a.b.c", String(good.dropLast(8))] {
            guard case .malformed? = try outcome(text) else {
                Issue.record("\(text.prefix(20)): \(String(describing: try outcome(text)))")
                continue
            }
        }
        #expect(
            try outcome(good) { $0.maximumReceiptBytes = good.utf8.count - 1 } == .tooLarge(limit: good.utf8.count - 1)
        )
        // A genuine signature over something else.
        let signer = desk.desk.chain.receiptSigner()
        for payload in [[], [0x31, 0x05], [0x30, 0x00], Array("{}".utf8), [0x31, 0x03, 0x02, 0x01, 0x00]] {
            guard case .malformed? = try outcome(try signer.sign(payload: payload)) else {
                Issue.record("\(payload)")
                continue
            }
        }
    }
}
