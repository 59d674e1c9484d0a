import AppStore
import EntitlementDomain
import JSON
import Simulator
import X509

/// Signed texts, and the payloads under their signatures.
enum FuzzStatements {
    static func jws(_ bytes: [UInt8]) {
        let site = FuzzSite.shared
        let text = String(decoding: bytes, as: UTF8.self)
        _ = try? site.statements.verifier.verify(bytes, now: FuzzSite.now.milliseconds)
        _ = try? site.statements.readNotification(signedPayload: text, now: FuzzSite.now)
        _ = try? site.statements.readUpload(signedTransaction: text, signedRenewalInfo: text, now: FuzzSite.now)
    }

    static func x5c(_ bytes: [UInt8]) {
        let site = FuzzSite.shared
        _ = try? Certificate.load(file: bytes)
        let good = [site.chain.leaf, site.chain.intermediate.certificate, site.chain.root.certificate].map(\.der)
        for place in good.indices {
            var list = good
            list[place] = bytes
            let names = list.map { "\"" + String(decoding: Base64.encode($0), as: UTF8.self) + "\"" }
            let header = Array("{\"alg\":\"ES256\",\"x5c\":[\(names.joined(separator: ","))]}".utf8)
            guard let text = try? StatementSigner(header: header, key: site.chain.key).sign(FuzzSeeds.transactions[0])
            else { continue }
            _ = try? site.statements.verifier.verify(text, now: FuzzSite.now.milliseconds)
        }
    }

    static func notification(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let text = signed(bytes) else { return }
        let reader = FuzzSite.shared.statements
        guard let statement = try? reader.readNotification(signedPayload: text, now: FuzzSite.now) else { return }
        try check(statement)
    }

    static func transaction(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let text = signed(bytes) else { return }
        let reader = FuzzSite.shared.statements
        _ = try? reader.readAppTransaction(signedAppTransaction: text, now: FuzzSite.now)
        _ = try? reader.readUpload(signedTransaction: text, signedRenewalInfo: text, now: FuzzSite.now)
        guard let statement = try? reader.readUpload(signedTransaction: text, now: FuzzSite.now) else { return }
        try check(statement)
    }

    /// What is kept of a genuine statement must be a document, however odd.
    private static func check(_ statement: Statement) throws(FuzzFinding) {
        guard (try? JSONParser.parse(statement.payload)) != nil else {
            throw FuzzFinding("the payload that would be stored is not JSON")
        }
    }

    /// The payload signed; the parts of a notification are signed where they stand as objects.
    private static func signed(_ bytes: [UInt8]) -> String? {
        let signer = FuzzSite.shared.chain.signer
        guard var object = (try? JSONParser.parse(bytes))?.objectValue else { return try? signer.sign(bytes) }
        if var data = object["data"]?.objectValue {
            for name in ["signedTransactionInfo", "signedRenewalInfo"] {
                guard let part = data[name], part.objectValue != nil, let text = try? signer.sign(part.serialized())
                else { continue }
                data.set(name, .string(text))
            }
            object.set("data", .object(data))
        }
        return try? signer.sign(JSONValue.object(object).serialized())
    }

    static var signedSeeds: [[UInt8]] {
        let site = FuzzSite.shared
        let texts = (FuzzSeeds.transactions + FuzzSeeds.notifications).compactMap { signed($0) }
        let xcode = (try? site.xcode.signer.sign(FuzzSeeds.transactions[0])).map { [$0] } ?? []
        return (texts + xcode + ["..", "a.b.c", "eyJhbGciOiJFUzI1NiIsIng1YyI6W119.e30.AA"]).map { Array($0.utf8) }
    }

    static var certificateSeeds: [[UInt8]] {
        let site = FuzzSite.shared
        return [site.chain.leaf, site.chain.intermediate.certificate, site.chain.root.certificate].map(\.der)
            + [site.xcode.certificate.der] + AppleRoots.appStore.map(\.der) + AppleRoots.receipts.map(\.der)
    }
}
