import Foundation
import Testing

/// schema.sql and what the code takes from it.
struct SchemaTests {
    /// The columns of a table, in order.
    private func columns(of table: String) throws -> [String] {
        let text = try Repository.text("schema.sql")
        let start = try #require(text.firstRange(of: "CREATE TABLE IF NOT EXISTS \(table) (\n"), "there is no \(table)")
        return text[start.upperBound...].split(separator: "\n").prefix { !$0.hasPrefix(")") }
            .map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.hasPrefix("--") && !$0.hasPrefix("CONSTRAINT") }
            .compactMap { $0.split(separator: " ").first.map(String.init) }
    }

    @Test func anEventRowHasTheColumnsOfItsTable() throws {
        let columns = try columns(of: "events")
        #expect(columns.last == "hash", "the hash covers all columns before it")
        let source = try Repository.text("Sources/EventStore/Events/EventRow.swift")
        let label = try #require(source.firstRange(of: "columnCount: Int16 = "))
        let count = Int(source[label.upperBound...].prefix { $0.isNumber })
        #expect(count == columns.count - 1, "events has \(columns.count) columns, its hash among them")
    }

    @Test func theMigratorKnowsTheVersionOfTheSchema() throws {
        let schema = try Repository.text("schema.sql")
        let source = try Repository.text("Sources/EventStore/Schema/SchemaMigrator.swift")
        let label = try #require(source.firstRange(of: "static let version = "))
        let version = source[label.upperBound...].prefix { $0.isNumber }
        #expect(schema.contains("INSERT INTO schema_version (version) VALUES (\(version))"))
    }

    /// The file at the top is the one that is built in.
    @Test func thereIsOneSchema() throws {
        let link = Repository.root.appending(path: "Sources/EventStore/Schema/schema.sql").path
        let target = try FileManager.default.destinationOfSymbolicLink(atPath: link)
        #expect(target == "../../../schema.sql")
    }

    @Test func everyColumnOfALogTableHasItsNameOnce() throws {
        for table in ["certificate_chains", "evidence", "events", "statements"] {
            let columns = try columns(of: table)
            #expect(!columns.isEmpty && Set(columns).count == columns.count, "\(table): \(columns)")
        }
    }
}
