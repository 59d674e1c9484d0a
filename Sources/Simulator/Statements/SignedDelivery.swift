import EntitlementDomain
import JSON
import X509

/// A delivery ready to be sent: signed once, so that every order and every repetition sends the same text.
struct SignedDelivery: Sendable {
    enum Request: Sendable {
        /// The body of `POST /appstore/notifications`.
        case notification([UInt8])
        case call(ScenarioCall)
    }

    let id: String
    let at: Instant
    let request: Request
    let answer: ScenarioAnswer

    /// Signs a delivery; throws what the signers throw.
    init(_ delivery: ScenarioDelivery, signing: ScenarioSigning) throws {
        id = delivery.id
        at = delivery.at
        answer = delivery.answer
        switch delivery.content {
        case .notification(let notification):
            request = .notification(try Self.body(notification, tamper: delivery.tamper, signing))
        case .upload(let upload):
            request = .call(try Self.call(upload, tamper: delivery.tamper, signing))
        case .receipt(let receipt):
            var params: JSONObject = [
                "receipt": .string(try signing.sign(receipt.receipt, tamper: delivery.tamper))
            ]
            if let account = receipt.account { params["account"] = .string(account.description) }
            request = .call(ScenarioCall(method: "receipts.submit", params: params))
        case .call(let call):
            request = .call(call)
        }
    }

    private static func body(
        _ notification: DecodedNotification,
        tamper: Tampering?,
        _ signing: ScenarioSigning
    ) throws(X509Error) -> [UInt8] {
        try notification.body(
            signInner: { payload throws(X509Error) in
                try signing.sign(payload, environment: payload["environment"])
            },
            signEnvelope: { payload throws(X509Error) in
                let environment = ["data", "summary", "appData"].lazy.compactMap { payload[$0]?["environment"] }.first
                return try signing.sign(payload, environment: environment, tamper: tamper)
            }
        )
    }

    private static func call(
        _ upload: DecodedUpload,
        tamper: Tampering?,
        _ signing: ScenarioSigning
    ) throws -> ScenarioCall {
        let (transaction, renewalInfo) = (upload.transaction, upload.renewalInfo)
        let text = try signing.sign(transaction, environment: transaction["environment"], tamper: tamper)
        var params: JSONObject = ["signedTransaction": .string(text)]
        if let renewalInfo {
            params["signedRenewalInfo"] = .string(
                try signing.sign(renewalInfo, environment: renewalInfo["environment"])
            )
        }
        if let account = upload.account { params["account"] = .string(account.description) }
        return ScenarioCall(method: "transactions.submit", params: params)
    }
}
