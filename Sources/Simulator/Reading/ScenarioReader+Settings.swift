import EntitlementDomain
import JSON

extension ScenarioReader {
    private static let policyKeys = [
        "ownership", "refundAccess", "renewalLeeway", "graceWithoutDate", "negativeBalance", "acceptXcode",
        "environments",
    ]

    /// The settings that differ from the defaults, each checked; the object itself goes to the service.
    mutating func policy(_ value: JSONValue?, _ path: Path) -> JSONObject {
        guard let value, let object = object(value, path, "the settings (an object)") else { return JSONObject() }
        allowOnly(Self.policyKeys, in: object, path)
        _ = word("ownership", in: object, path, of: Policy.OwnershipRule.self)
        _ = word("refundAccess", in: object, path, of: RefundAccess.self)
        _ = word("negativeBalance", in: object, path, of: Policy.NegativeBalance.self)
        _ = flag("acceptXcode", in: object, path)
        for key in ["renewalLeeway", "graceWithoutDate"] {
            guard let value = object[key], value.stringValue.flatMap(CalendarDuration.init(iso8601:)) == nil else {
                continue
            }
            report(path + [.key(key)], expected: "an ISO 8601 duration such as \"PT6H\" or \"P1D\"", found: value)
        }
        if let value = object["environments"] {
            let names = value.arrayValue?.map(\.stringValue)
            if names == nil || names!.contains(where: { $0?.isEmpty ?? true }) {
                report(path + ["environments"], expected: "an array of environment names", found: value)
            }
        }
        return object
    }

    /// The catalog: the file's own, else the default. Only what the statements need is looked at here; the service
    /// checks the rest when it takes the catalog.
    mutating func catalog(_ value: JSONValue?, _ path: Path, defaultCatalog: JSONValue?) -> JSONValue? {
        guard let value = value ?? defaultCatalog else {
            report([], "no catalog: add a \"catalog\", or a \(ScenarioFile.catalogFileName) beside the file")
            return nil
        }
        guard object(value, path, "a catalog (an object)") != nil else { return nil }
        guard value["products"]?.arrayValue != nil else {
            report(path + ["products"], expected: "an array of products", found: value["products"])
            return nil
        }
        return value
    }
}
