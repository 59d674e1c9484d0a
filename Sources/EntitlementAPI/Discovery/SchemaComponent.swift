package import JSON

/// Schemas that several parameters and results share. In the OpenRPC document they stand under `components/schemas`, and
/// are referred to.
package enum SchemaComponent: String, Sendable, CaseIterable {
    case balances = "Balances"
    case catalog = "Catalog"
    case commandResult = "CommandResult"
    case balancesResult = "BalancesResult"
    case entitlement = "Entitlement"
    case entitlementSource = "EntitlementSource"
    case event = "Event"
    case offer = "Offer"
    case position = "Position"
    case snapshot = "Snapshot"

    /// A reference to it.
    package var reference: JSONValue { ["$ref": .string("#/components/schemas/\(rawValue)")] }

    /// JSON Schema (draft 7) of it.
    package var schema: JSONValue {
        switch self {
        case .balances:
            [
                "type": "object", "additionalProperties": ["type": "integer"],
                "description": "The units of each currency that was ever credited.",
            ]
        case .catalog: CatalogSchemas.catalog
        case .commandResult: CommandResponse.schema
        case .balancesResult: BalancesResponse.schema
        case .entitlement: EntitlementEntry.schema
        case .entitlementSource: EntitlementEntry.sourceSchema
        case .event: EventsList.Event.schema
        case .offer: FactSchemas.offer
        case .position:
            [
                "type": "string", "pattern": "^[0-9]+:[0-9]+(\\.[0-9]+)?$",
                "description": "A place in the log: epoch, colon, number. One of the change feed may end in .number.",
            ]
        case .snapshot: SnapshotResponse.schema
        }
    }
}
