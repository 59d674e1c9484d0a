package import X509

/// What makes two deliveries one statement, so that it takes effect once.
package enum StatementIdentity: Sendable, Hashable {
    /// A notification with an identity of its own.
    case notification(NotificationID)
    /// Everything else: the digest of what was signed.
    case payload(SHA256Digest)

    /// The stored form: 16 bytes of a notification's UUID, or 32 of a digest.
    package var bytes: [UInt8] {
        switch self {
        case .notification(let id): id.bytes
        case .payload(let digest): digest.bytes
        }
    }
}
