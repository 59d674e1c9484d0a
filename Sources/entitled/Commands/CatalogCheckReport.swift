import AppStore
import EntitlementDomain
import EventStore
import JSON

/// What is to say about one catalog file, for people and for programs.
struct CatalogCheckReport {
    let path: String
    /// Nil when the file cannot be used.
    let catalog: Catalog?
    /// Errors and warnings in the order of their lines.
    let problems: [CatalogError.Problem]

    init(path: String, bytes: [UInt8]) {
        self.path = path
        do {
            let document = try CatalogDocument.read(bytes)
            catalog = document.catalog
            problems = document.warnings
        } catch {
            catalog = nil
            if let document = try? JSONParser.parse(bytes), StoreKitConfiguration.recognizes(document) {
                problems = [
                    CatalogError.Problem(
                        line: 1,
                        path: "",
                        message:
                            "this is a StoreKit configuration; 'entitled catalog import \(path)' makes a catalog of it"
                    )
                ]
            } else {
                problems = (error.problems + error.warnings).enumerated()
                    .sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }.map(\.element)
            }
        }
    }

    var isUsable: Bool { catalog != nil }

    private var warningCount: Int { problems.count { $0.severity == .warning } }

    /// One line for each problem, and one line at the end.
    var text: String {
        let lines = problems.map { "\(path): \($0)" }
        let warnings = Self.count(warningCount, "warning")
        guard let catalog else {
            let errors = Self.count(problems.count - warningCount, "error")
            return (lines + ["\(path): \(errors), \(warnings)"]).joined(separator: "\n")
        }
        let products = Self.count(catalog.products.count, "product")
        let content = "\(products), \(Self.count(catalog.entitlements.count, "entitlement"))"
        return (lines + ["\(path): \(content), \(warningCount == 0 ? "no problem" : warnings)"])
            .joined(separator: "\n")
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }

    /// `file`, `ok`, `problems` with `severity`, `line`, `path` and `message` each, and the counts of what was read.
    var json: JSONValue {
        var object: JSONObject = ["file": .string(path), "ok": .bool(isUsable)]
        if let catalog {
            object.append("products", .init(Int64(catalog.products.count)))
            object.append("entitlements", .init(Int64(catalog.entitlements.count)))
            object.append("currencies", .init(Int64(catalog.currencies.count)))
        }
        object.append(
            "problems",
            .array(
                problems.map { problem in
                    [
                        "severity": .string(problem.severity.rawValue), "line": .init(Int64(problem.line)),
                        "path": .string(problem.path), "message": .string(problem.message),
                    ]
                }
            )
        )
        return .object(object)
    }
}
