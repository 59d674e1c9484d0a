package import EntitlementDomain
package import JSON

/// The balances of a key.
package struct BalancesResponse: APIResponse {
    package var balances: [String: Int64]
    package var position: LogPosition
    /// For a spend: whether it had its effect before.
    package var isRepetition: Bool?

    package init(balances: [String: Int64], position: LogPosition, isRepetition: Bool? = nil) {
        self.balances = balances
        self.position = position
        self.isRepetition = isRepetition
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("position", position.description)
        writer.key("balances")
        writer.beginObject()
        for (currency, units) in balances.sorted(by: { $0.key < $1.key }) { writer.member(currency, units) }
        writer.endObject()
        if let isRepetition { writer.member("repetition", isRepetition) }
        writer.endObject()
    }

    package static let component: SchemaComponent? = .balancesResult

    package static let schema: JSONValue = [
        "type": "object", "required": ["position", "balances"],
        "properties": [
            "position": SchemaComponent.position.reference,
            "balances": SchemaComponent.balances.reference,
            "repetition": ["type": "boolean"],
        ],
    ]
}
