package import EntitlementDomain
package import JSON

/// A service that scenarios are played against: the real one with an empty log and a clock that is set by hand.
///
/// Only one scenario at a time uses a target.
package protocol ScenarioTarget: Sendable {
    /// Empties the log and takes these settings; throws when it cannot, for example because the catalog is faulty. The
    /// clock stays as it was set before: at the first instant of the story.
    func reset(_ setup: ScenarioSetup) async throws

    /// Sets the clock; it may go back.
    func setClock(_ now: Instant) async

    /// Sends a body to `POST /appstore/notifications` and gives the HTTP status.
    func notify(_ body: [UInt8]) async throws -> Int

    /// Calls a JSON-RPC method with parameters by name, with every right.
    func call(_ method: String, _ params: JSONValue) async throws -> ScenarioCallResult

    /// How many events the log holds.
    func eventCount() async throws -> Int64
}
