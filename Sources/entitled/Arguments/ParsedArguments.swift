/// The arguments of one command, taken apart by its declared options.
struct ParsedArguments: Sendable {
    private var values: [String: [String]] = [:]
    private(set) var positional: [String] = []
    private(set) var wantsHelp = false

    /// - Throws: `CommandError` of status usage for an option that is not declared, or lacks its value.
    init(_ arguments: some Sequence<String>, options: [Option]) throws(CommandError) {
        var iterator = Array(arguments).makeIterator()
        var isOnlyPositional = false
        while let argument = iterator.next() {
            if isOnlyPositional || !argument.hasPrefix("-") || argument == "-" {
                positional.append(argument)
                continue
            }
            if argument == "--" {
                isOnlyPositional = true
                continue
            }
            if argument == "--help" || argument == "-h" {
                wantsHelp = true
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0].drop { $0 == "-" })
            guard argument.hasPrefix("--"), let option = options.first(where: { $0.name == name }) else {
                throw CommandError(.usage, "there is no option '\(parts[0])' here; --help lists them")
            }
            if option.value == nil {
                guard parts.count == 1 else { throw CommandError(.usage, "--\(name) takes no value") }
                values[name, default: []].append("")
            } else if parts.count == 2 {
                values[name, default: []].append(String(parts[1]))
            } else if let value = iterator.next() {
                values[name, default: []].append(value)
            } else {
                throw CommandError(.usage, "--\(name) needs a value: --\(name) \(option.value ?? "")")
            }
        }
    }

    /// Whether a switch was given.
    func has(_ name: String) -> Bool {
        values[name] != nil
    }

    /// The value of an option; the last one, when it was given more than once.
    func value(_ name: String) -> String? {
        values[name]?.last
    }

    /// All values of an option that may be given more than once.
    func all(_ name: String) -> [String] {
        values[name] ?? []
    }

    /// The value of an option as a whole number within bounds.
    func integer(_ name: String, in bounds: ClosedRange<Int>) throws(CommandError) -> Int? {
        guard let text = value(name) else { return nil }
        guard let number = Int(text), bounds.contains(number) else {
            throw CommandError(
                .usage,
                "--\(name) must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound), not '\(text)'"
            )
        }
        return number
    }
}
