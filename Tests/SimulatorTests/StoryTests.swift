import EntitlementDomain
import Foundation
import JSON
import Simulator
import Synchronization
import Testing

@Suite struct StoryTests {
    /// Takes what a story sends and answers as told.
    private final class Listener: StoryService {
        private let catalog: JSONValue
        private let status: Int
        private let requests = Mutex<[(path: String, body: JSONValue)]>([])

        init(catalog: JSONValue, status: Int = 200) {
            self.catalog = catalog
            self.status = status
        }

        func post(_ body: [UInt8], to path: String) async throws -> (status: Int, body: [UInt8]) {
            let body = try JSONParser.parse(body)
            requests.withLock { $0.append((path, body)) }
            guard path == "/rpc" else { return (status, []) }
            let result: JSONValue =
                switch body["method"]?.stringValue {
                case "catalog.get": ["catalog": catalog]
                case "entitlements.get":
                    [
                        "entitlements": [
                            ["entitlement": "pro", "state": "active", "productId": "p", "expiresAt": nil]
                        ],
                        "balances": ["coins": 5],
                    ]
                default: [:]
                }
            return (200, JSONValue.object(["jsonrpc": "2.0", "id": 1, "result": result]).serialized())
        }

        /// The decoded notifications in order of arrival.
        var notifications: [JSONValue] {
            requests.withLock { $0 }.filter { $0.path == "/appstore/notifications" }.map {
                SignedText.genuinePayload(of: $0.body["signedPayload"]!.stringValue!)!
            }
        }

        var methods: [String] {
            requests.withLock { $0 }.compactMap { $0.body["method"]?.stringValue }
        }
    }

    private let now = Instant(iso8601: "2026-08-01T12:00:00Z")!

    private func setting(seed: UInt64 = 5) -> StorySetting {
        StorySetting(account: AccountNames.account(named: "U1")!, now: now, seed: seed)
    }

    private func fullCatalog() throws -> JSONValue {
        try JSONParser.parse([UInt8](Data(contentsOf: URL(filePath: Fixtures.folder + "/catalog.json"))))
    }

    @Test func theLifeOfAnAccountIsTold() async throws {
        let listener = Listener(catalog: try fullCatalog())
        let story = Story(service: listener, signer: SignedText.signing.appStore.signer, setting: setting())
        var lines: [String] = []
        let outcome = try await story.play { lines.append($0) }

        let told = listener.notifications.map { payload in
            [payload["notificationType"]?.stringValue, payload["subtype"]?.stringValue].compactMap(\.self)
                .joined(separator: "/")
        }
        #expect(
            told == [
                "SUBSCRIBED/INITIAL_BUY", "DID_RENEW", "DID_FAIL_TO_RENEW/GRACE_PERIOD", "DID_RENEW/BILLING_RECOVERY",
                "ONE_TIME_CHARGE", "ONE_TIME_CHARGE", "REFUND", "DID_RENEW", "DID_CHANGE_RENEWAL_PREF/UPGRADE",
                "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED",
            ]
        )
        #expect(listener.methods.count { $0 == "transactions.submit" } == 1)
        #expect(listener.methods.count { $0 == "entitlements.get" } == 12)
        #expect(outcome.statements == 11)
        #expect(outcome.account == setting().account)
        #expect(lines.first == "account 11111111-1111-4111-8111-111111111111")
        #expect(lines.count == 24)
        #expect(lines.last == "today       pro for good (p); coins 5")
        #expect(lines.contains("2026-03-24  buys pro.monthly in the app; the app's backend submits the transaction"))
    }

    @Test func theStoryEndsWithARunningSubscription() throws {
        let script = StoryScript(setting(), cast: try #require(StoryCast(catalog: try fullCatalog())))
        #expect(script.steps.map(\.at) == script.steps.map(\.at).sorted())
        #expect(script.steps.allSatisfy { $0.at < now })
        guard case .notification(let last)? = script.steps.last?.statement else { preconditionFailure("it is one") }
        let transaction = try #require(last.data?.transaction)
        #expect(transaction["expiresDate"]!.int64Value! > now.milliseconds)
        #expect(transaction["purchaseDate"]!.int64Value! < now.milliseconds)
        #expect(transaction["productId"] == "max.monthly")
    }

    @Test func idsAreNewForEachSeedAndTheSameForOne() throws {
        let cast = try #require(StoryCast(catalog: try fullCatalog()))
        func ids(_ seed: UInt64) -> [JSONValue] {
            StoryScript(setting(seed: seed), cast: cast).steps.compactMap { step in
                switch step.statement {
                case .upload(let upload): upload.transaction["transactionId"]
                case .notification(let notification): notification.data?.transaction?["transactionId"]
                }
            }
        }
        #expect(ids(1) == ids(1))
        #expect(Set(ids(1)).isDisjoint(with: ids(2)))
    }

    @Test func theCastComesFromTheCatalog() throws {
        let full = try fullCatalog()
        #expect(
            StoryCast(catalog: full)
                == StoryCast(
                    plan: "pro.monthly",
                    group: "plans",
                    upgrade: "max.monthly",
                    lifetime: "pro.lifetime",
                    consumable: "coins.100"
                )
        )
        let small: JSONValue = ["products": [["productId": "a", "type": "autoRenewable", "period": "P1M"]]]
        let cast = try #require(StoryCast(catalog: small))
        #expect(cast == StoryCast(plan: "a", group: nil, upgrade: nil, lifetime: nil, consumable: nil))
        let script = StoryScript(setting(), cast: cast)
        #expect(script.steps.count == 8)
        guard case .notification(let last)? = script.steps.last?.statement else { preconditionFailure("it is one") }
        #expect(last.data!.transaction!["expiresDate"]!.int64Value! > now.milliseconds)
        #expect(StoryCast(catalog: ["products": []]) == nil)
    }

    @Test func aRefusedNotificationEndsTheStory() async throws {
        let listener = Listener(catalog: try fullCatalog(), status: 400)
        let story = Story(service: listener, signer: SignedText.signing.appStore.signer, setting: setting())
        let error = await #expect(throws: StoryError.self) { try await story.play { _ in } }
        #expect(error?.description.contains("refused with status 400; does the service trust the chain") == true)
    }

    @Test func aCatalogWithoutAMonthlyPlanEndsTheStory() async throws {
        let listener = Listener(catalog: ["products": []])
        let story = Story(service: listener, signer: SignedText.signing.appStore.signer, setting: setting())
        await #expect(throws: StoryError.noMonthlyPlan) { try await story.play { _ in } }
    }

    @Test func aGivenCastNeedsNoCatalog() async throws {
        let listener = Listener(catalog: ["products": []])
        let story = Story(
            service: listener,
            signer: SignedText.signing.appStore.signer,
            setting: setting(),
            cast: StoryCast(plan: "a", group: nil, upgrade: nil, lifetime: nil, consumable: nil)
        )
        #expect(try await story.play { _ in }.statements == 8)
        #expect(!listener.methods.contains("catalog.get"))
    }

    @Test func anAddressWhereNobodyAnswersIsNamed() async throws {
        // Port 1 is reserved and served by nobody.
        let service = HTTPStoryService(url: URL(string: "http://127.0.0.1:1")!, key: "k")
        let story = Story(service: service, signer: SignedText.signing.appStore.signer, setting: setting())
        let error = await #expect(throws: StoryError.self) { try await story.play { _ in } }
        #expect(error?.description.hasPrefix("no answer from http://127.0.0.1:1: ") == true)
    }

    @Test func commandsAreReadyToPaste() throws {
        let lines = StoryCommands.lines(url: URL(string: "http://127.0.0.1:8080")!, key: "k'1", setting: setting())
        #expect(lines.count == 4)
        let head = #"curl -s 'http://127.0.0.1:8080/rpc' -H 'Authorization: Bearer k'\''1' "#
        let type = #"-H 'Content-Type: application/json' "#
        let call = #"-d '{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":"#
        let params = #"{"account":"11111111-1111-4111-8111-111111111111"}}'"#
        #expect(lines[0] == head + type + call + params)
        #expect(lines[1].contains("\"at\":\"2026-06-02T12:00:00.000Z\""))
    }
}
