package import EntitlementDomain
package import JSON

/// What a command of the company answers: where the log is now, the id of what was made, and whether it was done before.
package struct CommandResponse: APIResponse {
    package var position: LogPosition
    /// The grant's or hold's id under its own name; nil: the command makes none.
    package var id: (name: String, value: AccountID)?
    /// True when this call, under its idempotency key, had its effect before.
    package var isRepetition: Bool

    package init(position: LogPosition, id: (name: String, value: AccountID)? = nil, isRepetition: Bool) {
        self.position = position
        self.id = id
        self.isRepetition = isRepetition
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("position", position.description)
        if let id { writer.member(id.name, id.value.description) }
        writer.member("repetition", isRepetition)
        writer.endObject()
    }

    package static let component: SchemaComponent? = .commandResult

    package static let schema: JSONValue = [
        "type": "object", "required": ["position", "repetition"],
        "properties": [
            "position": SchemaComponent.position.reference,
            "grantId": ["type": "string", "format": "uuid"],
            "holdId": ["type": "string", "format": "uuid"],
            "repetition": ["type": "boolean"],
        ],
    ]
}
