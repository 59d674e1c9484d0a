import EntitlementDomain
import JSON
import X509

/// Checks a client's token as the App Store does (App Store Server API, Generating JSON Web Tokens for API requests).
struct TokenCheck: Sendable {
    let credentials: FakeCredentials
    let bundleID: String

    /// The longest validity that is taken, in seconds.
    private static let longestValidity: Int64 = 3_600
    /// How far two clocks may be apart, in seconds.
    private static let tolerance: Int64 = 60

    /// What is wrong; nil: nothing.
    func problem(authorization: String?, now: Instant) -> String? {
        guard let authorization, authorization.hasPrefix("Bearer ") else { return "no bearer token" }
        let segments = authorization.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false)
        guard segments.count == 3, let header = Self.object(segments[0]), let claims = Self.object(segments[1]),
            let signature = Base64URL.decode(segments[2].utf8)
        else { return "the token is no JSON Web Token" }
        guard header["alg"] == "ES256", header["typ"] == "JWT" else { return "alg or typ is wrong" }
        guard header["kid"] == .string(credentials.keyID) else { return "kid is wrong" }
        let signed = Array("\(segments[0]).\(segments[1])".utf8)
        guard credentials.key.publicKey.isValidSignature(signature, over: signed) else {
            return "the signature is wrong"
        }
        guard claims["iss"] == .string(credentials.issuerID) else { return "iss is wrong" }
        guard claims["aud"] == "appstoreconnect-v1" else { return "aud is wrong" }
        guard claims["bid"] == .string(bundleID) else { return "bid is wrong" }
        let seconds = now.milliseconds / 1_000
        guard let issued = claims["iat"]?.int64Value, let expires = claims["exp"]?.int64Value else {
            return "iat or exp is missing"
        }
        guard issued <= seconds + Self.tolerance else { return "iat is in the future" }
        guard expires > seconds else { return "the token has expired" }
        guard expires - issued <= Self.longestValidity else { return "the token is valid for too long" }
        return nil
    }

    private static func object(_ segment: Substring) -> JSONObject? {
        Base64URL.decode(segment.utf8).flatMap { try? JSONParser.parse($0) }?.objectValue
    }
}
