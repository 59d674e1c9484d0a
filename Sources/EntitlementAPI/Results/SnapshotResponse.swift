package import EntitlementDomain
package import JSON

/// All entitlements and balances of a key at one instant.
package struct SnapshotResponse: APIResponse {
    package var key: KeyParameters.Subject
    package var environment: StoreEnvironment
    package var answer: Answer
    package var position: LogPosition

    package init(key: KeyParameters.Subject, environment: StoreEnvironment, answer: Answer, position: LogPosition) {
        self.key = key
        self.environment = environment
        self.answer = answer
        self.position = position
    }

    package func write(to writer: inout JSONWriter) {
        write(to: &writer, isStable: false)
    }

    /// The result without `position` and `at`: the same bytes as long as the same is true of the key.
    package var stableJSON: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer, isStable: true)
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter, isStable: Bool) {
        writer.beginObject()
        writeMembers(to: &writer, key: key, isStable: isStable)
        writer.endObject()
    }

    /// The members of the object; without `key` it names nobody.
    func writeMembers(to writer: inout JSONWriter, key: KeyParameters.Subject?, isStable: Bool = false) {
        if !isStable { writer.member("position", position.description) }
        switch key {
        case .account(let account): writer.member("account", account.description)
        case .originalTransactionID(let id): writer.member("originalTransactionId", id)
        case nil: break
        }
        writer.member("environment", environment.rawValue)
        if !isStable { writer.member("at", answer.instant.iso8601) }
        writer.key("entitlements")
        writer.beginArray()
        for entitlement in answer.entitlements { EntitlementEntry(entitlement).write(to: &writer) }
        writer.endArray()
        writer.key("balances")
        writer.beginObject()
        for (currency, units) in answer.balances.sorted(by: { $0.key < $1.key }) { writer.member(currency, units) }
        writer.endObject()
        writer.member("nextChangeAt", answer.nextChangeAt?.iso8601)
    }

    package static let component: SchemaComponent? = .snapshot

    package static var schema: JSONValue {
        [
            "type": "object",
            "required": ["position", "environment", "at", "entitlements", "balances", "nextChangeAt"],
            "properties": [
                "position": SchemaComponent.position.reference,
                "account": ["type": "string", "format": "uuid"],
                "originalTransactionId": ["type": "string"],
                "environment": ["type": "string"],
                "at": ["type": "string", "format": "date-time"],
                "entitlements": ["type": "array", "items": SchemaComponent.entitlement.reference],
                "balances": SchemaComponent.balances.reference,
                "nextChangeAt": [
                    "type": ["string", "null"], "format": "date-time",
                    "description": "The next instant at which the clock alone may change this answer.",
                ],
            ],
        ]
    }
}
