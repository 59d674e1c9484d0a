/// Where verifyReceipt is: scheme and host, without a slash at the end.
package struct ReceiptServiceHosts: Sendable, Hashable {
    package var production: String
    package var sandbox: String

    /// Apple's hosts (App Store Receipts, verifyReceipt), or others that stand in for them.
    package init(
        production: String = "https://buy.itunes.apple.com",
        sandbox: String = "https://sandbox.itunes.apple.com"
    ) {
        self.production = production
        self.sandbox = sandbox
    }
}
