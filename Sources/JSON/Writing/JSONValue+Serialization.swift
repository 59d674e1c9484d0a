extension JSONValue {
    /// The document without white space, members in their order, numbers as they stood.
    package func serialized() -> [UInt8] {
        var writer = JSONWriter()
        writer.value(self)
        return writer.bytes
    }

    /// The document for people: one member or element on each line, two spaces for each level, no line feed at the end.
    package func prettySerialized() -> [UInt8] {
        var bytes: [UInt8] = []
        appendPretty(to: &bytes, level: 0)
        return bytes
    }

    private func appendPretty(to bytes: inout [UInt8], level: Int) {
        switch self {
        case .array(let elements) where !elements.isEmpty:
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                JSONValue.appendLine(to: &bytes, level: level + 1, isFirst: index == 0)
                element.appendPretty(to: &bytes, level: level + 1)
            }
            JSONValue.appendLine(to: &bytes, level: level, isFirst: true)
            bytes.append(UInt8(ascii: "]"))
        case .object(let object) where !object.isEmpty:
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                JSONValue.appendLine(to: &bytes, level: level + 1, isFirst: index == 0)
                JSONText.append(member.key, to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                member.value.appendPretty(to: &bytes, level: level + 1)
            }
            JSONValue.appendLine(to: &bytes, level: level, isFirst: true)
            bytes.append(UInt8(ascii: "}"))
        default:
            bytes.append(contentsOf: serialized())
        }
    }

    private static func appendLine(to bytes: inout [UInt8], level: Int, isFirst: Bool) {
        bytes.append(contentsOf: isFirst ? "\n".utf8 : ",\n".utf8)
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: level * 2))
    }
}

extension JSONValue: CustomStringConvertible {
    /// The document without white space.
    package var description: String { String(decoding: serialized(), as: UTF8.self) }
}
