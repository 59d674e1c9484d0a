package import EntitlementDomain
import JSON

/// A catalog as a JSON document: `entitlements`, `currencies`, `products` (the README's chapter on catalogs).
package struct CatalogDocument: Sendable {
    package var catalog: Catalog
    /// The document as canonical JSON: what a `CatalogChanged` event carries.
    package var canonicalJSON: [UInt8]

    /// Reads a document and checks it whole.
    ///
    /// - Throws: every problem at once, each with its place.
    package static func read(_ bytes: [UInt8]) throws(CatalogError) -> CatalogDocument {
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes)
        } catch {
            throw CatalogError(problems: [.init(line: error.line, path: "", message: error.reason.description)])
        }
        var reader = CatalogReader(bytes: bytes)
        let catalog = reader.read(value)
        guard reader.problems.isEmpty else { throw CatalogError(problems: reader.problems) }
        return CatalogDocument(catalog: catalog, canonicalJSON: value.canonicalBytes())
    }
}
