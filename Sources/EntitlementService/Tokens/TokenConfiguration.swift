/// How tokens are signed.
package struct TokenConfiguration: Sendable {
    /// The `iss` claim.
    package var issuer: String
    /// Where the keys are; nil: no tokens.
    package var signingKeys: SigningKeyDirectory?

    package init(issuer: String = "entitled", signingKeys: SigningKeyDirectory? = nil) {
        self.issuer = issuer
        self.signingKeys = signingKeys
    }
}
