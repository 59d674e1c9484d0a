/// A group of subscriptions of which a customer has one at a time.
package struct StoreKitSubscriptionGroup: Sendable, Hashable {
    /// The id that signed transactions carry as `subscriptionGroupIdentifier`: the App Store's number in a file that is
    /// synchronised with App Store Connect, else one that Xcode made up.
    package var id: String
    package var name: String
    package var subscriptions: [StoreKitSubscription]

    package init(id: String, name: String, subscriptions: [StoreKitSubscription] = []) {
        self.id = id
        self.name = name
        self.subscriptions = subscriptions
    }

    /// Whether the id looks like one of the App Store's, which are numbers; Xcode's have hexadecimal digits.
    package var hasAppStoreID: Bool {
        id.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    }
}
