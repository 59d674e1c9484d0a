import AppStore
import EntitlementDomain
import JSON
import Testing

/// Genuine notifications that contradict themselves or lack something: kept, never refused.
struct NotificationContradictionTests {
    let desk: SigningDesk
    let reader: StatementReader

    init() throws {
        desk = try SigningDesk.shared.get()
        reader = try desk.reader()
    }

    private func read(_ text: String) throws -> Statement {
        try reader.readNotification(signedPayload: text, now: SigningDesk.now)
    }

    @Test(
        arguments: [
            ["bundleId": "com.example.other"], ["bundleId": "com.foreign"], ["environment": "Sandbox"],
            ["environment": "Xcode"],
        ] as [[String: JSONValue?]]
    )
    func aTransactionOfAnotherAppOrEnvironmentGivesNothing(changes: [String: JSONValue?]) throws {
        let statement = try read(try desk.notification(transaction: changes))
        #expect(statement.facts == StatementFacts(namedType: .received))
        #expect(statement.line == nil)
        #expect(statement.bundleID == "com.example.app")
        #expect(statement.environment == .production)
        #expect(statement.notificationType == "SUBSCRIBED")
    }

    @Test(arguments: [["originalTransactionId": "9009"], ["environment": "Sandbox"]] as [[String: JSONValue?]])
    func aRenewalInfoOfAnotherLineOrEnvironmentIsLeftOut(changes: [String: JSONValue?]) throws {
        let statement = try read(try desk.notification(renewalInfo: changes))
        #expect(statement.facts.namedType == .received)
        #expect(statement.facts.transaction?.transactionID == "1001")
        #expect(statement.facts.renewal == nil)
        #expect(statement.line?.originalTransactionID == "1001")
    }

    @Test(arguments: ["transactionId", "productId", "purchaseDate"])
    func aTransactionThatLacksSomethingLeavesTheRenewal(key: String) throws {
        let statement = try read(try desk.notification(transaction: [key: nil]))
        #expect(statement.facts.namedType == .received)
        #expect(statement.facts.transaction == nil)
        #expect(statement.facts.renewal?.autoRenews == true)
        #expect(statement.line?.originalTransactionID == "1001")
    }

    @Test func nothingButAnEnvelopeIsLeft() throws {
        let statement = try read(
            try desk.notification(
                transaction: ["transactionId": 1001, "originalTransactionId": 1001],
                renewalInfo: nil
            )
        )
        #expect(statement.facts == StatementFacts(namedType: .received))
        #expect(statement.line == nil)
    }

    @Test func membersOfTheWrongKindDoNotRefuse() throws {
        let statement = try read(
            try desk.notification(
                renewalInfo: nil,
                data: ["signedRenewalInfo": 5, "status": "1", "appAppleId": "x", "bundleVersion": []],
                envelope: ["version": 2]
            )
        )
        #expect(statement.facts.namedType == .purchased)
        #expect(statement.facts.renewal == nil)
        let without = try read(
            try desk.notification(transaction: nil, renewalInfo: nil, data: ["signedTransactionInfo": ""])
        )
        #expect(without.facts == StatementFacts(namedType: .received))
    }
}
