import EntitlementDomain
import EntitlementService
import EventStore
import HTTPServer
import JSON
import TestKit
import Testing

/// The quick ways, from memory and from the database, and the general way answer the same bytes, whatever the body.
@Suite(.timeLimit(.minutes(3))) struct QuickCallDifferentialTests {
    /// Runs work with two instances over one database: one answers from memory where it can, the other has no memory.
    private static func withBoth(_ body: (FeedService, FeedService) async throws -> Void) async throws {
        try await FeedDatabase.with { database in
            var none = CacheConfiguration()
            none.maximumBytes = 0
            let store = database.makeStore()
            for number in 0..<4 {
                let account = Sample.account(number)
                let facts = Sample.month("\(2_000_000 + number)", from: -number * 12, for: account)
                _ = try await store.append(Sample.statement(facts, name: "month \(number)"))
            }
            let owner = Sample.account(0)
            let coins = Sample.purchase("coins.100", "77", type: .consumable, at: Sample.day(-1), for: owner)
            _ = try await store.append(Sample.statement(coins, name: "coins"))
            let pass = Sample.purchase("pass.30d", "p-1", type: .nonRenewing, at: Sample.day(-2), for: owner)
            _ = try await store.append(Sample.statement(pass, name: "pass"))
            _ = try await store.append(
                Sample.command(.issueGrant(entitlement: "max", startsAt: nil, endsAt: nil), on: Sample.account(1))
            )
            let head = try await store.position()
            try await FeedService.with(database) { cached in
                _ = try await cached.server.start()
                try await FeedService.with(database, cache: none) { general in
                    for number in 0..<6 { try await Self.warm(cached, Sample.account(number), head) }
                    try await body(cached, general)
                }
            }
        }
    }

    /// Asks until the answer comes from memory, and under the log's head.
    private static func warm(_ service: FeedService, _ account: AccountID, _ head: LogPosition) async throws {
        let params: JSONValue = ["account": .string(account.description)]
        let isWarm = try await eventually {
            let before = try await hits(service)
            let position = try await service.call("entitlements.get", params)["result"]?["position"]?.stringValue
            return try await hits(service) > before && position == head.description
        }
        #expect(isWarm)
    }

    private static func hits(_ service: FeedService) async throws -> Double {
        let text = String(decoding: try await service.send("/metrics", key: "").bytes, as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("entitled_cache_hits_total ") }
        return line.flatMap { Double($0.split(separator: " ")[1]) } ?? 0
    }

    private static func compare(_ body: [UInt8], _ cached: FeedService, _ general: FeedService, _ note: String)
        async throws
    {
        let left = try await cached.send("/rpc", method: .post, body: body)
        // Each instance has its own key: the header differs, the answer must not.
        let right = try await general.send("/rpc", method: .post, body: body)
        #expect(left.status == right.status, "\(note): \(String(decoding: body, as: UTF8.self))")
        #expect(
            String(decoding: left.bytes, as: UTF8.self) == String(decoding: right.bytes, as: UTF8.self),
            "\(note): \(String(decoding: body, as: UTF8.self))"
        )
        // In a batch, a call takes the general way.
        guard left.bytes.starts(with: #"{"jsonrpc":"2.0","result""#.utf8) else { return }
        let batch = try await general.send("/rpc", method: .post, body: Array("[".utf8) + body + Array("]".utf8))
        #expect(
            "[\(String(decoding: left.bytes, as: UTF8.self))]" == String(decoding: batch.bytes, as: UTF8.self),
            "\(note), in a batch: \(String(decoding: body, as: UTF8.self))"
        )
    }

    @Test(arguments: [
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":"a-1","method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #" { "params" : { "account" : "ACCOUNT" , "environment" : "Production" } , "method" : "entitlements.get" , "id" : 9007199254740993 , "jsonrpc" : "2.0" } "#,
        #"{"jsonrpc":"2.0","id":-7,"method":"entitlements.check","params":{"entitlement":"pro","account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.check","params":{"entitlement":"never","account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","waitMs":0,"minPosition":"1:3"}}"#,
    ])
    func thePlainFormIsAnsweredFromMemory(body: String) async throws {
        try await Self.withBoth { cached, general in
            let before = try await Self.hits(cached)
            for number in 0..<6 {
                let account = Sample.account(number).description
                let text = body.replacing("ACCOUNT", with: number % 2 == 0 ? account : account.uppercased())
                try await Self.compare(Array(text.utf8), cached, general, "plain")
            }
            #expect(try await Self.hits(cached) == before + 6)
        }
    }

    /// Bodies that look plain and are not, or are wrong.
    private static let adversarial = [
        "", " ", "{", "{}", "[]", "[{}]", "null", "\u{FEFF}{}",
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":[]}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get"}"#,
        #"{"jsonrpc":"2.0","method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":null,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":01,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":-0,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":-,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":1.50,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":1e0,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":12345678901234567890123,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":true,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":{},"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":"\u0041","method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":"日本","method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":"","method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":1,"id":2,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"1.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":2.0,"id":1,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"id":1,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements\u002eget","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"Entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT"},"x":[1,{"a":2}]}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","environment":null}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","environment":"production"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","environment":"Sandbox"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","at":"2026-01-15"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","at":null}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","knownAt":"1:2"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","minPosition":"1:2.5"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","minPosition":"1:9999"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","minPosition":"2:1"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","minPosition":"1:"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","minPosition":"01:01"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","waitMs":30001}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","waitMs":-1}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","waitMs":1.0}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","entitlement":"pro"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT","originalTransactionId":"1"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"originalTransactionId":"2000001"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"11111111-1111-4111-8111"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":11111111}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.check","params":{"account":"ACCOUNT"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.check","params":{"account":"ACCOUNT","entitlement":""}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.check","params":{"account":"ACCOUNT","entitlement":"p\u0072o"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.check","params":{"account":"ACCOUNT","entitlement":"a/b'<>&"}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT"}}x"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT",}}"#,
        #"{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT"},}"#,
        #"{"jsonrpc":"2.0" "id":1,"method":"entitlements.get","params":{"account":"ACCOUNT"}}"#,
        #"[{"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"ACCOUNT"}},{"jsonrpc":"2.0","id":2,"method":"entitlements.check","params":{"account":"ACCOUNT","entitlement":"pro"}}]"#,
    ]

    @Test func whatOnlyLooksPlainIsAnsweredAlike() async throws {
        try await Self.withBoth { cached, general in
            for body in Self.adversarial {
                let text = body.replacing("ACCOUNT", with: Sample.account(0).description)
                try await Self.compare(Array(text.utf8), cached, general, "adversarial")
            }
        }
    }

    @Test func randomBodiesAreAnsweredAlike() async throws {
        let seed = SeededGenerator.seedOfThisRun("randomBodiesAreAnsweredAlike")
        var random = SeededGenerator(seed: seed)
        try await Self.withBoth { cached, general in
            let before = try await Self.hits(cached)
            for step in 0..<1_500 {
                var body = Self.plain(&random)
                if step % 3 > 0 { Self.damage(&body, &random) }
                try await Self.compare(body, cached, general, "seed \(seed), step \(step)")
            }
            #expect(try await Self.hits(cached) > before + 300)
        }
    }

    /// A call in its plain form: members in random order, with white space.
    private static func plain(_ random: inout SeededGenerator) -> [UInt8] {
        func space(_ random: inout SeededGenerator) -> String {
            Int.random(in: 0..<4, using: &random) > 0 ? "" : [" ", "\n", "\t\r\n  "].randomElement(using: &random)!
        }
        func object(_ members: [String], _ random: inout SeededGenerator) -> String {
            var text = "{"
            for (index, member) in members.shuffled(using: &random).enumerated() {
                text += (index > 0 ? "," : "") + space(&random) + member + space(&random)
            }
            return text + "}"
        }
        let isCheck = Bool.random(using: &random)
        let account = Sample.account(Int.random(in: 0..<6, using: &random)).description
        let spelling = Bool.random(using: &random) ? account : account.uppercased()
        var params = [#""account":\#(space(&random))"\#(spelling)""#]
        if isCheck {
            let name = ["pro", "max", "pass", "none", "日本", #"q\""#].randomElement(using: &random)!
            params.append(#""entitlement":"\#(name)""#)
        }
        if Int.random(in: 0..<3, using: &random) == 0 { params.append(#""environment":"Production""#) }
        if Int.random(in: 0..<5, using: &random) == 0 { params.append(#""minPosition":"1:2""#) }
        if Int.random(in: 0..<8, using: &random) == 0 { params.append(#""waitMs":20"#) }
        let id = ["1", #""x""#, "-4", "1.5", "null", #""\n""#, "123456789012345678901"].randomElement(using: &random)!
        let members = [
            #""jsonrpc":"2.0""#, #""id":\#(space(&random))\#(id)"#,
            #""method":"entitlements.\#(isCheck ? "check" : "get")""#,
            #""params"\#(space(&random)):"# + object(params, &random),
        ]
        return Array((space(&random) + object(members, &random) + space(&random)).utf8)
    }

    /// Changes, takes out, doubles or adds some bytes.
    private static func damage(_ body: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let index = Int.random(in: 0..<body.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: body.remove(at: index)
            case 1: body.insert(body[index], at: index)
            case 2: body[index] = Array(#"{}[]":,\0 e."#.utf8).randomElement(using: &random)!
            case 3: body[index] = UInt8.random(in: 0...255, using: &random)
            default: body.insert(contentsOf: #","id":3"#.utf8, at: index)
            }
            if body.isEmpty { body = [0x20] }
        }
    }
}
