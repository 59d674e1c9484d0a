/// The formats of JSON Schema (draft 7, section 7.3) that this product's documents use; no other is fitting.
enum TextFormat {
    static func isFitting(_ text: String, _ format: String) -> Bool {
        switch format {
        case "date-time":
            JSONSchema.matches(text, #"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$"#)
        case "uuid": JSONSchema.matches(text, #"^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"#)
        case "uri": JSONSchema.matches(text, #"^[A-Za-z][A-Za-z0-9+.-]*:[^\s]+$"#)
        case "uri-reference": !text.contains { $0.isWhitespace }
        case "regex": (try? Regex(text)) != nil
        default: false
        }
    }
}
