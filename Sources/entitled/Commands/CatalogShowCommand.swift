import EventStore
import JSON

/// `entitled catalog show`.
enum CatalogShowCommand: Command {
    static let words = ["catalog", "show"]
    static let summary = "Print the catalog that is in force."
    static let options = [DatabaseOption.option]

    static func run(_ arguments: ParsedArguments) async throws {
        try await DatabaseOption.withStore(arguments) { store in
            guard let json = try await store.catalogJSON() else {
                throw CommandError(
                    .checkFailed,
                    "no catalog is in force; 'entitled catalog import FILE' puts one into force"
                )
            }
            print(String(decoding: try JSONParser.parse(json).prettySerialized(), as: UTF8.self))
        }
    }
}
