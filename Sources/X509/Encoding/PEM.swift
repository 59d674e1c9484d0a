/// The textual envelope of RFC 7468: base64 between a BEGIN and an END line.
enum PEM {
    /// The contents of all blocks with `label`, in order. Text between blocks and other blocks are skipped, as
    /// RFC 7468 section 2 allows. Nil when a block with this label is not closed or not base64.
    static func blocks(_ label: String, in text: String) -> [[UInt8]]? {
        var blocks: [[UInt8]] = []
        var body: [UInt8]?
        for line in text.utf8.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) {
            let content = trimmed(line)
            if content.elementsEqual("-----BEGIN \(label)-----".utf8) {
                guard body == nil else { return nil }
                body = []
            } else if content.elementsEqual("-----END \(label)-----".utf8) {
                guard let characters = body, let bytes = Base64.decode(characters) else { return nil }
                blocks.append(bytes)
                body = nil
            } else {
                body?.append(contentsOf: content)
            }
        }
        return body == nil ? blocks : nil
    }

    /// One block with lines of 64 characters (RFC 7468 section 2), ending in a line break.
    static func text(_ label: String, _ bytes: [UInt8]) -> String {
        let characters = Base64.encode(bytes)
        var text = "-----BEGIN \(label)-----\n"
        for start in stride(from: 0, to: characters.count, by: 64) {
            text += String(decoding: characters[start..<min(start + 64, characters.count)], as: UTF8.self) + "\n"
        }
        return text + "-----END \(label)-----\n"
    }

    private static func trimmed(_ line: Substring.UTF8View) -> Substring.UTF8View {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var line = line.drop(while: isSpace)
        while let last = line.last, isSpace(last) { line.removeLast() }
        return line
    }
}
