import JSON
import Testing

/// Every fixture is there for a reason.
struct FixtureTests {
    private static let folder = "Tests/Fixtures"

    @Test func everyFixtureIsPlayedOrNamed() throws {
        let sources = try Repository.files(under: "Tests", suffix: ".swift").map { try Repository.text($0) }
        let folders = try Repository.folders(in: Self.folder)
        #expect(folders.contains("Scenarios"))
        for folder in folders {
            let index = "\(Self.folder)/\(folder)/README.md"
            #expect(Repository.exists(index), "\(Self.folder)/\(folder) has no README.md that says what is in it")
            let words = Repository.exists(index) ? try Repository.text(index) : ""
            // The scenarios are played as a folder; the file that would be passed over is the one without deliveries.
            for file in try Repository.files(under: "\(Self.folder)/\(folder)") where file != index {
                if folder == "Scenarios", file.hasSuffix(".json"), try hasDeliveries(file) { continue }
                let name = String(file.split(separator: "/").last ?? "")
                let isUsed = words.contains(name) || sources.contains { $0.contains(name) }
                #expect(isUsed, "\(file) is neither used by a test nor named in \(index)")
            }
        }
    }

    @Test func everyScenarioSaysWhatItIsAbout() throws {
        var names: [String: String] = [:]
        for file in try Repository.files(under: "\(Self.folder)/Scenarios", suffix: ".json")
        where try hasDeliveries(file) {
            let value = try JSONParser.parse(Repository.text(file))
            let name = try #require(value["name"]?.stringValue, "\(file) has no name")
            #expect(value["about"]?.stringValue?.isEmpty == false, "\(file) does not say what goes wrong elsewhere")
            #expect(names.updateValue(file, forKey: name) == nil, "\(file) has the name of another file: \(name)")
            #expect(value["expect"]?.arrayValue?.isEmpty == false, "\(file) expects nothing")
        }
        #expect(names.count >= 40)
    }

    private func hasDeliveries(_ file: String) throws -> Bool {
        try JSONParser.parse(Repository.text(file))["deliveries"] != nil
    }
}
