import EntitlementDomain
import EventStore
import Foundation

/// `entitled catalog check`.
enum CatalogCheckCommand: Command {
    static let words = ["catalog", "check"]
    static let summary = "Check catalog files and report every problem with its line."
    static let positional = "FILE…"
    static let options: [Option] = []

    static func run(_ arguments: ParsedArguments) async throws {
        guard !arguments.positional.isEmpty else { throw CommandError(.usage, "name at least one catalog file") }
        var isFaulty = false
        for path in arguments.positional {
            let bytes = try CatalogFile.bytes(path)
            do throws(CatalogError) {
                let catalog = try CatalogDocument.read(bytes).catalog
                print(
                    "\(path): \(catalog.products.count) products, \(catalog.entitlements.count) entitlements, no problem"
                )
            } catch {
                isFaulty = true
                for problem in error.problems { print("\(path): \(problem)") }
            }
        }
        if isFaulty { throw CommandError(.checkFailed, "the catalog has problems") }
    }
}
