private import Foundation
import JSON

extension ScenarioFile {
    /// The name of the catalog that stands beside scenario files and serves those without one of their own.
    package static let catalogFileName = "catalog.json"

    /// Reads a scenario from disk; its default catalog is the `catalog.json` in the same folder.
    ///
    /// - Returns: nil when the file has no `deliveries` and is to be passed over.
    /// - Throws: `ScenarioFileError`, also when the file or the catalog beside it cannot be read.
    package static func load(_ path: String) throws(ScenarioFileError) -> ScenarioFile? {
        let url = URL(filePath: path)
        let bytes = try contents(of: url)
        let beside = url.deletingLastPathComponent().appending(path: catalogFileName)
        var catalog: JSONValue?
        if FileManager.default.fileExists(atPath: beside.path(percentEncoded: false)) {
            do {
                catalog = try JSONParser.parse(try contents(of: beside))
            } catch let error as JSONSyntaxError {
                throw ScenarioFileError(syntax: error, file: beside.lastPathComponent)
            } catch let error as ScenarioFileError {
                throw error
            } catch {
                preconditionFailure("reading and parsing throw nothing else: \(error)")
            }
        }
        return try parse(bytes, fileName: url.lastPathComponent, defaultCatalog: catalog)
    }

    /// The scenario files that the paths mean: a folder stands for the `.json` files in it, by name.
    package static func files(at paths: [String]) -> [String] {
        paths.flatMap { path -> [String] in
            guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return [path] }
            return names.filter { $0.hasSuffix(".json") }.sorted().map { path + "/" + $0 }
        }
    }

    private static func contents(of url: URL) throws(ScenarioFileError) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: url))
        } catch {
            throw ScenarioFileError(
                problems: [
                    ScenarioProblem(
                        file: url.lastPathComponent,
                        line: 1,
                        column: 1,
                        pointer: "",
                        message: "cannot read \(url.path(percentEncoded: false)): \(error.localizedDescription)"
                    )
                ]
            )
        }
    }
}
