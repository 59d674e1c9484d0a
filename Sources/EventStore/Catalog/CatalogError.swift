/// A catalog that cannot be used, with everything that is wrong with it.
package struct CatalogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One fault and its place.
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        package enum Severity: String, Sendable, Hashable {
            /// The catalog cannot be used.
            case error
            /// The catalog can be used, but something looks like an oversight.
            case warning
        }

        package var severity: Severity
        /// Line in the document, from 1.
        package var line: Int
        /// Where, for example `products[2].grants[0]`; empty: the document itself.
        package var path: String
        /// What is wrong and what was expected.
        package var message: String

        package init(severity: Severity = .error, line: Int, path: String, message: String) {
            self.severity = severity
            self.line = line
            self.path = path
            self.message = message
        }

        package var description: String {
            let place = path.isEmpty ? "line \(line)" : "line \(line): \(path)"
            return severity == .warning ? "warning: \(place): \(message)" : "\(place): \(message)"
        }
    }

    /// What makes the catalog unusable, in the order of the lines; never empty.
    package var problems: [Problem]
    /// What else looks like an oversight, in the order of the lines.
    package var warnings: [Problem] = []

    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
