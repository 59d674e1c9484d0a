/// A checkpoint with its signature.
package struct SignedCheckpoint: Sendable, Hashable {
    package var checkpoint: Checkpoint
    /// The `kid` of the key that signed it.
    package var keyID: String
    /// A JWS in compact serialization.
    package var token: String
}
