import EntitlementDomain
import EntitlementService
import Foundation
import HTTPServer
import JSON
import JSONRPC
import TLSTesting
import Testing
import X509

@testable import entitled

/// The configuration of `entitled serve`: what is taken, and what is said of everything that is wrong.
struct ServeSettingsTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Settings of a file that is complete but for what a test adds.
    private func settings(_ extra: JSONObject, environment: [String: String] = [:]) throws -> ServeSettings {
        var object: JSONObject = [
            "database": "host=/nowhere", "apps": [["bundleId": "com.example.app", "appAppleId": 1]],
        ]
        for member in extra.members { object.set(member.key, member.value) }
        try directory.write(String(decoding: JSONValue.object(object).serialized(), as: UTF8.self), to: "serve.json")
        return ServeSettings(
            file: directory.url.appendingPathComponent("serve.json").path,
            environment: environment
        )
    }

    /// Everything that is wrong.
    private func problems(_ extra: JSONObject, environment: [String: String] = [:]) throws -> [String] {
        var settings = try settings(extra, environment: environment)
        do {
            _ = try settings.configuration()
            return []
        } catch {
            #expect(error.status == .configuration)
            return settings.problems
        }
    }

    @Test func limitsReachTheService() throws {
        var settings = try settings([
            "limits": [
                "maximumBatch": 5, "maximumBodyBytes": 70_000, "maximumDepth": 20, "requestTimeLimit": "PT1M30S",
                "maximumConnections": 17, "maximumConnectionsPerAddress": 3,
            ]
        ])
        let configuration = try settings.configuration()
        #expect(configuration.limits.maximumBatch == 5)
        #expect(configuration.limits.maximumDepth == 20)
        #expect(configuration.http.maximumBodyBytes == 70_000)
        #expect(configuration.http.requestTimeLimit == .seconds(90))
        #expect(configuration.http.maximumConnections == 17)
        #expect(configuration.http.maximumConnectionsPerAddress == 3)
    }

    @Test(arguments: [
        "postgresql://entitled_service:hunter2@2@db/entitled", "postgresql://u:hunter2/x@db/entitled",
        "host=db password=hunter2 hunter2", "host=db port=hunter2", "postgresql://u:hunter2@db/entitled?x=1",
        "postgresql://u:hunter2@db:99999/entitled", "host=db password='hunter2", "hunter2",
    ])
    func aConnectionStringThatCannotBeRightIsToldWithoutItsPassword(text: String) throws {
        for problems in [
            try problems(["database": .string(text)]), try problems([:], environment: ["ENTITLED_DATABASE": text]),
        ] {
            #expect(problems.count == 1)
            #expect(problems.allSatisfy { $0.hasPrefix("database: ") && !$0.contains("hunter2") }, "\(problems)")
        }
    }

    @Test(arguments: [
        "host=/run/postgresql", "postgresql://u:p%40ss@a,b:5433/entitled?sslmode=verify-full", "dbname=a port=5432",
        "postgresql:///entitled?host=%2Frun%2Fpostgresql", "service=entitled",
    ])
    func otherConnectionStringsAreTaken(text: String) throws {
        #expect(try problems(["database": .string(text)]) == [])
    }

    @Test func clientCertificatesNeedAnAuthority() throws {
        let tls: JSONObject = ["certificate": "/nowhere/a", "key": "/nowhere/b"]
        func problemsWith(_ name: String, _ value: JSONValue) throws -> [String] {
            var tls = tls
            tls.set(name, value)
            return try problems(["listen": ["tls": .object(tls)]])
        }
        for (name, value, word) in [
            ("clientCertificates", "required" as JSONValue, "clientCA"), ("clientCertificates", "perhaps", "optional"),
            ("clientCA", 1, "clientCA"), ("clientCA", "/nowhere/c", "/nowhere/c"), ("ca", "x", "listen.tls.ca"),
        ] {
            #expect(try problemsWith(name, value).contains { $0.contains(word) }, "\(name)")
        }
        let environment = ["ENTITLED_TLS_CERTIFICATE": "/nowhere/x", "ENTITLED_TLS_KEY": "/nowhere/y"]
        let over = try problems(["listen": ["tls": .object(tls)]], environment: environment)
        #expect(over.contains { $0.contains("/nowhere/x") } && over.contains { $0.contains("/nowhere/y") })
        #expect(try problems([:], environment: ["ENTITLED_TLS_KEY": "/nowhere/y"]).count == 1)
    }

    @Test func whatIsNotGivenKeepsItsDefault() throws {
        var settings = try settings(["limits": ["maximumBatch": 7]])
        let configuration = try settings.configuration()
        #expect(configuration.limits.maximumBatch == 7)
        #expect(configuration.limits.maximumDepth == RPCLimits().maximumDepth)
        #expect(configuration.http.maximumBodyBytes == HTTPServerConfiguration().maximumBodyBytes)
        #expect(configuration.http.requestTimeLimit == HTTPServerConfiguration().requestTimeLimit)
        #expect(configuration.http.address == "127.0.0.1")
        #expect(configuration.http.tls == nil)
        #expect(configuration.tokens.signingKeys == nil)
        #expect(configuration.tokens.issuer == "entitled")
    }

    @Test(
        arguments: [
            ("maximumBatch", 0, "limits.maximumBatch must be a whole number from 1 to 10000"),
            ("maximumBatch", "5", "limits.maximumBatch must be a whole number from 1 to 10000"),
            ("maximumBodyBytes", 100, "limits.maximumBodyBytes must be a whole number from 65536 to 67108864"),
            ("maximumDepth", 1_000, "limits.maximumDepth must be a whole number from 16 to 512"),
            ("maximumConnections", 1.5, "limits.maximumConnections must be a whole number from 1 to 65536"),
            (
                "requestTimeLimit", 30,
                "limits.requestTimeLimit must be an ISO 8601 duration of 1 to 600 seconds, such as \"PT30S\""
            ),
            (
                "requestTimeLimit", "P1M",
                "limits.requestTimeLimit must be an ISO 8601 duration of 1 to 600 seconds, such as \"PT30S\""
            ),
            (
                "requestTimeLimit", "PT0S",
                "limits.requestTimeLimit must be an ISO 8601 duration of 1 to 600 seconds, such as \"PT30S\""
            ),
            (
                "maximumBodySize", 1,
                "limits.maximumBodySize is no setting; known: maximumBatch, maximumBodyBytes, maximumDepth, "
                    + "requestTimeLimit, maximumConnections, maximumConnectionsPerAddress"
            ),
        ] as [(String, JSONValue, String)]
    )
    func aLimitThatMakesNoSenseIsNamed(name: String, value: JSONValue, problem: String) throws {
        #expect(try problems(["limits": .object([name: value])]) == [problem])
    }

    @Test func everyProblemIsReportedAtOnce() throws {
        let found = try problems([
            "limits": 7, "listen": ["port": 70_000, "plainHTTP": "yes", "tls": ["certificate": "x"]],
            "signingKeys": "/nowhere/keys", "tokenIssuer": "",
        ])
        #expect(
            found == [
                "listen.port must be a whole number from 0 to 65535", "listen.plainHTTP must be true or false",
                "listen.tls must have certificate and key, the paths of two PEM files",
                "limits must be an object; known: maximumBatch, maximumBodyBytes, maximumDepth, requestTimeLimit, "
                    + "maximumConnections, maximumConnectionsPerAddress",
                "tokenIssuer must be text: the iss claim of tokens",
                "signingKeys: /nowhere/keys is no directory that can be read",
            ]
        )
    }

    // MARK: Plain HTTP and TLS

    @Test(arguments: [
        ("127.0.0.1", true), ("127.1.2.3", true), ("::1", true), ("localhost", true), ("0.0.0.0", false),
        ("::", false), ("192.0.2.7", false), ("127.example.com", false), ("127.0.0.1.example.com", false),
        ("entitled.example", false), ("127.0.0.256", false),
    ])
    func plainHTTPStaysOnThisMachineUnlessAllowed(address: String, isLoopback: Bool) throws {
        let found = try problems(["listen": ["address": .string(address)]])
        #expect(found.isEmpty == isLoopback)
        #expect(found.allSatisfy { $0.hasPrefix("listen.address \(address) is beyond this machine") })
        #expect(try problems(["listen": ["address": .string(address), "plainHTTP": true]]) == [])
        #expect(try problems([:], environment: ["ENTITLED_ADDRESS": address]).isEmpty == isLoopback)
        #expect(
            try problems([:], environment: ["ENTITLED_ADDRESS": address, "ENTITLED_PLAIN_HTTP": "true"]) == []
        )
    }

    @Test func certificateAndKeyAreReadFromTheirFiles() async throws {
        let made = try await ThrowawayCertificate.make()
        let (key, certificate) = (made.privateKeyPEM, made.certificatePEM)
        try directory.write(key, to: "key.pem")
        try directory.write(certificate, to: "chain.pem")
        var settings = try settings([
            "listen": [
                "address": "0.0.0.0",
                "tls": [
                    "certificate": .string(directory.path + "/chain.pem"), "key": .string(directory.path + "/key.pem"),
                ],
            ]
        ])
        let tls = try #require(try settings.configuration().http.tls)
        #expect(tls.certificatePEM == certificate)
        #expect(tls.privateKeyPEM == key)
    }

    @Test func filesThatAreNoCertificateOrKeyAreNamed() throws {
        try directory.write("-----BEGIN ENCRYPTED PRIVATE KEY-----\n-----END ENCRYPTED PRIVATE KEY-----", to: "key.pem")
        let (missing, key) = (directory.path + "/none.pem", directory.path + "/key.pem")
        let swapped = try problems(["listen": ["tls": ["certificate": .string(key), "key": .string(missing)]]])
        #expect(
            swapped == [
                "listen.tls.certificate: \(key) holds no certificate in PEM form",
                "listen.tls.key: \(missing) cannot be read",
            ]
        )
        let encrypted = try problems(["listen": ["tls": ["certificate": .string(missing), "key": .string(key)]]])
        #expect(encrypted.last == "listen.tls.key: \(key) holds no unencrypted private key in PEM form")
    }

    @Test func aCertificateThatHasEndedIsSaidBeforeTheStart() async throws {
        let made = try await ThrowawayCertificate.make(days: -1)
        try directory.write(made.privateKeyPEM, to: "key.pem")
        try directory.write(made.certificatePEM, to: "chain.pem")
        let files: JSONValue = [
            "certificate": .string(directory.path + "/chain.pem"), "key": .string(directory.path + "/key.pem"),
        ]
        let problems = try problems(["listen": ["tls": files]])
        #expect(problems.count == 1)
        #expect(problems.first?.contains("the certificate does not hold now") == true, "\(problems)")
    }

    @Test func oneMistakeIsOneProblem() throws {
        #expect(try problems([:], environment: ["ENTITLED_DATABASE": ""]) == [])
        #expect(try problems(["database": 5]) == ["database must be text: a libpq connection string"])
        #expect(
            try problems(["apps": [["bundleID": "com.example.app"]]]) == [
                "apps[0].bundleID is no setting; known: bundleId, appAppleId", "apps[0].bundleId must be text",
            ]
        )
        #expect(
            try problems(["apps": [["bundleId": "com.example.app", "appAppleId": "1"]]])
                == ["apps[0].appAppleId must be a whole number above 0"]
        )
        #expect(
            try problems(["trustRoots": ["/nowhere/root.cer"]]) == ["trustRoots: /nowhere/root.cer does not exist"]
        )
        // Below a file there is no directory, whoever asks.
        let place = directory.path + "/serve.json/checkpoints"
        let files = try problems(["checkpoints": ["directory": .string(place)]])
        #expect(files.contains { $0.hasPrefix("checkpoints.directory: \(place) cannot be written") })
    }

    // MARK: Tokens

    @Test func signingKeysAreCheckedBeforeTheServiceStarts() throws {
        let keys = directory.path + "/keys"
        try FileManager.default.createDirectory(atPath: keys, withIntermediateDirectories: true)
        #expect(
            try problems(["signingKeys": .string(keys)]) == [
                "signingKeys: the directory holds no key; 'entitled keys rotate-signing --directory DIR' makes one"
            ]
        )
        _ = try SigningKeyDirectory(path: keys).addKey(now: TestService.start)
        var settings = try settings(
            ["tokenIssuer": "https://entitled.example"],
            environment: ["ENTITLED_SIGNING_KEYS": keys]
        )
        let configuration = try settings.configuration()
        #expect(configuration.tokens.signingKeys?.path == keys)
        #expect(configuration.tokens.issuer == "https://entitled.example")
        try directory.write("no key", to: "keys/old.pem")
        #expect(
            try problems(["signingKeys": .string(keys)]) == [
                "signingKeys: \(keys)/old.pem is no Ed25519 private key in PEM form (unencrypted PKCS#8)"
            ]
        )
    }

    @Test func verifyReceiptIsOffUnlessItIsSet() throws {
        var off = try settings([:])
        #expect(try off.configuration().receiptService == nil)
        try directory.write("s3cret\n", to: "secret")
        let file = directory.url.appendingPathComponent("secret").path
        var on = try settings(["verifyReceipt": ["sharedSecretFile": .string(file)]])
        #expect(try on.configuration().receiptService != nil)
        var plain = try settings(["verifyReceipt": [:]])
        #expect(try plain.configuration().receiptService != nil)
    }

    @Test(
        arguments: [
            (true, "verifyReceipt must be an object; known: sharedSecretFile, production, sandbox"),
            (["password": "x"], "verifyReceipt.password is no setting; known: sharedSecretFile, production, sandbox"),
            (
                ["sharedSecretFile": "/nowhere/secret"],
                "verifyReceipt.sharedSecretFile: /nowhere/secret cannot be read, or is empty"
            ),
            (
                ["sandbox": "sandbox.example/"],
                "verifyReceipt.sandbox must be an address without a slash at its end, such as \"https://host.example\""
            ),
        ] as [(JSONValue, String)]
    )
    func faultsOfVerifyReceiptAreNamed(value: JSONValue, problem: String) throws {
        #expect(try problems(["verifyReceipt": value]) == [problem])
    }
}
