import JSON

/// The purchases of one order (App Store Server API, OrderLookupResponse).
package struct OrderLookup: Sendable {
    /// Whether the order id is one of the App Store, and of this app.
    package var isValid: Bool
    package var transactions: [SignedResponsePart]

    init(_ reader: ResponseReader) throws(ServerAPIError) {
        guard let status = reader.object["status"]?.int64Value else { throw .malformedResponse("status is missing") }
        isValid = status == 0
        transactions = try reader.transactions()
    }
}
