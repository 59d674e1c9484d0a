import JSON

/// Reads a literal JSON object of a test.
func object(_ text: String) throws -> JSONObject {
    guard let object = try JSONParser.parse(text).objectValue else { throw NotAnObject() }
    return object
}

struct NotAnObject: Error {}
