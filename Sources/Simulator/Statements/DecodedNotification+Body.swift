import JSON

extension DecodedNotification {
    /// The body of `POST /appstore/notifications` (App Store Server Notifications, responseBodyV2).
    ///
    /// - Parameters:
    ///   - signInner: signs the transaction and the renewal info inside.
    ///   - signEnvelope: signs the payload around them; nil: the same.
    func body<Failure: Error>(
        signInner: (JSONObject) throws(Failure) -> String,
        signEnvelope: ((JSONObject) throws(Failure) -> String)? = nil
    ) throws(Failure) -> [UInt8] {
        let payload = payload(
            signedTransaction: try data?.transaction.map(signInner),
            signedRenewalInfo: try data?.renewalInfo.map(signInner)
        )
        let text = if let signEnvelope { try signEnvelope(payload) } else { try signInner(payload) }
        return JSONValue.object(["signedPayload": .string(text)]).serialized()
    }
}
