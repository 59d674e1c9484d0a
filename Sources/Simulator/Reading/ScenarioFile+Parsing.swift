package import JSON

extension ScenarioFile {
    private static let keys = ["name", "about", "catalog", "policy", "deliveries", "orders", "repeat", "expect"]

    /// Reads a scenario.
    ///
    /// - Parameters:
    ///   - fileName: the file's name without its folder; it goes into messages and into default notification UUIDs.
    ///   - defaultCatalog: the catalog used when the file has none.
    /// - Returns: nil when the file has no `deliveries` (a catalog among the scenarios) and is to be passed over.
    /// - Throws: `ScenarioFileError` with every problem of the file.
    package static func parse(
        _ bytes: [UInt8],
        fileName: String,
        defaultCatalog: JSONValue? = nil
    ) throws(ScenarioFileError) -> ScenarioFile? {
        let document: JSONValue
        var reader: ScenarioReader
        do {
            document = try JSONParser.parse(bytes)
            reader = ScenarioReader(fileName: fileName, map: try JSONSourceMap(bytes))
        } catch {
            throw ScenarioFileError(syntax: error, file: fileName)
        }
        guard let object = reader.object(document, [], "a scenario (an object)") else {
            throw ScenarioFileError(problems: reader.problems)
        }
        guard object["deliveries"] != nil else { return nil }
        let scenario = read(object, &reader, defaultCatalog: defaultCatalog)
        guard let scenario, reader.problems.isEmpty else {
            throw ScenarioFileError(inFileOrder: reader.problems)
        }
        return scenario
    }

    private static func read(
        _ object: JSONObject,
        _ reader: inout ScenarioReader,
        defaultCatalog: JSONValue?
    ) -> ScenarioFile? {
        reader.allowOnly(keys, in: object, [])
        let name = reader.text("name", in: object, [])
        let about = reader.text("about", in: object, [])
        let policy = reader.policy(object["policy"], ["policy"])
        let orders: Orders? = reader.word("orders", in: object, [])
        let repeats = reader.flag("repeat", in: object, [])
        let catalog = reader.catalog(object["catalog"], ["catalog"], defaultCatalog: defaultCatalog)
        let products = CatalogProducts(catalog ?? .null)
        let deliveries = reader.deliveries(object["deliveries"], ["deliveries"], products: products)
        let expectations = reader.expectations(object["expect"], ["expect"], deliveries: deliveries)
        guard let catalog else { return nil }
        return ScenarioFile(
            fileName: reader.fileName,
            name: name ?? reader.fileName,
            about: about,
            catalog: catalog,
            policy: policy,
            deliveries: deliveries,
            orders: orders ?? .listed,
            repeats: repeats ?? false,
            expectations: expectations
        )
    }
}

extension ScenarioFileError {
    /// The error of a file that is no JSON.
    init(syntax error: JSONSyntaxError, file: String) {
        self.init(
            problems: [
                ScenarioProblem(
                    file: file,
                    line: error.line,
                    column: error.column,
                    pointer: "",
                    message: "not JSON: \(error.reason)"
                )
            ]
        )
    }

    /// The problems sorted by their place.
    init(inFileOrder problems: [ScenarioProblem]) {
        self.init(problems: problems.sorted { ($0.line, $0.column) < ($1.line, $1.column) })
    }
}
