/// An endpoint of the App Store Server API with the ids in its path (App Store Server API, version 1.21).
enum FakeRoute: Sendable, Hashable {
    case transactionInfo(String)
    case history(String, isVersion2: Bool)
    case statuses(String)
    case refunds(String, isVersion2: Bool)
    case order(String)
    case consumption(String, isVersion2: Bool)
    case extend(String)
    case massExtend
    case massExtendStatus(productID: String, request: String)
    case notificationHistory
    case testNotification
    case testNotificationStatus(String)
    case setAppAccountToken(String)
    case appTransaction(String)
    case finish(String)

    /// - Parameters:
    ///   - method: GET, POST or PUT.
    ///   - path: the segments.
    init?(method: String, path: [String]) {
        guard path.count >= 4, path[0] == "inApps", let last = path.last else { return nil }
        switch (method, path[1], Array(path[2...].dropLast())) {
        case ("GET", "v1", ["transactions"]): self = .transactionInfo(last)
        case ("GET", "v1", ["history"]), ("GET", "v2", ["history"]): self = .history(last, isVersion2: path[1] == "v2")
        case ("GET", "v1", ["subscriptions"]): self = .statuses(last)
        case ("GET", "v1", ["refund", "lookup"]), ("GET", "v2", ["refund", "lookup"]):
            self = .refunds(last, isVersion2: path[1] == "v2")
        case ("GET", "v1", ["lookup"]): self = .order(last)
        case ("PUT", "v1", ["transactions", "consumption"]), ("PUT", "v2", ["transactions", "consumption"]):
            self = .consumption(last, isVersion2: path[1] == "v2")
        case ("PUT", "v1", ["subscriptions", "extend"]): self = .extend(last)
        case ("POST", "v1", ["subscriptions", "extend"]) where last == "mass": self = .massExtend
        case ("POST", "v1", ["notifications"]) where last == "history": self = .notificationHistory
        case ("POST", "v1", ["notifications"]) where last == "test": self = .testNotification
        case ("GET", "v1", ["notifications", "test"]): self = .testNotificationStatus(last)
        case ("GET", "v1", ["transactions", "appTransactions"]): self = .appTransaction(last)
        case ("PUT", "v1", let middle)
        where middle.first == "transactions" && last == "appAccountToken" && middle.count == 2:
            self = .setAppAccountToken(middle[1])
        case ("POST", "v1", let middle) where middle.first == "transactions" && last == "finish" && middle.count == 2:
            self = .finish(middle[1])
        case ("GET", "v1", let middle)
        where middle.starts(with: ["subscriptions", "extend", "mass"]) && middle.count == 4:
            self = .massExtendStatus(productID: middle[3], request: last)
        default: return nil
        }
    }

    /// The name that calls are counted under.
    var endpoint: String {
        switch self {
        case .transactionInfo: "transactionInfo"
        case .history: "history"
        case .statuses: "statuses"
        case .refunds: "refunds"
        case .order: "order"
        case .consumption: "consumption"
        case .extend: "extend"
        case .massExtend: "massExtend"
        case .massExtendStatus: "massExtendStatus"
        case .notificationHistory: "notificationHistory"
        case .testNotification: "testNotification"
        case .testNotificationStatus: "testNotificationStatus"
        case .setAppAccountToken: "setAppAccountToken"
        case .appTransaction: "appTransaction"
        case .finish: "finish"
        }
    }

    /// Apple's limit in Production (App Store Server API, Identifying rate limits).
    var callsPerSecond: Int64 {
        switch self {
        case .refunds, .order: 10
        case .extend, .setAppAccountToken: 20
        case .massExtend, .testNotification, .testNotificationStatus: 1
        default: 50
        }
    }
}
