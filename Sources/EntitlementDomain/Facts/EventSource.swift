/// The door through which a statement or a command came in. The raw values are a stored format.
package enum EventSource: String, Sendable, Hashable, CaseIterable {
    /// App Store Server Notifications V2.
    case notification
    /// A StoreKit 2 transaction that an app's backend uploaded.
    case upload
    /// A page of the App Store Server API.
    case api
    /// A legacy app receipt.
    case receipt
    /// An imported log.
    case `import`
    /// A person or a service of the company.
    case `operator`
}
