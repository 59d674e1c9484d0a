import EntitlementDomain
import JSON

/// Reads the members of an answer of verifyReceipt, where every value is text: a date in milliseconds beside two forms for
/// people, a truth as "true" or "1". What cannot be used is absent.
struct ReceiptFields {
    private var reader: MemberReader
    private let object: JSONObject

    init(_ object: JSONObject) {
        reader = MemberReader(object)
        self.object = object
    }

    mutating func text(_ name: String) -> String? {
        reader.text(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    mutating func identifier(_ name: String) -> String? {
        text(name).flatMap { $0.utf8.count <= MemberReader.identifierLimit ? $0 : nil }
    }

    /// A number, in text or as such.
    func integer(_ name: String) -> Int64? {
        object[name]?.int64Value ?? object[name]?.stringValue.flatMap { Int64($0) }
    }

    func truth(_ name: String) -> Bool? {
        switch object[name]?.stringValue ?? object[name]?.boolValue.map({ $0 ? "true" : "false" }) {
        case "true", "1": true
        case "false", "0": false
        default: nil
        }
    }

    /// The date that `name` with the ending `_ms` holds. Receipts of iOS 6 have milliseconds under `expires_date` itself.
    func date(_ name: String) -> Instant? {
        guard let milliseconds = integer(name + "_ms") ?? integer(name) else { return nil }
        let instant = Instant(milliseconds: milliseconds)
        return instant >= .distantPast && instant <= .distantFuture ? instant : nil
    }
}
