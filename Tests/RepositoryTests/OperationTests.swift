import Foundation
import Testing

/// The names of metrics: what the service exports, what the guide lists, and what alerts and dashboard ask for.
struct OperationTests {
    /// Every name of a metric that stands in the service's sources: each is declared by a literal.
    private static func exported() throws -> Set<String> {
        var names: Set<String> = []
        for file in try Repository.files(under: "Sources/EntitlementService", suffix: ".swift") {
            names.formUnion(Self.names(in: try Repository.text(file), quoted: true))
        }
        return names
    }

    /// - Parameter quoted: only those that are a whole literal.
    private static func names(in text: String, quoted: Bool) -> Set<String> {
        let pattern = quoted ? #/"((?:entitled|process)_[a-z0-9_]+)"/# : #/\b((?:entitled|process)_[a-z0-9_]+)/#
        // The role of the database and the feed's channel look like metrics.
        return Set(text.matches(of: pattern).map { String($0.output.1) }).subtracting(["entitled_service"])
    }

    /// A histogram is asked for by its parts.
    private static func family(_ name: String, in exported: Set<String>) -> String {
        for suffix in ["_bucket", "_sum", "_count"] where name.hasSuffix(suffix) {
            let family = String(name.dropLast(suffix.count))
            if exported.contains(family) { return family }
        }
        return name
    }

    @Test func theGuideListsEveryMetric() throws {
        let exported = try Self.exported()
        #expect(exported.count > 50)
        let rows = try Repository.text("deploy/OPERATION.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
        let listed = rows.compactMap { $0.firstMatch(of: #/^\| `((?:entitled|process)_[a-z0-9_]+)`/#)?.output.1 }
            .map(String.init)
        #expect(listed.count == Set(listed).count, "a metric is listed twice")
        #expect(exported.subtracting(listed).sorted() == [], "not in the guide")
        #expect(Set(listed).subtracting(exported).sorted() == [], "in the guide only")
    }

    @Test(arguments: [
        "deploy/prometheus/alerts.yml", "deploy/prometheus/alerts-tests.yml", "deploy/grafana/entitled.json",
    ])
    func nobodyAsksForAMetricThatThereIsNot(file: String) throws {
        let exported = try Self.exported()
        let asked = Self.names(in: try Repository.text(file), quoted: false)
        #expect(asked.count > 20)
        #expect(asked.filter { !exported.contains(Self.family($0, in: exported)) }.sorted() == [])
    }

    @Test func everyAlertHasItsParagraphAndItsTest() throws {
        let text = try Repository.text("deploy/prometheus/alerts.yml")
        let alerts = text.matches(of: #/- alert: (\w+)/#).map { String($0.output.1) }
        let guide = try Repository.text("deploy/OPERATION.md")
        let tests = try Repository.text("deploy/prometheus/alerts-tests.yml")
        #expect(alerts.count > 15)
        for alert in alerts {
            #expect(guide.contains("\n### \(alert)\n"), "the guide does not say what to do about \(alert)")
            #expect(tests.contains("alertname: \(alert)\n        exp_alerts:\n          - "), "\(alert) is not tested")
        }
    }
}
