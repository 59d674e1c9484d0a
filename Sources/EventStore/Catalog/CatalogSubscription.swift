import JSON

/// What the subscriptions of one group are compared by.
struct CatalogSubscription {
    var path: [JSONPathElement]
    var group: String
    /// Nil: none is given, or one that cannot be read.
    var level: Int?
    var isLevelGiven: Bool
}
