/// The answer for one entitlement at one instant: its best source, and all of them.
package struct Entitlement: Sendable, Hashable {
    /// The source that decides: the first of all.
    package let decisive: EntitlementSource
    /// All sources, best first.
    package let sources: [EntitlementSource]

    package var id: String { decisive.entitlement }
    package var isActive: Bool { decisive.isActive }
    package var state: EntitlementState { decisive.answeredState }

    /// The best over all sources of one entitlement; nil without any.
    package init?(sources: [EntitlementSource]) {
        let sorted = sources.count > 1 ? sources.sorted { $0.beats($1) } : sources
        guard let first = sorted.first else { return nil }
        decisive = first
        self.sources = sorted
    }
}
