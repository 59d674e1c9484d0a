import AppStore
import EntitlementService
import Foundation
import JSON
import Testing
import X509

@testable import entitled

/// The setting `appStore` of `entitled serve`.
struct AppStoreSettingsTests {
    private let directory: TemporaryDirectory
    private let key: String

    init() throws {
        directory = try TemporaryDirectory()
        try directory.write(try P256PrivateKey.generate().pem(), to: "key.p8")
        key = directory.url.appendingPathComponent("key.p8").path
    }

    private func settings(_ changes: [String: JSONValue?]) throws -> ServeSettings {
        var appStore: JSONObject = ["issuerId": "issuer", "keyId": "KEY", "keyFile": .string(key)]
        for (name, value) in changes { appStore[name] = value }
        let object: JSONValue = [
            "database": "host=/nowhere", "apps": [["bundleId": "com.example.app", "appAppleId": 1]],
            "appStore": .object(appStore),
        ]
        try directory.write(String(decoding: object.serialized(), as: UTF8.self), to: "serve.json")
        return ServeSettings(file: directory.url.appendingPathComponent("serve.json").path, environment: [:])
    }

    private func problems(_ changes: [String: JSONValue?]) throws -> [String] {
        var settings = try settings(changes)
        do {
            _ = try settings.configuration()
            return []
        } catch {
            return settings.problems
        }
    }

    @Test func whatIsGivenReachesTheService() throws {
        var settings = try settings([
            "callsPerHour": 100, "interval": "PT5M", "everythingInterval": "PT12H",
            "productionURL": "http://127.0.0.1:8090/production/", "bundleIds": ["com.example.app"],
            "consumption": [
                "customerConsented": true, "deliveryStatus": "DELIVERED", "sampleContentProvided": true,
                "refundPreference": "GRANT_PRORATED",
            ],
        ])
        let access = try #require(try settings.configuration().appStore)
        #expect(access.credentials.issuerID == "issuer")
        #expect(access.credentials.keyID == "KEY")
        #expect(access.hosts.production == "http://127.0.0.1:8090/production")
        #expect(access.hosts.sandbox == "https://api.storekit-sandbox.apple.com")
        #expect(access.bundleIDs == ["com.example.app"])
        #expect(
            access.reconciliation
                == ReconcileSettings(interval: .seconds(300), everythingInterval: .seconds(43_200), callsPerHour: 100)
        )
        #expect(access.consumption?.refundPreference == .grantProrated)
    }

    @Test func consumptionIsNeverAnsweredByDefault() throws {
        var settings = try settings([:])
        let access = try #require(try settings.configuration().appStore)
        #expect(access.consumption == nil)
        #expect(access.hosts == ServerAPIHosts())
    }

    static let faults: [([String: JSONValue?], String)] = [
        (["issuerId": .some(nil)], "appStore.issuerId must be text"),
        (["keyFile": "/nowhere/key.p8"], "cannot be read"), (["interval": "PT1S"], "appStore.interval"),
        (["interval": "P1M"], "appStore.interval"), (["callsPerHour": 0], "appStore.callsPerHour"),
        (["productionURL": "http://api.example.com"], "appStore.productionURL"),
        (["sandboxURL": "nonsense"], "appStore.sandboxURL"), (["bundleIds": []], "appStore.bundleIds"),
        (["bundleIds": ["com.example.other"]], "not among the apps"), (["other": 1], "appStore.other is no setting"),
        (
            ["consumption": ["deliveryStatus": "DELIVERED", "sampleContentProvided": true]],
            "consumption.customerConsented must be true"
        ),
        (
            ["consumption": ["customerConsented": false, "deliveryStatus": "DELIVERED"]],
            "consumption.customerConsented must be true"
        ), (["consumption": ["customerConsented": true]], "deliveryStatus"),
        (
            [
                "consumption": [
                    "customerConsented": true, "deliveryStatus": "DELIVERED", "sampleContentProvided": true,
                    "refundPreference": "ALWAYS",
                ]
            ], "refundPreference"
        ),
    ]

    @Test(arguments: faults)
    func whatIsWrongIsSaid(changes: [String: JSONValue?], words: String) throws {
        let problems = try problems(changes)
        #expect(problems.contains { $0.contains(words) }, "\(problems)")
    }

    @Test func aFileThatHoldsNoKeyIsRefused() throws {
        try directory.write("no key", to: "empty.p8")
        let path = directory.url.appendingPathComponent("empty.p8").path
        #expect(try problems(["keyFile": .string(path)]).contains { $0.contains("private key on P-256") })
    }
}
