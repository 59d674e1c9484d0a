import EntitlementDomain

/// A notification's identity, the same for each delivery of it (App Store Server Notifications V2, notificationUUID):
/// a UUID, compared by value.
package struct NotificationID: Sendable, Hashable, CustomStringConvertible {
    // A UUID as the domain reads and writes one; it names no account here.
    private let uuid: AccountID

    /// Reads the 36-character form in either case; nil for anything else.
    package init?(_ text: String) {
        guard let uuid = AccountID(text) else { return nil }
        self.uuid = uuid
    }

    /// The 16 bytes, the first one first.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        for half in [uuid.high, uuid.low] {
            for shift in stride(from: UInt64(56), through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: half >> shift))
            }
        }
        return bytes
    }

    /// The 36-character lower-case form.
    package var description: String { uuid.description }
}
