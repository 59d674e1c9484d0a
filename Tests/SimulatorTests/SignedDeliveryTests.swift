import AppStore
import JSON
import Testing
import X509

@testable import Simulator

/// What the signed deliveries are to the verifier that the service uses.
@Suite struct SignedDeliveryTests {
    private static let verifier = Result {
        try SignedStatementVerifier(
            VerifierConfiguration(
                roots: [SignedText.signing.appStore.root.certificate],
                xcodeCertificates: [Certificate(der: SignedText.signing.xcodeCertificate)]
            )
        )
    }

    private func verify(_ text: JSONValue?) throws -> VerifiedStatement {
        try Self.verifier.get().verify(#require(text?.stringValue), now: 1_772_323_200_000)
    }

    private func signed(_ delivery: ScenarioDelivery) throws -> JSONValue {
        switch try SignedDelivery(delivery, signing: SignedText.signing).request {
        case .notification(let body): try #require(JSONParser.parse(body)["signedPayload"])
        case .call(let call): try #require(call.params["signedTransaction"])
        }
    }

    @Test func everyStatementOfTheFixturesIsGenuineUnlessItIsSpoiled() throws {
        var verified = 0
        for path in ScenarioFile.files(at: [Fixtures.folder]) {
            for delivery in try ScenarioFile.load(path)?.deliveries ?? [] {
                let request = try SignedDelivery(delivery, signing: SignedText.signing).request
                // A call that is no submission carries nothing signed.
                if case .call(let call) = request, call.method != "transactions.submit" { continue }
                let text = try signed(delivery)
                guard delivery.tamper == nil else {
                    #expect(throws: VerificationError.self) { try verify(text) }
                    continue
                }
                let statement = try verify(text)
                let environment = statement.json["data"]?["environment"] ?? statement.json["environment"]
                #expect(statement.trust == (environment == "Xcode" ? .xcode : .appStore))
                for key in ["signedTransactionInfo", "signedRenewalInfo"] {
                    guard let inner = statement.json["data"]?[key] else { continue }
                    _ = try verify(inner)
                    verified += 1
                }
                verified += 1
            }
        }
        #expect(verified > 200)
    }

    @Test(arguments: Tampering.allCases)
    func aSpoiledStatementFailsForItsReason(tamper: Tampering) throws {
        let delivery = try Fixtures.delivery(
            """
            { "id": "d1", "at": "2026-03-01T00:00:00Z", "tamper": "\(tamper.rawValue)",
              "notification": { "notificationType": "TEST" } }
            """
        )
        let text = try signed(delivery)
        let error = #expect(throws: VerificationError.self) { try verify(text) }
        switch (tamper, error) {
        case (.signature, .badSignature), (.payload, .badSignature), (.chain, .untrustedChain): break
        default: Issue.record("\(tamper) made \(String(describing: error))")
        }
    }

    @Test func aStatementOfXcodeIsVouchedForByItsOwnCertificate() throws {
        let delivery = try Fixtures.delivery(
            """
            { "id": "d1", "at": "2026-03-01T00:00:00Z", "notification": { "notificationType": "TEST",
              "environment": "Xcode", "transaction": { "transactionId": "0" } } }
            """
        )
        let statement = try verify(try signed(delivery))
        #expect(statement.trust == .xcode)
        #expect(try verify(statement.json["data"]?["signedTransactionInfo"]).trust == .xcode)
    }
}
