/// A certificate's place in a chain of three.
package enum CertificateRole: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    /// The certificate whose key signed the statement.
    case leaf
    /// The authority that issued the leaf.
    case intermediate
    /// The configured anchor that issued the intermediate.
    case root

    package var description: String { rawValue }
}
