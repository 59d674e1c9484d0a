/// The targets that Package.swift declares, read from its text: running the package manager inside a test would wait for
/// the one that runs the tests.
struct Manifest {
    enum Kind: String, CaseIterable {
        case library = ".target("
        case executable = ".executableTarget("
        case test = ".testTarget("
        case systemLibrary = ".systemLibrary("
    }

    struct Target {
        var name: String
        var kind: Kind
        var dependencies: [String]
        /// Where its files are, relative to the repository's top.
        var folder: String
    }

    let targets: [Target]

    /// The targets that are part of the product: neither tests, nor what only tests use, nor C libraries.
    var product: [Target] {
        targets.filter { ($0.kind == .library || $0.kind == .executable) && $0.folder.hasPrefix("Sources/") }
    }

    /// The targets with Swift files.
    var swift: [Target] { targets.filter { $0.kind != .systemLibrary } }

    static let current = Result { try Manifest(Repository.text("Package.swift")) }

    init(_ text: String) {
        let text = Self.withoutComments(text)
        var targets: [(position: String.Index, target: Target)] = []
        for kind in Kind.allCases {
            for range in text.ranges(of: kind.rawValue) {
                let declaration = Self.balanced(text[range.upperBound...])
                guard let name = Self.texts(after: "name:", in: declaration).first else { continue }
                let path = Self.texts(after: "path:", in: declaration).first
                targets.append(
                    (
                        range.lowerBound,
                        Target(
                            name: name,
                            kind: kind,
                            dependencies: Self.texts(after: "dependencies:", in: declaration),
                            folder: path ?? (kind == .test ? "Tests/\(name)" : "Sources/\(name)")
                        )
                    )
                )
            }
        }
        self.targets = targets.sorted { $0.position < $1.position }.map(\.target)
    }

    private static func withoutComments(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line }
            .joined(separator: "\n")
    }

    /// The text up to the parenthesis that closes the one before it.
    private static func balanced(_ text: Substring) -> Substring {
        var depth = 1
        for index in text.indices {
            if text[index] == "(" { depth += 1 }
            if text[index] == ")" { depth -= 1 }
            if depth == 0 { return text[..<index] }
        }
        return text
    }

    /// The texts in quotation marks after a label: one, or those of an array.
    private static func texts(after label: String, in declaration: Substring) -> [String] {
        guard let range = declaration.firstRange(of: label) else { return [] }
        let rest = declaration[range.upperBound...].drop { $0.isWhitespace }
        let end = rest.first == "[" ? rest.firstIndex(of: "]") : rest.firstIndex(of: ",")
        let parts = rest[..<(end ?? rest.endIndex)].split(separator: "\"", omittingEmptySubsequences: false)
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }
}
