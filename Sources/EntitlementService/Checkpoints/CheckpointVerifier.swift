package import JSON
import X509

/// Verifies checkpoints with public keys that the one who verifies has kept: offline, without the service.
package struct CheckpointVerifier: Sendable {
    /// Why a checkpoint is not believed.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        package var description: String
    }

    /// `kid` -> key.
    private var keys: [String: Ed25519PublicKey] = [:]

    /// - Parameter keySet: a JWK set (RFC 7517) as `/.well-known/jwks.json` gives it. Keys of other kinds are skipped.
    package init(keySet: JSONValue) throws(Failure) {
        for key in keySet["keys"]?.arrayValue ?? [] {
            guard key["kty"]?.stringValue == "OKP", key["crv"]?.stringValue == "Ed25519",
                let keyID = key["kid"]?.stringValue,
                let bytes = key["x"]?.stringValue.flatMap({ Base64URL.decode($0.utf8) }),
                let publicKey = try? Ed25519PublicKey(bytes: bytes)
            else { continue }
            keys[keyID] = publicKey
        }
        if keys.isEmpty { throw Failure(description: "the key set holds no Ed25519 key") }
    }

    /// Verifies a checkpoint's file, or its signed text alone.
    package func verify(file: [UInt8]) throws(Failure) -> Checkpoint {
        let document = try? JSONParser.parse(file)
        let text = document?["token"]?.stringValue ?? String(decoding: file, as: UTF8.self)
        let checkpoint = try verify(token: text.filter { !$0.isWhitespace })
        if let shown = document?["checkpoint"], Checkpoint(claims: ["checkpoint": shown]) != checkpoint {
            throw Failure(description: "the file shows another checkpoint than the one that is signed")
        }
        return checkpoint
    }

    private func verify(token: String) throws(Failure) -> Checkpoint {
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw Failure(description: "it is no signed text") }
        guard header["alg"]?.stringValue == "EdDSA", header["typ"]?.stringValue == Checkpoint.type else {
            throw Failure(description: "the signed text is no checkpoint")
        }
        guard let keyID = header["kid"]?.stringValue, let key = keys[keyID] else {
            throw Failure(description: "it is signed by a key that is not in the key set")
        }
        let input = Array(token.utf8.prefix(parts[0].count + 1 + parts[1].count))
        guard key.isValidSignature(signature, over: input) else {
            throw Failure(description: "the signature is not good")
        }
        guard let checkpoint = Checkpoint(claims: claims) else {
            throw Failure(description: "the signed text names no position and hash")
        }
        return checkpoint
    }

    private static func json(_ segment: some Sequence<UInt8>) -> JSONValue? {
        Base64URL.decode(segment).flatMap { try? JSONParser.parse($0) }
    }
}
