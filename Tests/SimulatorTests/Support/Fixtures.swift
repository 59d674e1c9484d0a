import Foundation
import JSON
import Simulator

/// The scenario files of the package and short texts of scenarios.
enum Fixtures {
    static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/Scenarios").path(percentEncoded: false)

    /// A catalog with one product of each kind that the tests name.
    static let catalog: JSONValue = [
        "entitlements": [["id": "pro"]],
        "currencies": [["id": "coins"]],
        "products": [
            ["productId": "pro.monthly", "type": "autoRenewable", "subscriptionGroup": "plans", "grants": ["pro"]],
            ["productId": "coins.100", "type": "consumable", "credits": ["coins": 100]],
        ],
    ]

    /// Reads a scenario from text, with the catalog above.
    static func scenario(_ text: String, fileName: String = "story.json") throws -> ScenarioFile {
        try ScenarioFile.parse(Array(text.utf8), fileName: fileName, defaultCatalog: catalog)!
    }

    /// A scenario of one delivery.
    static func delivery(_ text: String) throws -> ScenarioDelivery {
        try scenario("{\"deliveries\": [\(text)]}").deliveries[0]
    }

    /// The decoded notification of a scenario of one.
    static func notification(_ text: String, fileName: String = "story.json") throws -> DecodedNotification {
        let text = "{\"deliveries\":[{\"id\":\"d1\",\"at\":\"2026-03-01T00:00:00Z\",\"notification\":\(text)}]}"
        guard case .notification(let notification) = try scenario(text, fileName: fileName).deliveries[0].content else {
            preconditionFailure("the text is a notification")
        }
        return notification
    }

    /// A value from JSON text.
    static func json(_ text: String) -> JSONValue {
        try! JSONParser.parse(text)
    }
}
