import EntitlementDomain
import JSON
import Simulator
import X509

/// Short ways to write what the App Store signs.
enum Samples {
    static let account = "11111111-1111-4111-8111-111111111111"
    static let otherAccount = "22222222-2222-4222-8222-222222222222"

    static let catalog: JSONValue = [
        "entitlements": [["id": "pro"], ["id": "max"]],
        "currencies": [["id": "coins"]],
        "products": [
            [
                "productId": "pro.monthly", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 2,
                "grants": ["pro"],
            ],
            [
                "productId": "max.monthly", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 1,
                "grants": ["pro", "max"],
            ],
            ["productId": "pro.lifetime", "type": "nonConsumable", "grants": ["pro"]],
            ["productId": "coins.100", "type": "consumable", "credits": ["coins": 100]],
        ],
    ]

    static func date(_ text: String) -> Instant {
        Instant(iso8601: text)!
    }

    static func milliseconds(_ text: String) -> JSONValue {
        JSONValue(date(text).milliseconds)
    }

    /// A month of a subscription; changes replace members, nil removes one.
    static func transaction(_ id: String, _ changes: [String: JSONValue?] = [:]) -> JSONObject {
        merge(
            [
                "transactionId": .string(id), "originalTransactionId": .string(id), "bundleId": "com.example.app",
                "productId": "pro.monthly", "purchaseDate": milliseconds("2026-03-01T00:00:00Z"),
                "originalPurchaseDate": milliseconds("2026-03-01T00:00:00Z"),
                "expiresDate": milliseconds("2026-04-01T00:00:00Z"), "quantity": 1,
                "type": "Auto-Renewable Subscription", "environment": "Production",
                "signedDate": milliseconds("2026-03-01T00:00:00Z"), "inAppOwnershipType": "PURCHASED",
                "transactionReason": "PURCHASE", "subscriptionGroupIdentifier": "20001",
            ],
            changes
        )
    }

    /// A purchase of consumables.
    static func coins(_ id: String, _ changes: [String: JSONValue?] = [:]) -> JSONObject {
        let base: [String: JSONValue?] = [
            "productId": "coins.100", "type": "Consumable", "expiresDate": .some(nil),
            "subscriptionGroupIdentifier": .some(nil),
        ]
        return transaction(id, base.merging(changes) { $1 })
    }

    /// The renewal info of a line.
    static func renewalInfo(_ id: String, _ changes: [String: JSONValue?] = [:]) -> JSONObject {
        merge(
            [
                "originalTransactionId": .string(id), "productId": "pro.monthly", "autoRenewProductId": "pro.monthly",
                "autoRenewStatus": 1, "environment": "Production", "signedDate": milliseconds("2026-03-01T00:00:00Z"),
            ],
            changes
        )
    }

    static func merge(_ object: JSONObject, _ changes: [String: JSONValue?]) -> JSONObject {
        var object = object
        for (key, value) in changes { object[key] = value }
        return object
    }

    /// Signs as the App Store.
    static func sign(_ payload: JSONObject) throws -> String {
        try TestService.signing.get().appStore.signer.sign(JSONValue.object(payload).serialized())
    }

    /// Signs as somebody whom nobody trusts.
    static func signAsStranger(_ payload: JSONObject) throws -> String {
        try stranger.get().signer.sign(JSONValue.object(payload).serialized())
    }

    private static let stranger = Result { try ThrowawayChain.make(validity: ScenarioSigning.validity) }
}

extension TestService {
    /// Hands in a transaction, with its renewal info, for an account if one is given.
    @discardableResult
    func submit(
        _ transaction: JSONObject,
        renewalInfo: JSONObject? = nil,
        account: String? = Samples.account
    ) async throws -> JSONValue {
        var params: JSONObject = ["signedTransaction": .string(try Samples.sign(transaction))]
        if let renewalInfo { params["signedRenewalInfo"] = .string(try Samples.sign(renewalInfo)) }
        if let account { params["account"] = .string(account) }
        return try await call("transactions.submit", .object(params))
    }
}
