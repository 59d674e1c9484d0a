import AppStore
import JSON

/// A response of a fake App Store.
struct FakeAnswer: Sendable {
    var status: Int
    var body: [UInt8]
    /// The instant until which no call is welcome, in milliseconds.
    var retryAfter: Int64?

    init(_ body: JSONObject, status: Int = 200) {
        self.status = status
        self.body = JSONValue.object(body).serialized()
    }

    init(status: Int, body: [UInt8] = [], retryAfter: Int64? = nil) {
        self.status = status
        self.body = body
        self.retryAfter = retryAfter
    }

    /// The refusal with a code, which need not be a known one: its first three digits are the status.
    init(code: Int64, retryAfter: Int64? = nil) {
        let known = ServerAPIErrorCode(rawValue: code)
        self.init(
            [
                "errorCode": JSONValue(code),
                "errorMessage": .string(known?.meaning ?? "an error that is not documented"),
            ],
            status: Int(code / 10_000)
        )
        self.retryAfter = retryAfter
    }
}
