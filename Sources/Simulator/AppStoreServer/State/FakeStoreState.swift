import AppStore
import EntitlementDomain
import JSON
import X509

/// Everything that a fake App Store knows. A value: what happens to it depends on its clock and on what it is told, and
/// involves no I/O.
struct FakeStoreState: Sendable {
    let app: FakeApp
    private(set) var signer: StatementSigner
    /// The virtual clock.
    var now: Instant
    var agenda = Agenda()
    var faults: [InjectedFault] = []
    var limiter = FakeRateLimiter()
    /// Days of grace after a failed charge; nil: none.
    var graceDays: Int64? = 16
    private var realms: [StoreEnvironment: FakeRealm] = [
        .production: FakeRealm(.production), .sandbox: FakeRealm(.sandbox),
    ]
    private var changes: Int64 = 0
    private var ids: UInt64

    init(app: FakeApp, signer: StatementSigner, now: Instant, idsAfter ids: UInt64 = 0) {
        self.app = app
        self.signer = signer
        self.now = now
        self.ids = ids
    }

    /// The same with another signer.
    init(copying other: FakeStoreState, signer: StatementSigner) {
        self = other
        self.signer = signer
    }

    subscript(environment: StoreEnvironment) -> FakeRealm {
        get { realms[environment] ?? FakeRealm(environment) }
        _modify { yield &realms[environment, default: FakeRealm(environment)] }
    }

    /// The next place in the order of changes.
    mutating func nextChange() -> Int64 {
        changes += 1
        return changes
    }

    /// A new id of 16 digits, as many as the App Store's own have.
    mutating func nextID(_ environment: StoreEnvironment) -> String {
        ids += 1
        return String((environment == .sandbox ? 2_000_000_000_000_000 : 1_000_000_000_000_000) + ids)
    }

    mutating func nextUUID() -> String {
        ids += 1
        return NotificationUUID.derived(fileName: "\(app.bundleID) \(name)", deliveryID: "\(ids)")
    }

    /// Two fake stores must not give their notifications the same ids.
    private var name = UInt64.random(in: .min ... .max)

    /// The signed text around a payload, signed now.
    func signed(_ payload: JSONObject, date key: String = "signedDate") throws(FakeStoreError) -> String {
        var payload = payload
        payload[key] = JSONValue(now.milliseconds)
        do {
            return try signer.sign(payload)
        } catch {
            throw .signing(error)
        }
    }

    /// A transaction, signed now.
    func signed(transaction id: String, in environment: StoreEnvironment) throws(FakeStoreError) -> String {
        guard let transaction = self[environment].transactions[id] else { throw .refused(.transactionIDNotFound) }
        return try signed(transaction.payload)
    }

    /// The renewal info of a line (App Store Server API, JWSRenewalInfoDecodedPayload).
    func renewalInfo(_ line: FakeLine, in environment: StoreEnvironment) -> JSONObject {
        var info: JSONObject = [
            "originalTransactionId": .string(line.id), "productId": .string(line.product.id),
            "autoRenewProductId": .string(line.nextProduct.id), "autoRenewStatus": line.autoRenews ? 1 : 0,
            "environment": .string(environment.rawValue), "renewalDate": JSONValue(line.expiresAt.milliseconds),
            "currency": "USD", "renewalPrice": JSONValue(line.nextProduct.price),
            "appTransactionId": .string(self[environment].customers[line.customer].appTransactionID),
        ]
        info["appAccountToken"] = self[environment].transactions[line.currentID]?.payload["appAccountToken"]
        switch line.phase {
        case .active, .revoked: break
        case .gracePeriod(let until):
            info["isInBillingRetryPeriod"] = true
            info["gracePeriodExpiresDate"] = JSONValue(until.milliseconds)
        case .billingRetry: info["isInBillingRetryPeriod"] = true
        case .expired(let intent): info["expirationIntent"] = JSONValue(intent)
        }
        return info
    }
}
