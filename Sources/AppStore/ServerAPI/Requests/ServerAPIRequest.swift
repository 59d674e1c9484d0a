import JSON

/// One call of the API, before it is known where it goes.
struct ServerAPIRequest: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
    }

    var method: Method
    /// The parts of the path, not encoded yet.
    var path: [String]
    var query: [(name: String, value: String)] = []
    var body: JSONObject?
    /// Whether a second call has no second effect, so that it may be repeated when nobody knows what became of the first.
    var isRepeatable = true

    init(_ method: Method, _ path: String...) {
        self.method = method
        self.path = path
    }

    /// Path and query, percent-encoded.
    ///
    /// Throws ``ServerAPIError/invalidArgument(_:)`` for a part that would lead to another path.
    func target() throws(ServerAPIError) -> String {
        var text = ""
        for part in path {
            guard part.contains(where: { $0 != "." }) else {
                throw .invalidArgument("'\(part)' is no id that the App Store could know")
            }
            text += "/" + Self.encoded(part)
        }
        for (index, item) in query.enumerated() {
            text += (index == 0 ? "?" : "&") + Self.encoded(item.name) + "=" + Self.encoded(item.value)
        }
        return text
    }

    /// Percent-encoded but for the unreserved characters (RFC 3986 section 2.3).
    private static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
