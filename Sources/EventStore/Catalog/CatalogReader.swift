import EntitlementDomain
import JSON

/// Reads a catalog document and collects every problem with its place.
///
/// A member that cannot be read is reported and the reading goes on, so that one look tells all.
struct CatalogReader {
    private(set) var problems: [CatalogError.Problem] = []
    private let map: JSONSourceMap

    var entitlements = CatalogNames()
    var currencies = CatalogNames()
    /// Where each product stands first.
    var productPaths: [String: [JSONPathElement]] = [:]
    /// What is compared among products once all are read.
    var subscriptions: [CatalogSubscription] = []

    init(map: JSONSourceMap) {
        self.map = map
    }

    /// The problems in the order of their lines, those of one line in the order in which they were found.
    var sortedProblems: [CatalogError.Problem] {
        problems.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
    }

    /// The catalog as far as it can be read; what to think of it is in `problems`.
    mutating func read(_ value: JSONValue) -> Catalog {
        guard let document = value.objectValue else {
            report([], "a catalog must be an object with entitlements, currencies and products")
            return .empty
        }
        for duplicate in map.duplicateKeys {
            add(.error, line: duplicate.again.line, duplicate.path, "this member is given twice")
        }
        checkKeys(of: document, at: [], known: ["entitlements", "currencies", "products"])
        entitlements = readNames(document["entitlements"], "entitlements")
        currencies = readNames(document["currencies"], "currencies")
        var products: [Product] = []
        switch document["products"] {
        case nil: report([], "products is missing")
        case .array(let list)?:
            for (index, element) in list.enumerated() {
                if let product = readProduct(element, at: ["products", .index(index)]) { products.append(product) }
            }
            if list.isEmpty { warn(["products"], "the catalog has no products: nobody is entitled to anything") }
        case let other?: report(["products"], "must be an array of products, not \(other.phrase)")
        }
        compareSubscriptions()
        checkUse()
        return Catalog(entitlements: entitlements.ids, currencies: currencies.ids, products: products)
    }

    private mutating func readNames(_ value: JSONValue?, _ list: String) -> CatalogNames {
        var names = CatalogNames()
        var spellings: [String: String] = [:]
        guard let value else { return names }
        guard let elements = value.arrayValue else {
            report([.key(list)], "must be an array of objects with an id, not \(value.phrase)")
            return names
        }
        for (index, element) in elements.enumerated() {
            let path: [JSONPathElement] = [.key(list), .index(index)]
            guard let object = element.objectValue else {
                report(path, "must be an object with an id, not \(element.phrase)")
                continue
            }
            checkKeys(of: object, at: path, known: ["id", "name"])
            _ = readText(object["name"], at: path + ["name"])
            guard let id = readText(object["id"], at: path + ["id"], required: true) else { continue }
            if let first = names.paths[id] {
                report(path + ["id"], "\"\(id)\" is listed twice, first on line \(line(of: first))")
                continue
            }
            if let other = spellings[id.lowercased()] {
                warn(path + ["id"], "\"\(id)\" differs from \"\(other)\" only in case: they are two")
            } else {
                spellings[id.lowercased()] = id
            }
            names.ids.append(id)
            names.paths[id] = path + ["id"]
        }
        return names
    }

    /// What is listed and never used.
    private mutating func checkUse() {
        for id in entitlements.ids where !entitlements.used.contains(id) {
            if let path = entitlements.paths[id] { warn(path, "no product grants entitlement \"\(id)\"") }
        }
        for id in currencies.ids where !currencies.used.contains(id) {
            if let path = currencies.paths[id] { warn(path, "no product credits currency \"\(id)\"") }
        }
    }

    // MARK: Reporting

    mutating func report(_ path: [JSONPathElement], _ message: String) {
        add(.error, line: line(of: path), path, message)
    }

    mutating func warn(_ path: [JSONPathElement], _ message: String) {
        add(.warning, line: line(of: path), path, message)
    }

    mutating func checkKeys(of object: JSONObject, at path: [JSONPathElement], known: [String]) {
        for key in object.keys where !known.contains(key) {
            let place = path + [.key(key)]
            add(
                .error,
                line: map.keyPosition(of: place)?.line ?? line(of: place),
                place,
                "there is no member \"\(key)\" here; known: \(known.joined(separator: ", "))"
            )
        }
    }

    /// The line of a value, or of the nearest one around it.
    func line(of path: [JSONPathElement]) -> Int {
        map.nearestPosition(to: path).line
    }

    private mutating func add(
        _ severity: CatalogError.Problem.Severity,
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
        problems.append(CatalogError.Problem(severity: severity, line: line, path: text, message: message))
    }
}
