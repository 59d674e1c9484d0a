import Foundation

/// Reads a file that a command names.
enum CatalogFile {
    static func bytes(_ path: String) throws(CommandError) -> [UInt8] {
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw CommandError(.noInput, "\(path) cannot be read")
        }
    }
}
