extension JSONValue {
    /// The canonical text of the value: exactly the text that PostgreSQL's jsonb prints for it, so that what was hashed
    /// can be read back from the column as it stands.
    ///
    /// Rules, all of them needed so that two readers of one value hash the same bytes:
    ///
    /// 1. One space behind every comma and colon, no other white space outside strings.
    /// 2. U+0000 in strings and names is replaced by U+FFFD, as jsonb refuses it.
    /// 3. Names are in order of their length in UTF-8 bytes, then of those bytes. Of several members with one name
    ///    (after rule 2) the last one in the document counts, as in jsonb.
    /// 4. Strings are UTF-8 with the fewest escapes: `\"`, `\\`, `\b`, `\f`, `\n`, `\r`, `\t`, and `\u00xx` with
    ///    lower-case digits for the other characters below U+0020. Everything else, the slash and U+007F included,
    ///    stands for itself.
    /// 5. Numbers are plain decimals exactly as PostgreSQL's numeric prints what it read: the exponent is carried out
    ///    (`1e2` is `100`, `1.5e1` is `15`, `1E-2` is `0.01`), trailing zeros of a fraction stay (`1.50`, and `1.50e1`
    ///    is `15.0`), zero has no sign (`-0` is `0`, `-0.0` is `0.0`).
    /// 6. A number that would be unreasonably long becomes a string of its token: an exponent beyond ±1000, a token of
    ///    more than 1000 characters, or a plain decimal of more than 1000 characters.
    ///
    /// The result is a fixed point: parsing it, or jsonb's own output of it, and asking again gives the same bytes.
    package func canonicalBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(1024)
        appendCanonical(to: &bytes)
        return bytes
    }

    private func appendCanonical(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: value ? "true".utf8 : "false".utf8)
        case .number(let number):
            if let plain = number.plainDecimal() {
                bytes.append(contentsOf: plain)
            } else {
                JSONText.append(number.text, to: &bytes)
            }
        case .string(let text): JSONText.append(text.withoutNull, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(contentsOf: ", ".utf8) }
                element.appendCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let object):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.canonicalMembers().enumerated() {
                if index > 0 { bytes.append(contentsOf: ", ".utf8) }
                JSONText.append(member.key, to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                member.value.appendCanonical(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }
}

extension JSONObject {
    /// The members in canonical order, each name once, U+0000 replaced before names are compared.
    fileprivate func canonicalMembers() -> [Member] {
        guard members.contains(where: { $0.key.hasNull }) else { return distinctMembersSorted() }
        return JSONObject.distinctSorted(members.map { Member(key: $0.key.withoutNull, value: $0.value) })
    }
}

extension String {
    fileprivate var hasNull: Bool {
        let bytes = utf8Span.span
        for index in 0..<bytes.count where bytes[index] == 0 { return true }
        return false
    }

    /// The text with every U+0000 replaced by U+FFFD.
    fileprivate var withoutNull: String {
        guard hasNull else { return self }
        var scalars = UnicodeScalarView()
        for scalar in unicodeScalars {
            scalars.append(scalar.value == 0 ? "\u{FFFD}" : scalar)
        }
        return String(scalars)
    }
}
