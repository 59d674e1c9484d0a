package import EntitlementDomain

/// When the App Store was last asked about a line.
package struct AskedLine: Sendable, Hashable {
    package var at: Instant
    /// How often it was asked about.
    package var tries: Int
}
