import AppStore
import EntitlementDomain
import JSON

/// Checks consumption information, in both versions.
enum FakeConsumption {
    private static let deliveryStatuses = [
        "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE",
        "UNDELIVERED_OTHER",
    ]

    static func check2(_ body: JSONObject) throws(FakeStoreError) {
        guard body["customerConsented"] == true else { throw .refused(.invalidCustomerConsented) }
        guard let status = body["deliveryStatus"]?.stringValue, deliveryStatuses.contains(status) else {
            throw .refused(.invalidDeliveryStatus)
        }
        guard body["sampleContentProvided"]?.boolValue != nil else { throw .refused(.invalidSampleContentProvided) }
        if let value = body["consumptionPercentage"] {
            guard let percentage = value.int64Value, (0...100_000).contains(percentage),
                status == "DELIVERED" || percentage == 0
            else { throw .refused(.generalBadRequest) }
        }
    }

    static func check1(_ body: JSONObject) throws(FakeStoreError) {
        guard body["customerConsented"] == true else { throw .refused(.invalidCustomerConsented) }
        guard body["sampleContentProvided"]?.boolValue != nil else { throw .refused(.invalidSampleContentProvided) }
        let token = body["appAccountToken"]?.stringValue
        guard let token, token.isEmpty || AccountID(token) != nil else { throw .refused(.invalidAppAccountToken) }
        let codes: [(String, ClosedRange<Int64>, ServerAPIErrorCode)] = [
            ("accountTenure", 0...7, .invalidAccountTenure), ("consumptionStatus", 0...3, .invalidConsumptionStatus),
            ("deliveryStatus", 0...5, .invalidDeliveryStatus),
            ("lifetimeDollarsPurchased", 0...7, .invalidLifetimeDollarsPurchased),
            ("lifetimeDollarsRefunded", 0...7, .invalidLifetimeDollarsRefunded), ("platform", 0...2, .invalidPlatform),
            ("playTime", 0...7, .invalidPlayTime), ("userStatus", 0...4, .invalidUserStatus),
        ]
        for (name, range, code) in codes {
            guard let value = body[name]?.int64Value, range.contains(value) else { throw .refused(code) }
        }
    }
}
