/// One command of the command line.
protocol Command: Sendable {
    /// The words that call it, for example `["keys", "create"]`.
    static var words: [String] { get }
    static var summary: String { get }
    /// The positional arguments in the help text, for example `FILE…`.
    static var positional: String { get }
    static var options: [Option] { get }
    /// More for the help text: what it does, examples.
    static var discussion: String { get }

    /// Runs it.
    static func run(_ arguments: ParsedArguments) async throws
}

extension Command {
    static var positional: String { "" }
    static var discussion: String { "" }

    /// What `--help` prints.
    static var help: String {
        var usage = "Usage: entitled \(words.joined(separator: " "))"
        if !options.isEmpty { usage += " [options]" }
        if !positional.isEmpty { usage += " \(positional)" }
        var text = "\(usage)\n\n\(summary)\n"
        if !discussion.isEmpty { text += "\n\(discussion)\n" }
        text += "\nOptions:\n"
        let rows = (options + [Option("help", nil, "show this text")]).map { option in
            ("--\(option.name)" + (option.value.map { " \($0)" } ?? ""), option.help)
        }
        let width = rows.map(\.0.count).max() ?? 0
        for (left, right) in rows {
            text += "  \(left)\(String(repeating: " ", count: width - left.count))  \(right)\n"
        }
        return text
    }
}
