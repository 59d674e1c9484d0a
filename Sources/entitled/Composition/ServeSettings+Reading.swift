import Foundation
import JSON

/// What the parts of the configuration are read with.
extension ServeSettings {
    /// An object whose members are all known; nil, with a problem noted, when it is none.
    mutating func object(_ value: JSONValue, _ name: String, known: [String]) -> JSONObject? {
        guard let object = value.objectValue else {
            problems.append("\(name) must be an object; known: \(known.joined(separator: ", "))")
            return nil
        }
        for key in object.keys where !known.contains(key) {
            problems.append("\(name).\(key) is no setting; known: \(known.joined(separator: ", "))")
        }
        return object
    }

    /// Why a file gives nothing.
    ///
    /// - Parameter otherwise: when it is there and can be read.
    static func reason(_ path: String, otherwise: () -> String = { "cannot be read" }) -> String {
        let manager = FileManager.default
        if !manager.fileExists(atPath: path) { return "does not exist" }
        return manager.isReadableFile(atPath: path) ? otherwise() : "cannot be read: the permission is missing"
    }

    /// A whole number within bounds; nil, with a problem noted, when it is none.
    mutating func integer(_ value: JSONValue, _ name: String, in bounds: ClosedRange<Int>) -> Int? {
        guard let number = value.int64Value.map({ Int($0) }), bounds.contains(number) else {
            problems.append("\(name) must be a whole number from \(bounds.lowerBound) to \(bounds.upperBound)")
            return nil
        }
        return number
    }
}
