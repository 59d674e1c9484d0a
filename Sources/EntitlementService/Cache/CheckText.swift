import JSON

/// The result of `entitlements.check`, cut out of that of `entitlements.get`.
struct CheckText {
    private static let names = JSONKeyTable(["position", "entitlements"])
    private static let entryNames = JSONKeyTable(["entitlement", "active", "state", "expiresAt"])

    private let source: [UInt8]
    private let entitlement: ArraySlice<UInt8>
    private var position = 0..<0
    /// Where `active`, `state` and `expiresAt` stand; empty: the entitlement was never held.
    private var values: [Range<Int>] = []

    /// - Parameter entitlement: its name as JSON text without quotes and escapes.
    init?(_ source: [UInt8], _ entitlement: ArraySlice<UInt8>) {
        self.source = source
        self.entitlement = entitlement
        guard var scanner = try? JSONScanner(source) else { return nil }
        while let member = try? scanner.next() {
            switch Self.names.index(of: member.key, in: scanner) {
            case 0: position = member.value.range
            case 1:
                guard let entries = JSONElements(member.value, in: source) else { return nil }
                for entry in entries.tokens {
                    guard let values = Self.values(entry, source, entitlement) else { continue }
                    self.values = values
                    break
                }
            default: break
            }
        }
        if position.isEmpty { return nil }
    }

    /// The values of an entry; nil when it is that of another entitlement.
    private static func values(
        _ entry: JSONToken,
        _ source: [UInt8],
        _ entitlement: ArraySlice<UInt8>
    ) -> [Range<Int>]? {
        guard var scanner = JSONScanner(entry, in: source) else { return nil }
        var values = [0..<0, 0..<0, 0..<0]
        while let member = try? scanner.next() {
            guard let index = entryNames.index(of: member.key, in: scanner) else { continue }
            if index > 0 {
                values[index - 1] = member.value.range
            } else if !source[member.value.range].dropFirst().dropLast().elementsEqual(entitlement) {
                return nil
            }
        }
        return values
    }

    /// Writes the result.
    func write(to bytes: inout [UInt8]) {
        bytes.append(contentsOf: #"{"position":"#.utf8)
        bytes.append(contentsOf: source[position])
        bytes.append(contentsOf: #","entitlement":""#.utf8)
        bytes.append(contentsOf: entitlement)
        if values.isEmpty {
            bytes.append(contentsOf: #"","active":false,"state":"none","expiresAt":null}"#.utf8)
            return
        }
        bytes.append(contentsOf: #"","active":"#.utf8)
        bytes.append(contentsOf: source[values[0]])
        bytes.append(contentsOf: #","state":"#.utf8)
        bytes.append(contentsOf: source[values[1]])
        bytes.append(contentsOf: #","expiresAt":"#.utf8)
        bytes.append(contentsOf: source[values[2]])
        bytes.append(UInt8(ascii: "}"))
    }
}
