import EntitlementDomain

/// A delivery whose time has come.
struct DueDelivery: Sendable {
    let environment: StoreEnvironment
    let index: Int
    let delivery: NotificationDelivery
}
