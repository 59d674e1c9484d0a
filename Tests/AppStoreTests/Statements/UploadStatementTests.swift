import AppStore
import EntitlementDomain
import JSON
import Simulator
import Testing
import X509

struct UploadStatementTests {
    let desk: SigningDesk

    init() throws {
        desk = try SigningDesk.shared.get()
    }

    private func read(
        _ transaction: String,
        _ renewalInfo: String? = nil,
        source: EventSource = .upload,
        environments: Set<StoreEnvironment> = [.production, .sandbox],
        acceptsXcode: Bool = false
    ) throws -> Statement {
        let reader = try desk.reader(environments: environments, acceptsXcode: acceptsXcode)
        return try reader.readUpload(
            signedTransaction: transaction,
            signedRenewalInfo: renewalInfo,
            source: source,
            now: SigningDesk.now
        )
    }

    private func transaction(_ changes: [String: JSONValue?] = [:], as signer: StatementSigner? = nil) throws -> String
    {
        try desk.sign(desk.transaction(changes), as: signer)
    }

    private func renewalInfo(_ changes: [String: JSONValue?] = [:], as signer: StatementSigner? = nil) throws -> String
    {
        try desk.sign(desk.renewalInfo(changes), as: signer)
    }

    @Test func aTransactionAloneBecomesAStatement() throws {
        let text = try transaction()
        let statement = try read(text)
        let signed = JSONValue.object(desk.transaction())
        #expect(statement.identity == .payload(SHA256.hash(signed.serialized())))
        #expect(statement.source == .upload)
        #expect(statement.environment == .production)
        #expect(statement.bundleID == "com.example.app")
        #expect(
            statement.line
                == LineID(environment: .production, bundleID: "com.example.app", originalTransactionID: "1001")
        )
        #expect(statement.facts.transaction?.productID == "pro.monthly")
        #expect(statement.facts.renewal == nil)
        #expect(statement.facts.namedType == nil)
        #expect(statement.notificationType == nil)
        #expect(statement.subtype == nil)
        #expect(statement.signedAt.milliseconds == SigningDesk.signedAt)
        let payload: JSONValue = ["transaction": signed]
        #expect(statement.payload == payload.canonicalBytes())
        #expect(statement.evidence == [Array(text.utf8)])
        #expect(statement.evidenceDigests == [SHA256.hash(Array(text.utf8))])
    }

    @Test func aRenewalInfoBesideItIsPartOfTheStatement() throws {
        let (transaction, renewalInfo) = (try transaction(), try renewalInfo())
        let statement = try read(transaction, renewalInfo, source: .api)
        #expect(statement.source == .api)
        #expect(statement.facts.renewal?.autoRenews == true)
        #expect(statement.facts.renewal?.status == nil)
        #expect(statement.evidence == [Array(transaction.utf8), Array(renewalInfo.utf8)])
        let digests = [desk.transaction(), desk.renewalInfo()].map {
            SHA256.hash(JSONValue.object($0).serialized()).bytes
        }
        #expect(statement.identity == .payload(SHA256.hash(digests[0] + digests[1])))
        let payload: JSONValue = [
            "transaction": .object(desk.transaction()), "renewalInfo": .object(desk.renewalInfo()),
        ]
        #expect(statement.payload == payload.canonicalBytes())
    }

    @Test func theIdentityIsThatOfThePayloadNotOfTheSignature() throws {
        let (first, second) = (try transaction(), try transaction())
        #expect(first != second)
        #expect(try read(first).identity == (try read(second)).identity)
        #expect(try read(first).identity != (try read(try transaction(["x": 1]))).identity)
    }

    @Test(arguments: ["com.foreign", "", nil])
    func aForeignAppIsRefused(bundleID: String?) throws {
        let text = try transaction(["bundleId": bundleID.map { .string($0) }, "environment": "Staging"])
        #expect(try refusal { try read(text) } == .wrongBundle)
    }

    @Test(arguments: ["Staging", "Xcode", "LocalTesting", "Sandbox", nil])
    func anEnvironmentThatIsNotAcceptedIsRefused(environment: String?) throws {
        let text = try transaction(["environment": environment.map { .string($0) }])
        #expect(
            try refusal {
                try read(
                    text,
                    environments: [.production, .xcode, StoreEnvironment(rawValue: "LocalTesting")],
                    acceptsXcode: true
                )
            } == .wrongEnvironment
        )
    }

    @Test func theSandboxIsAcceptedByConfiguration() throws {
        let text = try transaction(["environment": "Sandbox"])
        #expect(try read(text).line?.environment == .sandbox)
        #expect(try refusal { try read(text, environments: [.production]) } == .wrongEnvironment)
    }

    @Test(arguments: ["transactionId", "productId", "purchaseDate"])
    func aTransactionThatLacksSomethingIsMalformed(key: String) throws {
        let error = #expect(throws: StatementError.self) { try read(try transaction([key: nil])) }
        #expect(error?.reason == .malformedStatement)
        #expect(error?.message.contains(key) == true)
        #expect(try refusal { try read(try transaction([key: true])) } == .malformedStatement)
    }

    @Test(
        arguments: [
            ["originalTransactionId": "9009"], ["originalTransactionId": nil], ["originalTransactionId": 1001],
            ["environment": "Sandbox"], ["environment": nil],
        ] as [[String: JSONValue?]]
    )
    func aRenewalInfoOfAnotherLineIsMalformed(changes: [String: JSONValue?]) throws {
        #expect(try refusal { try read(try transaction(), try renewalInfo(changes)) } == .malformedStatement)
    }

    @Test func anUploaderCannotChooseTheLineByARenewalInfo() throws {
        let lineless = try transaction(["transactionId": "1002", "originalTransactionId": nil])
        #expect(try read(lineless).line?.originalTransactionID == "1002")
        #expect(try refusal { try read(lineless, try renewalInfo()) } == .malformedStatement)
    }

    @Test func aForgeryIsRefused() throws {
        let genuine = try transaction()
        #expect(try refusal { try read(SigningDesk.tampered(genuine)) } == .invalidSignature)
        #expect(try refusal { try read(genuine, SigningDesk.tampered(try renewalInfo())) } == .invalidSignature)
        #expect(try refusal { try read(try transaction(as: desk.foreignChain.signer)) } == .invalidChain)
        #expect(
            try refusal { try read(genuine, try renewalInfo(as: desk.foreignChain.signer)) } == .invalidChain
        )
        #expect(try refusal { try read("no statement") } == .malformedStatement)
    }

    @Test func aCertificateOutOfItsDatesIsTemporary() throws {
        let error = #expect(throws: StatementError.self) {
            try read(try transaction(as: desk.expiredChain.signer))
        }
        #expect(error?.reason == .certificateExpired)
        #expect(error?.isTemporary == true)
    }

    @Test func xcodesTransactionsAreReadBehindTheSwitch() throws {
        let changes: [String: JSONValue?] = [
            "environment": "Xcode", "webOrderLineItemId": "0",
            "purchaseDate": .number(try #require(JSONNumber("1697679936049.7297"))),
        ]
        let text = try transaction(changes, as: desk.xcode.signer)
        let renewalInfo = try renewalInfo(["environment": "Xcode"], as: desk.xcode.signer)
        let statement = try read(text, renewalInfo, acceptsXcode: true)
        #expect(statement.line?.environment == .xcode)
        #expect(statement.facts.transaction?.purchasedAt.milliseconds == 1_697_679_936_049)
        #expect(statement.facts.transaction?.webOrderLineItemID == nil)
        #expect(try refusal { try read(text, acceptsXcode: false) } == .invalidChain)
        #expect(
            try refusal { try read(try transaction(changes, as: desk.foreignXcode.signer), acceptsXcode: true) }
                == .invalidChain
        )
    }

    @Test(arguments: ["Production", "Sandbox", "LocalTesting", nil])
    func xcodesCertificateVouchesForXcodeAlone(environment: String?) throws {
        let other: [String: JSONValue?] = ["environment": environment.map { .string($0) }]
        let signer = desk.xcode.signer
        let text = try transaction(other, as: signer)
        #expect(try refusal { try read(text, acceptsXcode: true) } == .invalidChain)
        let xcode = try transaction(["environment": "Xcode"], as: signer)
        #expect(
            try refusal { try read(xcode, try renewalInfo(other, as: signer), acceptsXcode: true) } == .invalidChain
        )
        #expect(
            try refusal { try read(try transaction(other), try renewalInfo(other, as: signer), acceptsXcode: true) }
                == .invalidChain
        )
    }
}
