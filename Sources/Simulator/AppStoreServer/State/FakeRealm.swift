import EntitlementDomain
import JSON

/// All that happened in one environment of a fake App Store.
struct FakeRealm: Sendable {
    let environment: StoreEnvironment
    /// Where notifications go; nil: nowhere, as without an entry in App Store Connect.
    var notificationURL: String?
    private(set) var customers: [FakeCustomer] = []
    /// Id of an app's download -> customer.
    private var downloads: [String: Int] = [:]
    var transactions: [String: FakeTransaction] = [:]
    var lines: [String: FakeLine] = [:]
    /// In the order of their signature.
    var notifications: [FakeNotification] = []
    /// Token of a test notification -> its place in `notifications`.
    var tests: [String: Int] = [:]
    /// Order id -> transactions.
    var orders: [String: [String]] = [:]
    /// Request identifier -> product and how many subscriptions were extended.
    var massExtensions: [String: (productID: String, succeeded: Int64, failed: Int64, at: Instant)] = [:]
    /// Transaction id -> the last consumption information.
    var consumption: [String: JSONObject] = [:]

    init(_ environment: StoreEnvironment) {
        self.environment = environment
    }

    /// The customer that any of the three kinds of ids names.
    func customer(_ id: String) -> Int? {
        transactions[id]?.customer ?? downloads[id]
    }

    /// Adds a customer, and gives their index.
    mutating func add(_ customer: FakeCustomer) -> Int {
        customers.append(customer)
        downloads[customer.appTransactionID] = customers.count - 1
        return customers.count - 1
    }

    /// Notes a purchase of a customer.
    mutating func add(transaction id: String, to customer: Int) {
        customers[customer].transactionIDs.append(id)
    }

    /// Notes a subscription of a customer.
    mutating func add(line id: String, to customer: Int) {
        customers[customer].lineIDs.append(id)
    }

    /// Whether the id names the download of an app.
    func isAppTransaction(_ id: String) -> Bool {
        downloads[id] != nil
    }
}
