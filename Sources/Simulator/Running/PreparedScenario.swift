import EntitlementDomain
import JSON

/// A scenario with its deliveries signed and its orders laid out.
struct PreparedScenario: Sendable {
    let file: ScenarioFile
    let deliveries: [SignedDelivery]
    let orders: [[Int]]
    let setup: ScenarioSetup
    /// The first instant that the story names.
    let start: Instant

    /// Signs everything once; throws what the signers throw.
    init(_ file: ScenarioFile, signing: ScenarioSigning, seed: UInt64) throws {
        self.file = file
        deliveries = try file.deliveries.map { try SignedDelivery($0, signing: signing) }
        orders = DeliveryOrders.orders(file.orders, count: file.deliveries.count, seed: seed)
        start = (file.deliveries.map(\.at) + file.expectations.map(\.at)).min() ?? Instant(milliseconds: 0)
        setup = ScenarioSetup(
            catalog: file.catalog,
            policy: .object(file.policy),
            trustedRoots: signing.trustedRoots,
            xcodeCertificate: signing.xcodeCertificate
        )
    }
}
