import AppStore
import EntitlementDomain
import JSON
import Simulator
import Testing

/// Which apps and environments notifications may be of, and under whose signature.
struct NotificationAcceptanceTests {
    let desk: SigningDesk

    init() throws {
        desk = try SigningDesk.shared.get()
    }

    private func read(
        _ text: String,
        environments: Set<StoreEnvironment> = [.production, .sandbox],
        acceptsXcode: Bool = false
    ) throws -> Statement {
        let reader = try desk.reader(environments: environments, acceptsXcode: acceptsXcode)
        return try reader.readNotification(signedPayload: text, now: SigningDesk.now)
    }

    private static let xcode: [String: JSONValue?] = ["environment": "Xcode"]

    @Test(arguments: ["data", "summary", "externalPurchaseToken", "appData"])
    func eachKindOfBodyNamesItsApp(key: String) throws {
        func text(_ bundleID: JSONValue?, _ appleID: JSONValue?) throws -> String {
            var body: JSONObject = ["environment": "Production", "externalPurchaseId": "x"]
            body["bundleId"] = bundleID
            body["appAppleId"] = appleID
            return try desk.sign(desk.envelope(nil, [key: .object(body)]))
        }
        let ours = try read(try text("com.example.app", 1_234_567_890))
        #expect(ours.bundleID == "com.example.app")
        #expect(ours.environment == .production)
        #expect(ours.facts == StatementFacts(namedType: .received))
        #expect(try refusal { try read(try text("com.example.app", nil)) } == nil)
        #expect(try refusal { try read(try text("com.example.other", 5)) } == nil)
        #expect(try refusal { try read(try text("com.foreign", 1_234_567_890)) } == .wrongBundle)
        #expect(try refusal { try read(try text(nil, 1_234_567_890)) } == .wrongBundle)
        #expect(try refusal { try read(try text("com.example.app", 99)) } == .wrongBundle)
    }

    @Test func theAppleIDIsComparedInProductionOnly() throws {
        let changes: [String: JSONValue?] = ["environment": "Sandbox"]
        let text = try desk.notification(
            transaction: changes,
            renewalInfo: changes,
            data: ["environment": "Sandbox", "appAppleId": 0]
        )
        #expect(try read(text).line?.environment == .sandbox)
        let production = try desk.notification(data: ["appAppleId": 0])
        #expect(try refusal { try read(production) } == .wrongBundle)
    }

    @Test func theFirstBodyThatIsThereCounts() throws {
        let text = try desk.notification(
            envelope: ["summary": ["bundleId": "com.foreign", "environment": "Production"]]
        )
        #expect(try read(text).bundleID == "com.example.app")
    }

    @Test(arguments: [("SANDBOX_1", StoreEnvironment.sandbox), ("c0ffee", .production)])
    func anExternalPurchaseTokenIsKeptUnderItsEnvironment(id: String, expected: StoreEnvironment) throws {
        let token: JSONValue = ["externalPurchaseId": .string(id), "bundleId": "com.example.app"]
        let text = try desk.sign(desk.envelope(nil, ["externalPurchaseToken": token]))
        #expect(try read(text).environment == expected)
    }

    @Test(arguments: ["Staging", "Xcode", "LocalTesting", "Sandbox", "production"])
    func anEnvironmentThatIsNotAcceptedIsKeptAndGivesNothing(environment: String) throws {
        let changes: [String: JSONValue?] = ["environment": .string(environment)]
        let text = try desk.notification(transaction: changes, renewalInfo: changes, data: changes)
        // Xcode and LocalTesting under the App Store's chain give nothing even to who lists them.
        let statement = try read(
            text,
            environments: [.production, .xcode, StoreEnvironment(rawValue: "LocalTesting")],
            acceptsXcode: true
        )
        #expect(statement.environment == StoreEnvironment(rawValue: environment))
        #expect(statement.facts == StatementFacts(namedType: .received))
        #expect(statement.line == nil)
        #expect(statement.notificationType == "SUBSCRIBED")
        #expect(statement.identity.bytes.count == 16)
        let payload = try JSONParser.parse(statement.payload)
        #expect(payload["transaction"]?["transactionId"] == "1001")
    }

    @Test func aMissingEnvironmentGivesNothing() throws {
        let changes: [String: JSONValue?] = ["environment": nil]
        let statement = try read(try desk.notification(transaction: changes, renewalInfo: changes, data: changes))
        #expect(statement.environment.rawValue == "")
        #expect(statement.facts == StatementFacts(namedType: .received))
    }

    @Test func aForeignAppIsRefusedBeforeItsEnvironmentIsLookedAt() throws {
        let text = try desk.notification(data: ["bundleId": "com.foreign", "environment": "Staging"])
        #expect(try refusal { try read(text) } == .wrongBundle)
    }

    @Test func xcodesNotificationsAreReadBehindTheSwitch() throws {
        let text = try desk.notification(
            transaction: Self.xcode,
            renewalInfo: Self.xcode,
            data: Self.xcode,
            as: desk.xcode.signer
        )
        let statement = try read(text, acceptsXcode: true)
        #expect(statement.environment == .xcode)
        #expect(statement.line?.environment == .xcode)
        #expect(statement.facts.namedType == .purchased)
        // It must not use up the identity of the App Store's notification of that UUID.
        #expect(statement.identity.bytes.count == 32)
        #expect(try refusal { try read(text, acceptsXcode: false) } == .invalidChain)
        #expect(try refusal { try read(text, environments: [.production, .xcode]) } == .invalidChain)
    }

    @Test(arguments: ["Production", "Sandbox", "Staging", nil])
    func xcodesCertificateVouchesForXcodeAlone(environment: String?) throws {
        let other: [String: JSONValue?] = ["environment": environment.map { .string($0) }]
        for wrong in 0..<4 {
            let text = try desk.notification(
                transaction: wrong == 0 || wrong == 3 ? other : Self.xcode,
                renewalInfo: wrong == 1 || wrong == 3 ? other : Self.xcode,
                data: wrong == 2 || wrong == 3 ? other : Self.xcode,
                as: desk.xcode.signer
            )
            #expect(try refusal { try read(text, acceptsXcode: true) } == .invalidChain)
        }
    }

    @Test func xcodesEnvelopeOfAnUnknownShapeIsRefused() throws {
        let text = try desk.sign(desk.envelope(nil), as: desk.xcode.signer)
        #expect(try refusal { try read(text, acceptsXcode: true) } == .invalidChain)
    }

    @Test func signersAreNotMixed() throws {
        let xcodeInside = try desk.sign(
            desk.envelope(
                desk.data(transaction: try desk.sign(desk.transaction(Self.xcode), as: desk.xcode.signer), Self.xcode)
            )
        )
        #expect(try refusal { try read(xcodeInside, acceptsXcode: true) } == .invalidChain)
        let storeInside = try desk.sign(
            desk.envelope(desk.data(transaction: try desk.sign(desk.transaction(Self.xcode)), Self.xcode)),
            as: desk.xcode.signer
        )
        #expect(try refusal { try read(storeInside, acceptsXcode: true) } == .invalidChain)
    }

    @Test func appDataBringsAnAppTransaction() throws {
        func text(_ signed: String) throws -> String {
            let body: JSONValue = [
                "bundleId": "com.example.app", "environment": "Production", "signedAppTransactionInfo": .string(signed),
            ]
            return try desk.sign(desk.envelope(nil, ["notificationType": "RESCIND_CONSENT", "appData": body]))
        }
        let signed = try desk.sign([
            "receiptType": "Production", "bundleId": "com.example.app", "appTransactionId": "7001",
            "receiptCreationDate": JSONValue(SigningDesk.signedAt),
        ])
        let statement = try read(try text(signed))
        #expect(statement.facts == StatementFacts(namedType: .received))
        let payload = try JSONParser.parse(statement.payload)
        #expect(payload["appTransaction"]?["appTransactionId"] == "7001")
        #expect(payload["notification"]?["appData"] == ["bundleId": "com.example.app", "environment": "Production"])
        #expect(try refusal { try read(try text(SigningDesk.tampered(signed))) } == .invalidSignature)
    }
}
