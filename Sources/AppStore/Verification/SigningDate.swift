import JSON

/// Finds the signing date of a payload.
struct SigningDate {
    /// Milliseconds since 1970, rounded down (Xcode writes fractions); nil when the payload has no date.
    let milliseconds: Int64?

    /// Reads `signedDate`, else `receiptCreationDate` (App Store Server API, JWSTransactionDecodedPayload and
    /// AppTransaction).
    ///
    /// A date that is no number, or none that fits, counts as absent: what the App Store signed is never refused for the
    /// shape of a member.
    init(_ payload: JSONObject) {
        milliseconds = Self.milliseconds(payload["signedDate"]) ?? Self.milliseconds(payload["receiptCreationDate"])
    }

    private static func milliseconds(_ value: JSONValue?) -> Int64? {
        guard case .number(let number)? = value else { return nil }
        if let exact = number.int64 { return exact }
        guard let double = number.double else { return nil }
        return Int64(exactly: double.rounded(.down))
    }
}
