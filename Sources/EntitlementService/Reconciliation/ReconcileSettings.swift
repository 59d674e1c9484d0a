/// How often the service compares itself with the App Store, and how many calls that may cost.
package struct ReconcileSettings: Sendable, Hashable {
    /// Between two looks at what the App Store could not deliver. Zero: the background does nothing by itself.
    package var interval: Duration
    /// Between two fetches of everything, delivered or not.
    package var everythingInterval: Duration
    /// Calls of the App Store Server API an hour, of all instances together. Apple takes 180,000 an hour of most endpoints
    /// in Production, and a tenth of it in the Sandbox.
    package var callsPerHour: Int64

    package init(
        interval: Duration = .seconds(15 * 60),
        everythingInterval: Duration = .seconds(24 * 3_600),
        callsPerHour: Int64 = 5_000
    ) {
        self.interval = interval
        self.everythingInterval = everythingInterval
        self.callsPerHour = callsPerHour
    }
}
