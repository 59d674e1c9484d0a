import EntitlementDomain

/// Counts calls as the App Store does: limits are stated for a second and enforced for an hour, and the Sandbox has a
/// tenth (App Store Server API, Identifying rate limits).
struct FakeRateLimiter: Sendable {
    private struct Window: Sendable {
        var hour: Int64
        var count: Int64
    }

    private static let hour: Int64 = 3_600_000

    /// A limit for every endpoint in place of Apple's.
    var callsPerHour: Int64?
    private var windows: [String: Window] = [:]

    /// Counts a call.
    ///
    /// - Returns: nil when it is within the limit; else when calls are taken again.
    mutating func count(_ route: FakeRoute, in environment: StoreEnvironment, now: Instant) -> Instant? {
        let apples = route.callsPerSecond * 3_600 / (environment == .sandbox ? 10 : 1)
        let limit = callsPerHour ?? apples
        let hour = now.milliseconds / Self.hour
        let key = "\(environment.rawValue) \(route.endpoint)"
        var window = windows[key] ?? Window(hour: hour, count: 0)
        if window.hour != hour { window = Window(hour: hour, count: 0) }
        window.count += 1
        windows[key] = window
        return window.count > limit ? Instant(milliseconds: (hour + 1) * Self.hour) : nil
    }

    /// Begins to count anew.
    mutating func reset() {
        windows = [:]
    }
}
