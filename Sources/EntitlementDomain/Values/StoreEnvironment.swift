/// The world a statement belongs to, as the App Store names it. Environments never mix: it is part of every key.
///
/// An open set of names: a value nobody has heard of is kept as it came and is never taken for another one.
package struct StoreEnvironment: RawRepresentable, Sendable, Hashable, Comparable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let production = StoreEnvironment(rawValue: "Production")
    package static let sandbox = StoreEnvironment(rawValue: "Sandbox")
    /// StoreKit Testing in Xcode: signed by a local certificate, accepted only behind a switch.
    package static let xcode = StoreEnvironment(rawValue: "Xcode")

    package static func < (left: StoreEnvironment, right: StoreEnvironment) -> Bool {
        left.rawValue < right.rawValue
    }
}
