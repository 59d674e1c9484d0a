import EntitlementDomain
import EventStore

/// `entitled catalog import`.
enum CatalogImportCommand: Command {
    static let words = ["catalog", "import"]
    static let summary = "Put a catalog file into force."
    static let positional = "FILE"
    static let options = [DatabaseOption.option]
    static let discussion = """
        The catalog is checked whole first. It comes into force as a CatalogChanged event; importing the catalog that is in
        force already changes nothing.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        guard let path = arguments.positional.first, arguments.positional.count == 1 else {
            throw CommandError(.usage, "name one catalog file")
        }
        let bytes = try CatalogFile.bytes(path)
        let document: CatalogDocument
        do throws(CatalogError) {
            document = try CatalogDocument.read(bytes)
        } catch {
            throw CommandError(.dataError, "\(path) has problems:\n\(error)")
        }
        let json = document.canonicalJSON
        try await DatabaseOption.withStore(arguments) { store in
            let outcome = try await store.append(.catalog(json))
            if let event = outcome.events.first {
                print("the catalog is in force since position \(outcome.head.epoch):\(event.position)")
            } else {
                print("this catalog is in force already")
            }
        }
    }
}
