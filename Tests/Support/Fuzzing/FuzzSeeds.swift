import Foundation

/// Inputs to start from. Those that are files stand in Tests/Fixtures.
enum FuzzSeeds {
    static let json = texts([
        #"{"a":[1,-2.5e10,"\u00e9\ud83d\ude00\n",true,false,null,{}],"a":9007199254740993}"#, "[]", "{}", "1", "\"\"",
        "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]", #"{"x":"\\\"\/\b\f\r\t"}"#, "  -0.0  ", "1e400",
    ])

    static let calls = texts([
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"11111111-1111-4111-8111-111111111111"}}"#,
        #"[{"jsonrpc":"2.0","id":"a","method":"rpc.discover"},{"jsonrpc":"2.0","method":"balances.get"}]"#,
        #"{"jsonrpc":"2.0","id":null,"method":"x","params":[]}"#, #"{"jsonrpc":"1.0","id":1.5}"#, "[]", "[1,2]",
        #"{"jsonrpc":"2.0","id":9007199254740993,"method":"events.list","params":{"limit":1e3}}"#, "{", "",
    ])

    static let parameters = texts([
        #"{"method":"entitlements.get","params":{"account":"11111111-1111-4111-8111-111111111111","at":"2026-04-01T00:00:00.000Z","knownAt":"1:5","minPosition":"1:2","waitMs":100,"environment":"Sandbox"}}"#,
        #"{"method":"entitlements.getMany","params":{"accounts":["11111111-1111-4111-8111-111111111111"],"at":1775001600000}}"#,
        #"{"method":"transactions.submitMany","params":{"transactions":[{"signedTransaction":"a.b.c","account":"11111111-1111-4111-8111-111111111111"}]}}"#,
        #"{"method":"grants.issue","params":{"account":"11111111-1111-4111-8111-111111111111","entitlement":"pro","expiresAt":"2027-01-01T00:00:00Z","reason":"r","idempotencyKey":"k"}}"#,
        #"{"method":"balances.spend","params":{"account":"11111111-1111-4111-8111-111111111111","currency":"coins","amount":9223372036854775807,"idempotencyKey":"k"}}"#,
        #"{"method":"events.list","params":{"after":"1:3","limit":10,"originalTransactionId":"1000"}}"#,
        #"{"method":"audit.replay","params":{"policy":{"renewalLeeway":"PT2H","ownership":"keepWithOwner"}}}"#,
        #"{"method":"catalog.put","params":{"catalog":{"entitlements":[{"id":"pro"}],"products":[]}}}"#,
        #"{"method":"holds.place","params":{"account":"11111111-1111-4111-8111-111111111111","reason":"r","placedBy":"x"}}"#,
        #"{"params":{}}"#, #"{"params":[]}"#,
    ])

    static let transactions = texts([
        #"{"transactionId":"1001","originalTransactionId":"1000","bundleId":"com.example.app","productId":"pro.monthly","purchaseDate":1774915200000,"originalPurchaseDate":1774915200000,"expiresDate":1777593600000,"quantity":1,"type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED","signedDate":1774915200000,"environment":"Production","appAccountToken":"11111111-1111-4111-8111-111111111111","webOrderLineItemId":"7","subscriptionGroupIdentifier":"1","price":9990,"currency":"EUR","storefront":"DEU","storefrontId":"143443","offerType":1,"offerDiscountType":"FREE_TRIAL","transactionReason":"PURCHASE"}"#,
        #"{"transactionId":"1002","originalTransactionId":"1000","bundleId":"com.example.app","productId":"pro.monthly","purchaseDate":1774915200000,"revocationDate":1774915300000,"revocationReason":1,"revocationPercentage":50000,"signedDate":1774915300000,"environment":"Sandbox","type":"Consumable","quantity":10}"#,
        #"{"bundleId":"com.example.app","appAppleId":1234567890,"receiptType":"Production","originalApplicationVersion":"1.0","applicationVersion":"2.0","originalPurchaseDate":1774915200000,"receiptCreationDate":1774915200000,"deviceVerification":"AA==","deviceVerificationNonce":"48c8b92d-ce0d-4229-bedf-e61b4f9cfc92","appTransactionId":"70"}"#,
    ])

    static let notifications = texts([
        #"{"notificationType":"DID_RENEW","subtype":"BILLING_RECOVERY","notificationUUID":"002e14d5-51f5-4503-b5a8-c3a1af68eb20","version":"2.0","signedDate":1774915200000,"data":{"appAppleId":1234567890,"bundleId":"com.example.app","bundleVersion":"1","environment":"Production","status":1,"signedTransactionInfo":{"transactionId":"1001","originalTransactionId":"1000","bundleId":"com.example.app","productId":"pro.monthly","purchaseDate":1774915200000,"expiresDate":1777593600000,"type":"Auto-Renewable Subscription","inAppOwnershipType":"PURCHASED","signedDate":1774915200000,"environment":"Production"},"signedRenewalInfo":{"originalTransactionId":"1000","autoRenewProductId":"pro.monthly","productId":"pro.monthly","autoRenewStatus":1,"signedDate":1774915200000,"environment":"Production","gracePeriodExpiresDate":1774925200000,"expirationIntent":1,"isInBillingRetryPeriod":true,"priceIncreaseStatus":0,"offerType":2,"renewalDate":1777593600000,"eligibleWinBackOfferIds":["a"]}}}"#,
        #"{"notificationType":"RENEWAL_EXTENSION","subtype":"SUMMARY","notificationUUID":"002e14d5-51f5-4503-b5a8-c3a1af68eb21","version":"2.0","signedDate":1774915200000,"summary":{"requestIdentifier":"r","environment":"Production","appAppleId":1234567890,"bundleId":"com.example.app","productId":"pro.monthly","storefrontCountryCodes":["DEU"],"failedCount":5,"succeededCount":10}}"#,
        #"{"notificationType":"EXTERNAL_PURCHASE_TOKEN","subtype":"UNREPORTED","notificationUUID":"002e14d5-51f5-4503-b5a8-c3a1af68eb22","version":"2.0","signedDate":1774915200000,"externalPurchaseToken":{"externalPurchaseId":"SANDBOX_e","tokenCreationDate":1774915200000,"appAppleId":1234567890,"bundleId":"com.example.app"}}"#,
    ])

    static let catalogs =
        texts([
            #"{"entitlements":[{"id":"pro"}],"currencies":[{"id":"coins"}],"products":[{"productId":"pro.monthly","type":"autoRenewable","subscriptionGroup":"plans","level":1,"grants":["pro"]},{"productId":"coins.100","type":"consumable","credits":{"coins":100}},{"productId":"pass","type":"nonRenewing","duration":"P1M","grants":["pro"]}]}"#
        ]) + files("Scenarios/catalog.json")

    static let storekit = folder("StoreKit", "storekit")
    static let archives = folder("Fuzz", "jsonl")

    static let requests =
        texts([
            "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", "HEAD /openrpc.json HTTP/1.1\r\nHost: x\r\n\r\n",
            "GET /accounts/11111111-1111-4111-8111-111111111111/entitlements?at=1&knownAt=1%3A2 HTTP/1.1\r\nHost: x\r\nIf-None-Match: W/\"a\", *\r\nAuthorization: Bearer ent_x\r\n\r\n",
            "GET /changes?after=1:2 HTTP/1.1\r\nHost: x\r\nLast-Event-ID: 1:2\r\n\r\n",
            "POST /rpc HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n2\r\n1}\r\n0\r\n\r\n",
            "POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n[1,2]GET / HTTP/1.0\r\n\r\n",
        ])
        + calls.map { body in
            Array("POST /rpc HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
        }
        + [
            Array("POST /appstore/notifications HTTP/1.1\r\nHost: x\r\nContent-Length: 25\r\n\r\n".utf8)
                + Array("{\"signedPayload\":\"a.b.c\"}\n".utf8)
        ]

    private static func texts(_ list: [String]) -> [[UInt8]] { list.map { Array($0.utf8) } }

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fixtures")

    private static func files(_ paths: String...) -> [[UInt8]] {
        paths.compactMap { try? [UInt8](Data(contentsOf: fixtures.appending(path: $0))) }
    }

    private static func folder(_ name: String, _ suffix: String) -> [[UInt8]] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: fixtures.appending(path: name).path)) ?? []
        return names.sorted().filter { $0.hasSuffix(".\(suffix)") }.flatMap { files("\(name)/\($0)") }
    }
}
