import EntitlementDomain
import X509

/// The default `notificationUUID` of a delivery: always the same for one file name and delivery id.
enum NotificationUUID {
    /// A UUID of version 8 (RFC 9562 section 5.8) from the SHA-256 digest of both names.
    static func derived(fileName: String, deliveryID: String) -> String {
        let bytes = SHA256.hash(Array(fileName.utf8) + [0] + Array(deliveryID.utf8)).bytes
        let half = { (range: Range<Int>) in bytes[range].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return AccountID(
            high: half(0..<8) & ~0xF000 | 0x8000,
            low: half(8..<16) & ~0xC000_0000_0000_0000 | 0x8000_0000_0000_0000
        ).description
    }
}
