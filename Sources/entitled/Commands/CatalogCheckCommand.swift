import AppStore
import EventStore
import JSON

/// `entitled catalog check`.
enum CatalogCheckCommand: Command {
    static let words = ["catalog", "check"]
    static let summary = "Check catalog files and report every problem with its line."
    static let positional = "FILE…"
    static let options = [Option("json", nil, "print one JSON document instead of lines")]
    static let discussion = """
        An error makes a catalog unusable: exit status 1. A warning tells of what looks like an oversight, such as an
        entitlement that no product grants; with warnings only the exit status is 0.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        guard !arguments.positional.isEmpty else { throw CommandError(.usage, "name at least one catalog file") }
        var reports: [CatalogCheckReport] = []
        for path in arguments.positional {
            reports.append(CatalogCheckReport(path: path, bytes: try CatalogFile.bytes(path)))
            if !arguments.has("json"), let report = reports.last { print(report.text) }
        }
        if arguments.has("json") {
            let document: JSONValue = [
                "ok": .bool(reports.allSatisfy(\.isUsable)), "files": .array(reports.map(\.json)),
            ]
            print(document)
        }
        if !reports.allSatisfy(\.isUsable) { throw CommandError(.checkFailed, "the catalog has problems") }
    }
}
