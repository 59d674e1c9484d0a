import Glibc
import JSON

extension JSONValue {
    /// Text of 1 to so many bytes without U+0000, which PostgreSQL's text cannot hold; nil for anything else.
    func parameterText(maximumBytes: Int) -> String? {
        guard let text = stringValue, (1...maximumBytes).contains(text.utf8.count) else { return nil }
        return text.containsNUL ? nil : text
    }
}

extension String {
    /// Whether U+0000 is in it, at the speed of the C library: signed texts are long.
    fileprivate var containsNUL: Bool {
        let bytes = utf8Span.span
        return unsafe bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return false }
            return unsafe memchr(base, 0, bytes.count) != nil
        }
    }
}
