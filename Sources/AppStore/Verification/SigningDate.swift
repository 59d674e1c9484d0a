import JSON

/// Finds the signing date of a payload while checking that it is a JSON object from end to end.
struct SigningDate {
    /// Milliseconds since 1970, rounded down (Xcode writes fractions); nil when the payload has no date.
    let milliseconds: Int64?

    private static let names = JSONKeyTable(["signedDate", "receiptCreationDate"])

    /// Reads `signedDate`, else `receiptCreationDate` (App Store Server API, JWSTransactionDecodedPayload and
    /// AppTransaction).
    ///
    /// Throws ``VerificationError/malformed(_:)`` when the payload is no JSON object, or its date no number that fits.
    init(payload: [UInt8]) throws(VerificationError) {
        var dates: [JSONToken?] = [nil, nil]
        var scanner: JSONScanner
        do throws(JSONSyntaxError) {
            scanner = try JSONScanner(payload)
            while let member = try scanner.next() {
                guard let index = Self.names.index(of: member.key, in: scanner) else { continue }
                dates[index] = member.value.kind == .null ? nil : member.value
            }
        } catch {
            throw .malformed("the payload is not a JSON object (\(error))")
        }
        guard let date = dates[0] ?? dates[1] else {
            milliseconds = nil
            return
        }
        guard let value = Self.milliseconds(date, in: scanner) else {
            throw .malformed("the signing date is not a number of milliseconds")
        }
        milliseconds = value
    }

    private static func milliseconds(_ value: JSONToken, in scanner: JSONScanner) -> Int64? {
        if let exact = scanner.int64(value) { return exact }
        guard let number = scanner.number(value)?.double else { return nil }
        return Int64(exactly: number.rounded(.down))
    }
}
