import EntitlementAPI
import Foundation
import Testing

/// The documents say what is there, all of it, and nothing else.
struct DocumentTests {
    /// The first cells of the table under a heading of README.md, without the quotes of code.
    private func table(under heading: String) throws -> [[String]] {
        let lines = try Repository.text("README.md").split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0 == heading }, "README.md has no heading '\(heading)'")
        let section = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }
        let rows = section.filter { $0.hasPrefix("|") }.map { row in
            row.split(separator: "|").map {
                $0.trimmingCharacters(in: .whitespaces).replacing("`", with: "")
            }
        }
        return Array(rows.dropFirst(2))
    }

    /// Both ways: nothing is missing in a document, and nothing is there that is no more.
    private func compare(listed: [String], actual: [String], _ location: SourceLocation = #_sourceLocation) {
        let missing = Set(actual).subtracting(listed).sorted()
        let obsolete = Set(listed).subtracting(actual).sorted()
        #expect(missing.isEmpty, "not in the document", sourceLocation: location)
        #expect(obsolete.isEmpty, "in the document only", sourceLocation: location)
        #expect(listed.count == Set(listed).count, "something is listed twice", sourceLocation: location)
    }

    @Test func theCommandsOfTheMakefileAreThoseOfTheReadme() throws {
        let makefile = try Repository.text("Makefile")
        let commands = makefile.split(separator: "\n").filter { $0.contains(": ") && $0.contains(" ## ") }
            .compactMap { $0.split(separator: ":").first.map(String.init) }
        let phony = makefile.split(separator: "\n").filter { $0.hasPrefix(".PHONY: ") }.map { String($0.dropFirst(8)) }
        let listed = try table(under: "## Commands").compactMap { $0.first?.replacing("make ", with: "") }
        #expect(commands.contains("test"))
        #expect(commands.sorted() == phony.sorted(), "every command has its line in the list")
        compare(listed: listed, actual: commands)
    }

    @Test func documentsNameNoCommandThatIsNotThere() throws {
        let makefile = try Repository.text("Makefile")
        for file in try Repository.files(suffix: ".md") + [".ci/run", "Makefile"] {
            for part in try Repository.text(file).components(separatedBy: "`make ").dropFirst() {
                let name = part.prefix { $0.isLetter || $0 == "-" }
                guard !name.isEmpty else { continue }
                #expect(makefile.contains("\n\(name):"), "\(file) names `make \(name)`")
            }
        }
    }

    @Test func theReadmeListsEveryMethodWithItsScope() throws {
        let rows = try table(under: "## Methods").map { "\($0[0]) \($0[1])" }
        let service = try Repository.files(under: "Sources/EntitlementService", suffix: ".swift")
            .map { try Repository.text($0) }.joined()
        var declared: [String] = []
        for file in try Repository.files(under: "Sources/EntitlementAPI/Methods", suffix: ".swift") {
            let source = try Repository.text(file)
            guard let name = source.firstRange(of: "static let name = \"") else { continue }
            let type = file.split(separator: "/").last?.dropLast(6) ?? ""
            #expect(service.contains("\(type).self"), "\(type) is declared, but nobody answers it")
            let scope = try #require(source.firstRange(of: "static let scope: Scope? = "), "\(file) declares no scope")
            let text = source[scope.upperBound...].prefix { !$0.isNewline }.drop { $0 == "." }
            declared.append("\(source[name.upperBound...].prefix { $0 != "\"" }) \(text == "nil" ? "none" : text)")
        }
        #expect(declared.contains("entitlements.get read"))
        compare(listed: rows, actual: declared)
    }

    @Test func theReadmeListsEveryPath() throws {
        let source = try Repository.text("Sources/EntitlementService/HTTP/ServiceRouter.swift")
        let paths = source.components(separatedBy: "\"/").dropFirst().map { "/\($0.prefix { $0 != "\"" })" }
        let listed = try table(under: "### Paths").compactMap { $0[0].split(separator: " ").last.map(String.init) }
        // A path with a parameter is no literal in the router.
        compare(listed: listed.filter { !$0.contains("{") }, actual: Array(Set(paths)))
    }

    @Test func theReadmeListsEveryReasonOfAnError() throws {
        let rows = try table(under: "## Errors").filter { Int($0[1]).map { (1...999).contains($0) } ?? false }
        let listed = rows.map { "\($0[0]) \($0[1]) \($0[2])" }
        let declared = ErrorReason.allCases.map { "\($0.rawValue) \($0.code) \($0.isRetryable ? "yes" : "no")" }
        #expect(listed == declared)
    }

    @Test func everyGuaranteeNamesTestsThatAreThere() throws {
        let rows = try table(under: "## Guarantees")
        #expect(rows.count == 11)
        let files = try Repository.files(under: "Tests")
        for row in rows {
            let names = row[2].split(separator: ", ").map { $0.hasSuffix(".json") ? String($0) : "\($0).swift" }
            #expect(!names.isEmpty)
            for name in names {
                #expect(files.contains { $0.hasSuffix("/\(name)") }, "there is no \(name)")
            }
        }
    }

    @Test func theReadmeListsEveryPolicy() throws {
        let source = try Repository.text("Sources/EntitlementService/Configuration/PolicyDocument.swift")
        let names = source.components(separatedBy: "case \"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
        #expect(names.contains("ownership"))
        compare(listed: try table(under: "## Policies").map { $0[0] }, actual: names)
    }

    @Test func theReadmeListsEverySettingOfServe() throws {
        let source = try Repository.text("Sources/entitled/Composition/ServeSettings.swift")
        let start = try #require(source.firstRange(of: "static let known = ["))
        let names = source[start.upperBound...].prefix { $0 != "]" }.split(separator: "\"").filter {
            $0.first?.isLetter == true
        }
        let listed = try table(under: "### Configuration").flatMap { $0[0].split(separator: ", ") }
            .map { String($0.prefix { $0 != "." }) }
        compare(listed: Array(Set(listed)), actual: names.map(String.init))
    }

    @Test func theReadmeListsEveryCommandOfTheProgram() throws {
        let readme = try Repository.text("README.md")
        let lines = readme.components(separatedBy: "$ entitled --help").last?.split(separator: "\n") ?? []
        let listed = lines.prefix { !$0.hasPrefix("```") }.filter { $0.hasPrefix("  ") }
            .map { $0.dropFirst(2).components(separatedBy: "  ")[0] }
        let actual = try Repository.files(under: "Sources/entitled/Commands", suffix: ".swift").compactMap { file in
            let source = try Repository.text(file)
            return source.firstRange(of: "static let words = [").map { range in
                source[range.upperBound...].prefix { $0 != "]" }.split(separator: "\"").filter {
                    $0.first?.isLetter == true
                }
                .joined(separator: " ")
            }
        }
        #expect(actual.contains("keys create"))
        compare(listed: listed, actual: actual)
    }

    @Test func theModuleGuideHasAParagraphForEveryTarget() throws {
        let guide = try Repository.text("Sources/MODULES.md")
        let headings = guide.split(separator: "\n").filter { $0.hasPrefix("### ") }.map { String($0.dropFirst(4)) }
        let targets = try Manifest.current.get().targets.filter { $0.folder.hasPrefix("Sources/") }.map(\.name)
        compare(listed: headings, actual: targets)
    }

    @Test func linksOfDocumentsLeadSomewhere() throws {
        for file in try Repository.files(suffix: ".md") {
            let folder = file.split(separator: "/").dropLast().map { $0 + "/" }.joined()
            for part in try Repository.text(file).components(separatedBy: "](").dropFirst() {
                let target = String(part.prefix { $0 != ")" && $0 != "#" && !$0.isWhitespace })
                guard !target.isEmpty, !target.contains("://") else { continue }
                #expect(Repository.exists(folder + target), "\(file) links to \(target)")
            }
        }
    }
}
