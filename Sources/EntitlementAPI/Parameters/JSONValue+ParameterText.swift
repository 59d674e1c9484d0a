import JSON

extension JSONValue {
    /// Text of 1 to so many bytes without U+0000, which PostgreSQL's text cannot hold; nil for anything else.
    func parameterText(maximumBytes: Int) -> String? {
        guard let text = stringValue, (1...maximumBytes).contains(text.utf8.count), !text.utf8.contains(0) else {
            return nil
        }
        return text
    }
}
