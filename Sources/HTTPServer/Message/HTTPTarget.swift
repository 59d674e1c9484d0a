/// The target of a request line (RFC 9112 section 3.2), taken apart.
struct HTTPTarget: Sendable, Hashable {
    /// The path with its percent escapes decoded, once.
    let path: String
    /// What stands after the question mark, undecoded; nil without one.
    let query: String?

    init(_ target: String) {
        var rest = Substring(target)
        // A client that takes the server for a proxy sends the absolute form; it has to be understood (section 3.2.2).
        if !target.utf8.starts(with: "/".utf8), let scheme = HTTPTarget.schemeEnd(target) {
            let authority = target.utf8[scheme...]
            let end = authority.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? target.endIndex
            rest = target[end...]
        }
        let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
        let encoded = rest[..<(mark ?? rest.endIndex)]
        query = mark.map { String(rest[rest.utf8.index(after: $0)...]) }
        path = encoded.isEmpty ? "/" : HTTPTarget.decoded(encoded, plusIsSpace: false)
    }

    /// The index after `http://` or `https://`.
    private static func schemeEnd(_ target: String) -> String.Index? {
        for scheme in ["http://", "https://"]
        where target.utf8.count >= scheme.utf8.count
            && HTTPField.isSameName(String(target.prefix(scheme.count)), scheme)
        {
            return target.index(target.startIndex, offsetBy: scheme.count)
        }
        return nil
    }

    /// The name and value pairs of the query, decoded as forms send them: `+` is a space.
    var queryItems: [HTTPQueryItem] {
        (query ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return HTTPQueryItem(
                name: HTTPTarget.decoded(parts[0], plusIsSpace: true),
                value: parts.count > 1 ? HTTPTarget.decoded(parts[1], plusIsSpace: true) : nil
            )
        }
    }

    /// Decodes percent escapes (RFC 3986 section 2.1). An escape without two hexadecimal digits stays as it is, and
    /// bytes that are not UTF-8 become U+FFFD.
    static func decoded(_ text: Substring, plusIsSpace: Bool) -> String {
        let plus = UInt8(ascii: "+")
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || (plusIsSpace && $0 == plus) }) else {
            return String(text)
        }
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = hexadecimal(bytes[index + 1]), let low = hexadecimal(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(plusIsSpace && bytes[index] == plus ? UInt8(ascii: " ") : bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// One pair of a query: `name=value`, or `name` alone.
package struct HTTPQueryItem: Sendable, Hashable {
    package let name: String
    /// nil without an equals sign.
    package let value: String?

    package init(name: String, value: String?) {
        self.name = name
        self.value = value
    }
}
