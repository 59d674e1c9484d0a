/// The version of the format in which a StoreKit configuration is written.
package struct StoreKitVersion: Sendable, Hashable, CustomStringConvertible {
    /// The major versions that are read.
    package static let known = 2...5

    package var major: Int
    package var minor: Int

    package init(major: Int, minor: Int) {
        self.major = major
        self.minor = minor
    }

    package var description: String { "\(major).\(minor)" }
}
