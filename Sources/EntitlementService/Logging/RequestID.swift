import Synchronization

/// The name of a request in the log, and in the header field `X-Request-Id` of its response.
enum RequestID {
    static let field = "X-Request-Id"

    private static let longest = 64
    private static let count = Atomic<UInt64>(0)
    /// Tells the processes apart.
    private static let process = hexadecimal(UInt64.random(in: .min ... .max) >> 24)

    /// A name that somebody before this service has given; nil when it is none that one would want to read in a log.
    static func given(_ field: String?) -> String? {
        guard let field, !field.isEmpty, field.utf8.count <= longest else { return nil }
        let isSane = field.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        return isSane ? field : nil
    }

    /// A new one: no other request of this process, nor probably of any other, has it.
    static func make() -> String {
        "\(process)-\(hexadecimal(count.add(1, ordering: .relaxed).newValue))"
    }

    private static func hexadecimal(_ value: UInt64) -> String { String(value, radix: 16) }
}
