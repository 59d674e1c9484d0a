import Foundation

/// The files of this repository, as they lie on the disk.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// Folders that are no part of the repository: what was built, data of `entitled dev`, git's own.
    private static let foreign: Set<String> = [".build", ".entitled", ".git", ".swiftpm", ".vscode", ".idea"]

    /// The paths of all files under a folder, relative to the repository's top, sorted.
    static func files(under folder: String = "", suffix: String = "") throws -> [String] {
        try paths(in: folder).filter { $0.hasSuffix(suffix) }
    }

    private static func paths(in folder: String) throws -> [String] {
        var found: [String] = []
        for name in try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path).sorted()
        where !foreign.contains(name) {
            let path = folder.isEmpty ? name : "\(folder)/\(name)"
            if isFolder(path) { found += try paths(in: path) } else { found.append(path) }
        }
        return found
    }

    /// The names of the folders directly under a folder, sorted.
    static func folders(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { isFolder("\(folder)/\($0)") }.sorted()
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    static func isFolder(_ path: String) -> Bool {
        (try? root.appending(path: path).resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false
    }

    /// A file's text.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// A file's text; nil when it is no text (a certificate, for example).
    static func textIfAny(_ path: String) throws -> String? {
        String(validating: try Data(contentsOf: root.appending(path: path)), as: UTF8.self)
    }
}
