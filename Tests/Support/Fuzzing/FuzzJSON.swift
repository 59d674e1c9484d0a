import JSON

/// The parser, the scanner and the source map over the same bytes.
enum FuzzJSON {
    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        let tree = try? JSONParser.parse(bytes)
        let map = try? JSONSourceMap(bytes)
        guard (tree == nil) == (map == nil) else { throw FuzzFinding("parser and source map disagree") }
        try scan(bytes, tree)
        guard let tree else { return }
        guard (try? JSONParser.parse(tree.serialized())) == tree else {
            throw FuzzFinding("what is written is not what was read")
        }
        let canonical = tree.canonicalBytes()
        if let again = try? JSONParser.parse(canonical), again.canonicalBytes() != canonical {
            throw FuzzFinding("the canonical form has another canonical form")
        }
    }

    private static func scan(_ bytes: [UInt8], _ tree: JSONValue?) throws(FuzzFinding) {
        var isWhole = false
        var count = 0
        if var scanner = try? JSONScanner(bytes) {
            do {
                while let member = try scanner.next() {
                    _ = scanner.text(member.key)
                    _ = scanner.tree(member.value)
                    _ = scanner.raw(member.value)
                    count += 1
                }
                isWhole = true
            } catch {}
        }
        guard isWhole == (tree?.objectValue != nil) else { throw FuzzFinding("parser and scanner disagree") }
        if let members = tree?.objectValue?.members, members.count > count {
            throw FuzzFinding("the scanner found \(count) members, the parser \(members.count)")
        }
    }
}
