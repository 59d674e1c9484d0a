import EntitlementDomain
import EntitlementService
import Foundation
import JSON

/// The policies that a command folds with.
enum PolicyOption {
    static let config = Option(
        "config",
        "FILE",
        "the configuration of serve, whose policy the projections were made with; default: the default policies"
    )
    static let policy = Option("policy", "FILE", "policies as a JSON object, as in the configuration of serve")

    /// The policies of the service's configuration; the default ones without `--config`.
    static func configured(_ arguments: ParsedArguments) throws(CommandError) -> Policy {
        guard let path = arguments.value("config") else { return Policy() }
        guard let value = try document(path)["policy"] else { return Policy() }
        return try read(value, path)
    }

    /// The policies in the file of `--policy`; nil without it.
    static func given(_ arguments: ParsedArguments) throws(CommandError) -> Policy? {
        guard let path = arguments.value("policy") else { return nil }
        return try read(try document(path), path)
    }

    private static func document(_ path: String) throws(CommandError) -> JSONValue {
        do {
            return try JSONParser.parse(try CatalogFile.bytes(path))
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError(.dataError, "\(path): \(error)")
        }
    }

    private static func read(_ value: JSONValue, _ path: String) throws(CommandError) -> Policy {
        let (policy, problems) = PolicyDocument.read(value)
        guard problems.isEmpty else {
            throw CommandError(.dataError, "\(path) has problems:\n\(problems.joined(separator: "\n"))")
        }
        return policy
    }
}
