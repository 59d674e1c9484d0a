package import EntitlementDomain

/// When the App Store sends a notification again (App Store Server Notifications, Responding to App Store Server
/// Notifications).
package enum DeliverySchedule {
    private static let hour: Int64 = 3_600_000
    /// Hours after the attempt before.
    package static let hours: [Int64] = [1, 12, 24, 48, 72]

    /// The wait after so many failed attempts, in milliseconds; nil: no further one. The Sandbox tries once.
    package static func wait(afterAttempts count: Int, in environment: StoreEnvironment) -> Int64? {
        guard environment == .production, (1...hours.count).contains(count) else { return nil }
        return hours[count - 1] * hour
    }
}
