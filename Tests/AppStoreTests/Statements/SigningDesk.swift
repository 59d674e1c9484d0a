import AppStore
import EntitlementDomain
import JSON
import Simulator
import X509

/// Signers that are trusted and signers that are not, and a reader that tells them apart.
struct SigningDesk {
    static let now = Instant(iso8601: "2026-03-01T00:00:05Z") ?? .distantPast
    static let signedAt: Int64 = 1_772_323_201_000
    static let uuid = "c0ffee00-1414-4a14-8b14-140000000001"

    /// One set of keys for all tests; making them is the slow part.
    static let shared = Result { try SigningDesk() }

    let chain: ThrowawayChain
    let foreignChain: ThrowawayChain
    let expiredChain: ThrowawayChain
    let xcode: XcodeSigner
    let foreignXcode: XcodeSigner

    init() throws {
        func validity(_ from: String, _ to: String) -> CertificateValidity {
            CertificateValidity(
                notBefore: (Instant(iso8601: from) ?? .distantPast).milliseconds,
                notAfter: (Instant(iso8601: to) ?? .distantPast).milliseconds
            )
        }
        let good = validity("2025-01-01", "2030-01-01")
        chain = try ThrowawayChain.make(validity: good)
        foreignChain = try ThrowawayChain.make(validity: good)
        xcode = try XcodeSigner.make(validity: good)
        foreignXcode = try XcodeSigner.make(validity: good)
        // Issued by the trusted root, and over before the statements of these tests are signed.
        let old = validity("2024-01-01", "2025-06-01")
        let key = try P256PrivateKey.generate()
        let leaf = try chain.intermediate.issue(
            CertificateTemplate(
                commonName: "Expired Signer",
                validity: old,
                markers: [CertificateTemplate.Marker(oid: StatementMarker.leaf)]
            ),
            to: key.key
        )
        expiredChain = ThrowawayChain(root: chain.root, intermediate: chain.intermediate, leaf: leaf, key: key)
    }

    /// A reader that trusts the chain and Xcode's certificate, for one app with a known Apple id and one without.
    func reader(
        environments: Set<StoreEnvironment> = [.production, .sandbox],
        acceptsXcode: Bool = false
    ) throws -> StatementReader {
        StatementReader(
            verifier: try SignedStatementVerifier(
                VerifierConfiguration(roots: [chain.root.certificate], xcodeCertificates: [xcode.certificate])
            ),
            policy: AppStorePolicy(
                apps: ["com.example.app": 1_234_567_890, "com.example.other": nil],
                acceptedEnvironments: environments,
                acceptsXcode: acceptsXcode
            )
        )
    }

    /// A transaction of the app; changes replace members, nil removes one.
    func transaction(_ changes: [String: JSONValue?] = [:]) -> JSONObject {
        merge(
            [
                "transactionId": "1001", "originalTransactionId": "1001", "bundleId": "com.example.app",
                "productId": "pro.monthly", "purchaseDate": 1_772_323_200_000, "expiresDate": 1_775_001_600_000,
                "type": "Auto-Renewable Subscription", "environment": "Production",
                "signedDate": JSONValue(Self.signedAt),
            ],
            changes
        )
    }

    /// A renewal info of the same line.
    func renewalInfo(_ changes: [String: JSONValue?] = [:]) -> JSONObject {
        merge(
            [
                "originalTransactionId": "1001", "productId": "pro.monthly", "autoRenewProductId": "pro.monthly",
                "autoRenewStatus": 1, "environment": "Production", "signedDate": JSONValue(Self.signedAt),
            ],
            changes
        )
    }

    /// The envelope of a first purchase with these members in its data.
    func envelope(_ data: JSONObject?, _ changes: [String: JSONValue?] = [:]) -> JSONObject {
        var envelope: JSONObject = [
            "notificationType": "SUBSCRIBED", "subtype": "INITIAL_BUY", "notificationUUID": .string(Self.uuid),
            "version": "2.0", "signedDate": JSONValue(Self.signedAt + 1000),
        ]
        envelope["data"] = data.map { .object($0) }
        return merge(envelope, changes)
    }

    /// The data object of the app, with signed texts inside.
    func data(
        transaction: String? = nil,
        renewalInfo: String? = nil,
        _ changes: [String: JSONValue?] = [:]
    ) -> JSONObject {
        var data: JSONObject = [
            "environment": "Production", "appAppleId": 1_234_567_890, "bundleId": "com.example.app", "status": 1,
        ]
        data["signedTransactionInfo"] = transaction.map { .string($0) }
        data["signedRenewalInfo"] = renewalInfo.map { .string($0) }
        return merge(data, changes)
    }

    /// Signs as the App Store, or as somebody else.
    func sign(_ payload: JSONObject, as signer: StatementSigner? = nil) throws -> String {
        try (signer ?? chain.signer).sign(JSONValue.object(payload).serialized())
    }

    /// The notification of a first purchase; the closures' changes go into its parts.
    func notification(
        transaction: [String: JSONValue?]? = [:],
        renewalInfo: [String: JSONValue?]? = [:],
        data: [String: JSONValue?] = [:],
        envelope: [String: JSONValue?] = [:],
        as signer: StatementSigner? = nil
    ) throws -> String {
        try sign(
            self.envelope(
                self.data(
                    transaction: transaction.map { try sign(self.transaction($0), as: signer) },
                    renewalInfo: renewalInfo.map { try sign(self.renewalInfo($0), as: signer) },
                    data
                ),
                envelope
            ),
            as: signer
        )
    }

    private func merge(_ object: JSONObject, _ changes: [String: JSONValue?]) -> JSONObject {
        var object = object
        for (key, value) in changes { object[key] = value }
        return object
    }

    /// The text with one character of its signature changed.
    static func tampered(_ text: String) -> String {
        var bytes = Array(text.utf8)
        let index = bytes.count - 10
        bytes[index] = bytes[index] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The reason for which `body` is refused; nil when it is not.
func refusal(_ body: () throws -> Statement) throws -> StatementError.Reason? {
    do {
        _ = try body()
        return nil
    } catch let error as StatementError {
        return error.reason
    }
}
