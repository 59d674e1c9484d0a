import AppStore
import EntitlementDomain
import EventStore
import JSON

/// `entitled catalog import`.
enum CatalogImportCommand: Command {
    static let words = ["catalog", "import"]
    static let summary = "Put a catalog file into force, or make one of a .storekit file."
    static let positional = "FILE"
    static let options = [
        DatabaseOption.option,
        Option("output", "FILE", "where the catalog made of a .storekit file goes; default: standard output"),
        Option("force", nil, "write over another file at --output"),
    ]
    static let discussion = """
        A catalog is checked whole first. It comes into force as a CatalogChanged event; importing the catalog that is
        in force already changes nothing.

        A StoreKit configuration (Xcode's .storekit file, versions 2 to 5) is recognised by its content. It says what is
        sold and not what that opens, so a catalog is written for you to complete, and what is left to do is listed on
        standard error; no database is used. Then: entitled catalog check FILE, entitled catalog import FILE.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        guard let path = arguments.positional.first, arguments.positional.count == 1 else {
            throw CommandError(.usage, "name one file: a catalog or a StoreKit configuration")
        }
        let bytes = try CatalogFile.bytes(path)
        if let document = try? JSONParser.parse(bytes), StoreKitConfiguration.recognizes(document) {
            guard arguments.value("database") == nil else {
                throw CommandError(
                    .usage,
                    "\(path) is a StoreKit configuration; making a catalog of it uses no --database"
                )
            }
            try CatalogDrafting.run(path: path, bytes, output: arguments.value("output"), force: arguments.has("force"))
            return
        }
        for option in ["output", "force"] where arguments.has(option) {
            throw CommandError(.usage, "--\(option) is for a StoreKit configuration, and \(path) is none")
        }
        try await putIntoForce(path: path, bytes, arguments)
    }

    private static func putIntoForce(path: String, _ bytes: [UInt8], _ arguments: ParsedArguments) async throws {
        let document: CatalogDocument
        do throws(CatalogError) {
            document = try CatalogDocument.read(bytes)
        } catch {
            throw CommandError(.dataError, "\(path) has problems:\n\(error)")
        }
        for warning in document.warnings { CatalogDrafting.tell("\(path): \(warning)") }
        let json = document.canonicalJSON
        try await DatabaseOption.withStore(arguments) { store in
            let outcome = try await store.append(.catalog(json))
            if let event = outcome.events.first {
                print("the catalog is in force since position \(outcome.head.epoch):\(event.position)")
                while try await !store.followCatalog(upTo: .seconds(1)) {}
            } else {
                print("this catalog is in force already")
            }
        }
    }
}
