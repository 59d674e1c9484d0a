import AppStore
import EntitlementDomain
import JSON

/// Takes commands for a fake App Store: `{"do": "buy", …}`.
struct FakeControl: Sendable {
    let store: FakeAppStore

    /// Carries out the command in a body, and says what came of it.
    func answer(_ body: [UInt8]) async -> FakeAnswer {
        guard let command = (try? JSONParser.parse(body))?.objectValue, let name = command["do"]?.stringValue else {
            return Self.problem("the body must be an object with the member do")
        }
        do throws(FakeStoreError) {
            return try await answer(name, FakeCommand(command))
        } catch {
            return Self.problem(error.description)
        }
    }

    private static func problem(_ text: String) -> FakeAnswer {
        FakeAnswer(["error": .string(text)], status: 400)
    }

    private func answer(_ name: String, _ command: FakeCommand) async throws(FakeStoreError) -> FakeAnswer {
        let environment = command.environment
        var result = JSONObject()
        switch name {
        case "buy":
            let id = try store.buy(
                try command.product(),
                account: try command.account(),
                customerOf: command.optionalText("customerOf"),
                isFamilyShared: command.flag("isFamilyShared") ?? false,
                in: environment
            )
            result["id"] = .string(id)
            result["signedTransaction"] = .string(try store.signedTransaction(id, in: environment))
        case "refund": try store.refund(try command.text("id"), in: environment)
        case "reverseRefund": try store.reverseRefund(try command.text("id"), in: environment)
        case "requestConsumption": try store.requestConsumption(try command.text("id"), in: environment)
        case "setCard":
            try store.setCard(
                declined: command.flag("declined") ?? true,
                of: try command.text("id"),
                in: environment
            )
        case "setAutoRenew":
            try store.setAutoRenew(command.flag("on") ?? false, of: try command.text("id"), in: environment)
        case "upgrade": try store.upgrade(try command.text("id"), to: try command.product(), in: environment)
        case "downgrade": try store.downgrade(try command.text("id"), to: try command.product(), in: environment)
        case "resubscribe": try store.resubscribe(try command.text("id"), in: environment)
        case "notify": store.setNotificationURL(command.optionalText("url"), in: environment)
        case "advance": try await store.advance(hours: try command.integer("hours"))
        case "limit": store.setCallsPerHour(command.optionalInteger("callsPerHour"))
        case "fail":
            store.inject(
                InjectedFault(
                    try command.effect(),
                    path: command.optionalText("path") ?? "",
                    times: command.flag("always") == true ? nil : Int(command.optionalInteger("times") ?? 1)
                )
            )
        case "heal": store.clearFaults()
        case "state": return FakeAnswer(Self.state(store, environment))
        default: throw .unknown("there is no command '\(name)'")
        }
        try await store.deliverDue()
        result["now"] = .string(store.now.iso8601)
        return FakeAnswer(result)
    }

    private static func state(_ store: FakeAppStore, _ environment: StoreEnvironment) -> JSONObject {
        [
            "now": .string(store.now.iso8601),
            "lines": .array(
                store.lines(in: environment).map {
                    [
                        "id": .string($0.id), "productId": .string($0.productID), "status": JSONValue($0.status),
                        "account": $0.account.map { .string($0.description) } ?? .null,
                        "expiresAt": .string($0.expiresAt.iso8601), "autoRenews": JSONValue($0.autoRenews),
                        "transactions": .array($0.transactionIDs.map(JSONValue.string)),
                    ]
                }
            ),
            "notifications": .array(
                store.notifications(in: environment).map {
                    [
                        "uuid": .string($0.uuid), "type": .string($0.type),
                        "subtype": $0.subtype.map(JSONValue.string) ?? .null,
                        "signedAt": .string($0.signedAt.iso8601), "attempts": .array($0.results.map(JSONValue.string)),
                    ]
                }
            ),
        ]
    }
}
