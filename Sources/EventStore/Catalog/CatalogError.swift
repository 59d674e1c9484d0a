/// A catalog that cannot be used, with everything that is wrong with it.
package struct CatalogError: Error, Sendable, Hashable, CustomStringConvertible {
    /// One fault and its place.
    package struct Problem: Sendable, Hashable, CustomStringConvertible {
        /// Line in the document, from 1.
        package var line: Int
        /// Where, for example `products[2].grants[0]`; empty: the document itself.
        package var path: String
        /// What is wrong and what was expected.
        package var message: String

        package var description: String {
            path.isEmpty ? "line \(line): \(message)" : "line \(line): \(path): \(message)"
        }
    }

    package var problems: [Problem]

    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
