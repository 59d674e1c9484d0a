package import X509

/// A receipt whose signature and certificates are good. Only a ``ReceiptVerifier`` makes one.
///
/// Verified means: the App Store (or Xcode, see ``trust``) made this receipt. Whether it is of one of our apps and of an
/// accepted environment is for the caller to check.
package struct VerifiedReceipt: Sendable {
    /// What it says.
    package let receipt: AppReceipt
    /// SHA-256 over what was signed.
    package let payloadDigest: SHA256Digest
    /// Who vouches for it.
    package let trust: StatementTrust
}
