import EntitlementDomain
import EntitlementService
import Foundation
import JSON

extension ServeSettings {
    /// The shortest interval of checkpoints, in seconds.
    private static let shortestInterval: Int64 = 1

    /// Whether a directory takes files, or can be made.
    private static func canBeWritten(_ path: String) -> Bool {
        var place = URL(filePath: path).standardizedFileURL
        while !FileManager.default.fileExists(atPath: place.path), place.path != "/" {
            place.deleteLastPathComponent()
        }
        let isDirectory = try? place.resourceValues(forKeys: [.isDirectoryKey]).isDirectory
        return isDirectory == true && FileManager.default.isWritableFile(atPath: place.path)
    }

    /// Reads `checkpoints`.
    mutating func read(checkpoints value: JSONValue) {
        guard let object = value.objectValue else {
            problems.append("checkpoints must be an object with directory and interval")
            return
        }
        for key in object.keys where !["directory", "interval"].contains(key) {
            problems.append("checkpoints.\(key) is no setting; known: directory, interval")
        }
        if let value = object["directory"] {
            checkpoints.directory = value.stringValue
            if let path = checkpoints.directory {
                if !Self.canBeWritten(path) {
                    problems.append("checkpoints.directory: \(path) cannot be written: make it, for the service's user")
                }
            } else {
                problems.append("checkpoints.directory must be text: a path")
            }
        }
        if let value = object["interval"] {
            // A month has no fixed length; days and parts of days have.
            let start = Instant(milliseconds: 0)
            let duration = value.stringValue.flatMap { CalendarDuration(iso8601: $0) }
            let seconds = duration.map { (start.adding($0).milliseconds - start.milliseconds) / 1_000 }
            if let seconds, seconds >= Self.shortestInterval {
                checkpoints.interval = .seconds(seconds)
            } else {
                problems.append("checkpoints.interval must be an ISO 8601 duration such as \"PT1H\", a second at least")
            }
        }
    }
}
