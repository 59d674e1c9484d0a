package import JSON

extension CommonParameters {
    /// A list of values that the method reads one by one, so that a fault names its place.
    package static func list(
        _ name: String,
        _ summary: String,
        limit: Int,
        itemSchema: JSONValue
    ) -> Parameter<[JSONValue]> {
        Parameter(
            name,
            summary,
            isRequired: true,
            expectation: "an array of 1 to \(limit) items",
            schema: [
                "type": "array", "minItems": 1, "maxItems": .number(JSONNumber(Int64(limit))), "items": itemSchema,
            ],
            read: { $0.arrayValue.flatMap { (1...limit).contains($0.count) ? $0 : nil } }
        )
    }
}
