import EntitlementDomain

/// Where a statement stands in its file: what its defaults are taken from.
struct StatementSource {
    let deliveryID: String
    /// The default of `signedDate`.
    let at: Instant
    let fileName: String
    let products: CatalogProducts
}
