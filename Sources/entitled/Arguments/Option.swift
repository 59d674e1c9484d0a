/// An option of a command: `--name VALUE`, or a switch without a value.
struct Option: Sendable {
    var name: String
    /// What the value is called in the help text; nil: a switch.
    var value: String?
    var help: String

    init(_ name: String, _ value: String? = nil, _ help: String) {
        self.name = name
        self.value = value
        self.help = help
    }
}
