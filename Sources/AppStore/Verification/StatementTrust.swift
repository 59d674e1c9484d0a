/// Who vouches for a verified statement. It follows from the certificates alone, never from the payload.
///
/// The caller must compare it with the environment that the payload claims: `Xcode` (and `LocalTesting`) may only come
/// under ``xcode``, every other environment only under ``appStore``. A statement that breaks this is to be refused,
/// however good its signature: it claims what its signer cannot vouch for.
package enum StatementTrust: String, Hashable, Sendable {
    /// A chain to a configured root with the App Store's markers.
    case appStore
    /// A single StoreKit test certificate that the operator has configured.
    case xcode
}
