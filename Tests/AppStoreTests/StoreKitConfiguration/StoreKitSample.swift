import AppStore
import Foundation

/// The StoreKit configurations of the package and short ones written in tests.
enum StoreKitSample {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/StoreKit")

    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    static func file(_ name: String) throws -> StoreKitConfiguration {
        try StoreKitConfiguration.read(bytes(name)).configuration
    }

    /// The problems of a text: what is thrown, or the warnings of what can be read.
    static func problems(_ text: String) -> [StoreKitProblem] {
        problems(Array(text.utf8))
    }

    static func problems(_ bytes: [UInt8]) -> [StoreKitProblem] {
        do {
            return try StoreKitConfiguration.read(bytes).warnings
        } catch {
            return error.problems
        }
    }

    /// A configuration of one group with one subscription: `productID`, `type`, and from line 7 on the members given.
    static func subscription(_ members: String) -> String {
        """
        { "version" : { "major" : 5, "minor" : 0 },
          "subscriptionGroups" : [
            { "id" : "21000001", "name" : "Plans",
              "subscriptions" : [
                {
                  "productID" : "app.pro", "type" : "RecurringSubscription",
        \(members)
                }
              ] } ] }
        """
    }

    /// A configuration of one product in `products`, whose members stand on line 3.
    static func product(_ members: String) -> String {
        """
        { "version" : { "major" : 4, "minor" : 0 },
          "products" : [
            { \(members) }
          ] }
        """
    }
}
