/// How a customer stands in one subscription group: the lines of it, own and family-shared.
package struct SubscriptionGroup: Sendable, Hashable {
    /// As the App Store names it, else as the catalog does; nil: neither says, and the group is the line alone.
    package var id: String?
    /// The group's name in the catalog; nil: no product of it is mapped.
    package var catalogGroup: String?
    /// Whether a transaction of the group, begun by the instant, was bought under an introductory offer.
    package var isIntroductoryOfferUsed: Bool
    /// One for each line, the best first; at least one.
    package var statuses: [SubscriptionStatus]

    /// The state of the best line.
    package var state: SubscriptionState { statuses[0].state }
}
