import JSON

/// The entitlements or the currencies that a catalog lists, while it is read.
struct CatalogNames {
    /// In the order of the document.
    var ids: [String] = []
    /// Where each stands.
    var paths: [String: [JSONPathElement]] = [:]
    /// Those that a product names.
    var used: Set<String> = []
}
