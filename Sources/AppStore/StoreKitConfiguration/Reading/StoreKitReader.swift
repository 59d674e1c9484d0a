import EntitlementDomain
import JSON

/// Reads a StoreKit configuration and collects every problem with its place.
struct StoreKitReader {
    private(set) var problems: [StoreKitProblem] = []
    private let map: JSONSourceMap
    /// Where each product stands, to find one that stands twice.
    private var productPaths: [String: [JSONPathElement]] = [:]

    init(map: JSONSourceMap) {
        self.map = map
    }

    /// The problems in the order of their lines, those of one line in the order in which they were found.
    var sortedProblems: [StoreKitProblem] {
        problems.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
    }

    /// The configuration, as far as it can be read; nil when it cannot be read at all.
    mutating func read(_ document: JSONValue) -> StoreKitConfiguration? {
        guard let object = document.objectValue else {
            report([], "a StoreKit configuration is an object with version, products and subscriptionGroups")
            return nil
        }
        let version = readVersion(object)
        // A later format may mean something else by the same names: nothing else is said about it.
        if let version, !StoreKitVersion.known.contains(version.major) {
            report(
                ["version"],
                "version \(version) is not known; versions \(StoreKitVersion.known.lowerBound) to "
                    + "\(StoreKitVersion.known.upperBound) are read, open and save the file with a current Xcode"
            )
            return nil
        }
        for duplicate in map.duplicateKeys {
            add(.error, line: duplicate.again.line, duplicate.path, "this member is given twice")
        }
        if object["subscriptions"] != nil {
            report(["subscriptions"], "subscriptions stand in a group: subscriptionGroups[].subscriptions")
        }
        let products = list(object, "products").compactMap { readProduct($0.value, at: $0.path, in: .products) }
        let passes = list(object, "nonRenewingSubscriptions")
            .compactMap { readProduct($0.value, at: $0.path, in: .passes) }
        let groups = list(object, "subscriptionGroups").compactMap { readGroup($0.value, at: $0.path) }
        checkGroupIDs(object)
        guard let version else { return nil }
        let configuration = StoreKitConfiguration(version: version, products: products, passes: passes, groups: groups)
        if configuration.productCount == 0, problems.isEmpty { warn([], "the configuration has no products") }
        return configuration
    }

    private mutating func readVersion(_ object: JSONObject) -> StoreKitVersion? {
        guard let value = object["version"] else {
            report([], "version is missing; Xcode writes \"version\" : { \"major\" : 4, \"minor\" : 0 }")
            return nil
        }
        guard let major = value["major"]?.int64Value, let minor = value["minor"]?.int64Value,
            (0...9_999).contains(major), (0...9_999).contains(minor)
        else {
            let hint = value.objectValue == nil ? ", not \(value.phrase)" : ""
            report(["version"], "must be an object of two whole numbers, { \"major\" : 4, \"minor\" : 0 }\(hint)")
            return nil
        }
        return StoreKitVersion(major: Int(major), minor: Int(minor))
    }

    private mutating func checkGroupIDs(_ object: JSONObject) {
        var paths: [String: [JSONPathElement]] = [:]
        for (index, group) in (object["subscriptionGroups"]?.arrayValue ?? []).enumerated() {
            guard let id = group["id"]?.stringValue else { continue }
            let path: [JSONPathElement] = ["subscriptionGroups", .index(index), "id"]
            if let first = paths[id] {
                report(path, "group \"\(id)\" stands twice, first on line \(line(of: first))")
            } else {
                paths[id] = path
            }
        }
    }

    /// Notes a product id; false when it stands a second time, which is reported.
    mutating func register(_ productID: String, at path: [JSONPathElement]) -> Bool {
        if let first = productPaths[productID] {
            report(path, "product \"\(productID)\" stands twice, first on line \(line(of: first))")
            return false
        }
        productPaths[productID] = path
        return true
    }

    // MARK: Reporting

    mutating func report(_ path: [JSONPathElement], _ message: String) {
        add(.error, line: line(of: path), path, message)
    }

    mutating func warn(_ path: [JSONPathElement], _ message: String) {
        add(.warning, line: line(of: path), path, message)
    }

    private mutating func add(
        _ severity: StoreKitProblem.Severity,
        line: Int,
        _ path: [JSONPathElement],
        _ message: String
    ) {
        var text = ""
        for element in path {
            switch element {
            case .key(let key): text += text.isEmpty ? key : "." + key
            case .index(let index): text += "[\(index)]"
            }
        }
        problems.append(StoreKitProblem(severity: severity, line: line, path: text, message: message))
    }

    private func line(of path: [JSONPathElement]) -> Int {
        map.nearestPosition(to: path).line
    }
}
