import EntitlementDomain
import JSON
import X509

/// A token as someone else verifies it: with nothing but its text and a key set.
struct VerifiedToken {
    /// Why a token is not to be believed.
    struct Refusal: Error, Equatable {
        var reason: String
    }

    let header: JSONValue
    let claims: JSONValue

    /// Verifies as RFC 7515 section 5.2 and RFC 8037 section 3.1 say.
    init(_ token: String, keySet: JSONValue) throws {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let decoded = parts.compactMap { Base64URL.decode($0.utf8) }
        guard parts.count == 3, decoded.count == 3 else { throw Refusal(reason: "not three parts in base64url") }
        header = try JSONParser.parse(decoded[0])
        claims = try JSONParser.parse(decoded[1])
        guard header["alg"] == "EdDSA" else { throw Refusal(reason: "the algorithm") }
        let keys = (keySet["keys"]?.arrayValue ?? []).filter { $0["kid"] == header["kid"] }
        guard keys.count == 1, let key = Base64URL.decode((keys[0]["x"]?.stringValue ?? "").utf8) else {
            throw Refusal(reason: "no key of the set has this id")
        }
        let input = Array("\(parts[0]).\(parts[1])".utf8)
        guard try Ed25519PublicKey(bytes: key).isValidSignature(decoded[2], over: input) else {
            throw Refusal(reason: "the signature")
        }
    }

    /// Whether a verifier takes it at an instant (RFC 7519 sections 4.1.4 and 4.1.5).
    func isValid(at instant: Instant) -> Bool {
        guard let begin = claims["nbf"]?.int64Value, let end = claims["exp"]?.int64Value else { return false }
        return begin * 1_000 <= instant.milliseconds && instant.milliseconds < end * 1_000
    }
}
