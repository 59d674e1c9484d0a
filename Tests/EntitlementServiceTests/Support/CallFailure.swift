import JSON

/// An error answer of a call.
struct CallFailure: Error, CustomStringConvertible {
    var code: Int64
    var reason: String?
    /// The parameter that `invalidParams` names.
    var parameter: String?
    var message: String
    var data: JSONValue

    init(_ error: JSONValue) {
        code = error["code"]?.int64Value ?? 0
        reason = error["data"]?["reason"]?.stringValue
        parameter = error["data"]?["parameter"]?.stringValue
        data = error["data"] ?? .null
        message = error["message"]?.stringValue ?? ""
    }

    var description: String { "\(code) \(reason ?? "-") \(parameter ?? "-"): \(message)" }
}
