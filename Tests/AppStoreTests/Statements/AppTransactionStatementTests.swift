import AppStore
import EntitlementDomain
import JSON
import Simulator
import Testing

struct AppTransactionStatementTests {
    let desk: SigningDesk

    init() throws {
        desk = try SigningDesk.shared.get()
    }

    private func text(_ changes: [String: JSONValue?] = [:], as signer: StatementSigner? = nil) throws -> String {
        var payload: JSONObject = [
            "receiptType": "Production", "bundleId": "com.example.app", "appAppleId": 1_234_567_890,
            "originalApplicationVersion": "1.0", "originalPurchaseDate": 1_600_000_000_000,
            "receiptCreationDate": JSONValue(SigningDesk.signedAt),
        ]
        for (key, value) in changes { payload[key] = value }
        return try desk.sign(payload, as: signer)
    }

    private func read(_ text: String, acceptsXcode: Bool = false) throws -> Statement {
        try desk.reader(acceptsXcode: acceptsXcode).readAppTransaction(
            signedAppTransaction: text,
            now: SigningDesk.now
        ).statement
    }

    @Test func anAppTransactionIsAStatementWithoutFacts() throws {
        let text = try text()
        let (statement, content) = try desk.reader().readAppTransaction(
            signedAppTransaction: text,
            now: SigningDesk.now
        )
        #expect(content.originalApplicationVersion == "1.0")
        #expect(content.originalPurchasedAt?.milliseconds == 1_600_000_000_000)
        #expect(statement.environment == .production)
        #expect(statement.bundleID == "com.example.app")
        #expect(statement.line == nil)
        #expect(statement.facts == StatementFacts(namedType: .received))
        #expect(statement.signedAt.milliseconds == SigningDesk.signedAt)
        #expect(statement.identity.bytes.count == 32)
        #expect(statement.evidence == [Array(text.utf8)])
        let payload = try JSONParser.parse(statement.payload)
        #expect(payload["appTransaction"]?["originalApplicationVersion"] == "1.0")
    }

    @Test func aForeignAppOrEnvironmentIsRefused() throws {
        #expect(try refusal { try read(try text(["bundleId": "com.foreign"])) } == .wrongBundle)
        #expect(try refusal { try read(try text(["bundleId": nil])) } == .wrongBundle)
        #expect(try refusal { try read(try text(["appAppleId": 99])) } == .wrongBundle)
        #expect(try refusal { try read(try text(["appAppleId": nil])) } == nil)
        #expect(try refusal { try read(try text(["appAppleId": 0, "receiptType": "Sandbox"])) } == nil)
        #expect(try refusal { try read(try text(["receiptType": "Staging"])) } == .wrongEnvironment)
        #expect(try refusal { try read(try text(["receiptType": nil])) } == .wrongEnvironment)
        #expect(try refusal { try read(try text(["receiptType": "Xcode"])) } == .wrongEnvironment)
    }

    @Test func aForgeryIsRefused() throws {
        #expect(try refusal { try read(SigningDesk.tampered(try text())) } == .invalidSignature)
        #expect(try refusal { try read(try text(as: desk.foreignChain.signer)) } == .invalidChain)
    }

    @Test func xcodesCertificateVouchesForXcodeAlone() throws {
        let xcode = try text(["receiptType": "Xcode", "appAppleId": nil], as: desk.xcode.signer)
        #expect(try read(xcode, acceptsXcode: true).environment == .xcode)
        #expect(try refusal { try read(xcode) } == .invalidChain)
        let production = try text(as: desk.xcode.signer)
        #expect(try refusal { try read(production, acceptsXcode: true) } == .invalidChain)
    }
}
