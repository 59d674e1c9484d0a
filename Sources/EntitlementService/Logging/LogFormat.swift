import EntitlementDomain
import JSON

/// How a line of the log is written.
package enum LogFormat: String, Sendable, CaseIterable {
    /// An object in each line.
    case json
    /// For people.
    case text

    func line(
        _ level: LogLevel,
        _ message: String,
        _ fields: [(name: String, value: JSONValue)],
        at instant: Instant
    ) -> [UInt8] {
        switch self {
        case .json:
            var writer = JSONWriter()
            writer.beginObject()
            writer.member("time", instant.iso8601)
            writer.member("level", level.rawValue)
            writer.member("message", message)
            for field in fields {
                writer.key(field.name)
                writer.value(field.value)
            }
            writer.endObject()
            return writer.bytes + [UInt8(ascii: "\n")]
        case .text:
            var text = "\(instant.iso8601) \(level.rawValue.uppercased()) \(Self.plain(message))"
            for field in fields { text += " \(field.name)=\(Self.text(field.value))" }
            return Array(text.utf8) + [UInt8(ascii: "\n")]
        }
    }

    /// Text without blanks stands as it is, everything else as JSON, so that no value can look like another field or line.
    private static func text(_ value: JSONValue) -> String {
        if let text = value.stringValue, !text.isEmpty,
            text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "=") })
        {
            return text
        }
        return String(decoding: value.serialized(), as: UTF8.self)
    }

    /// A message may quote what somebody sent.
    private static func plain(_ message: String) -> String {
        String(String.UnicodeScalarView(message.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : $0 }))
    }
}
