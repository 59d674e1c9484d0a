import JSON

/// Finds the signing date of a payload while checking that it is a JSON object from end to end.
struct SigningDate {
    /// Milliseconds since 1970, rounded down (Xcode writes fractions); nil when the payload has no date.
    let milliseconds: Int64?

    private static let names = JSONKeyTable(["signedDate", "receiptCreationDate"])

    /// Reads `signedDate`, else `receiptCreationDate` (App Store Server API, JWSTransactionDecodedPayload and
    /// AppTransaction).
    ///
    /// A date that is no number, or none that fits, counts as absent: what the App Store signed is never refused for the
    /// shape of a member.
    ///
    /// Throws ``VerificationError/malformed(_:)`` when the payload is no JSON object.
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
        milliseconds = dates.lazy.compactMap { $0 }.compactMap { Self.milliseconds($0, in: scanner) }.first
    }

    private static func milliseconds(_ value: JSONToken, in scanner: JSONScanner) -> Int64? {
        if let exact = scanner.int64(value) { return exact }
        guard let number = scanner.number(value)?.double else { return nil }
        return Int64(exactly: number.rounded(.down))
    }
}
