/// When a group of requests is taken for new without looking which of its statements are in the log already.
///
/// Of a crowd of new ones each look costs. What was taken for new and is not is refused by the database, nothing of the
/// group remains, and it is written again with all looks: that costs as much as a group does.
package struct OptimisticAppends: Sendable, Hashable {
    /// The fewest requests in such a group.
    package var minimumRequests: Int
    /// How many groups there must have been since the last one with a statement that was known.
    package var quietGroups: Int

    package init(minimumRequests: Int = 8, quietGroups: Int = 100) {
        self.minimumRequests = minimumRequests
        self.quietGroups = quietGroups
    }

    /// Every group is taken for new.
    package static let always = OptimisticAppends(minimumRequests: 1, quietGroups: 0)
}
