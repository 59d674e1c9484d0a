/// The import declarations of Swift files.
enum Imports {
    struct Import {
        var module: String
        var file: String
        var line: Int
    }

    private static let modifiers: Set<Substring> = [
        "package", "internal", "private", "fileprivate", "public", "@testable", "@preconcurrency",
        "@_implementationOnly", "@_exported",
    ]
    private static let kinds: Set<Substring> = [
        "class", "enum", "func", "let", "protocol", "struct", "typealias", "var",
    ]

    /// All imports of the Swift files under a folder.
    static func all(in folder: String) throws -> [Import] {
        try Repository.files(under: folder, suffix: ".swift").flatMap { file in
            imports(of: try SwiftCode.file(file), file: file)
        }
    }

    /// The imports of one file's code.
    static func imports(of code: SwiftCode, file: String) -> [Import] {
        code.lines.enumerated().compactMap { index, line in
            var words = line.split { $0 == " " || $0 == "\t" || $0 == ";" }[...]
            while let word = words.first, modifiers.contains(word) { words.removeFirst() }
            guard words.first == "import" else { return nil }
            words.removeFirst()
            if let word = words.first, kinds.contains(word) { words.removeFirst() }
            guard let module = words.first?.split(separator: ".").first else { return nil }
            return Import(module: String(module), file: file, line: index + 1)
        }
    }
}
