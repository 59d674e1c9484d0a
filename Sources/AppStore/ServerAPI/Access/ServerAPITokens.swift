package import EntitlementDomain
import JSON
import Synchronization
import X509

/// Makes the JSON Web Tokens that authorize calls (App Store Server API, Generating JSON Web Tokens for API requests),
/// and uses each for most of its life.
package final class ServerAPITokens: Sendable {
    /// How long a token is valid, in milliseconds: five minutes, as Apple's own libraries have it.
    package static let lifetime: Int64 = 300_000
    /// How long before its end a token is not used any more, in milliseconds: a call, and the difference of two clocks.
    package static let margin: Int64 = 60_000

    private struct Made {
        var text: String
        var from: Instant
        var until: Instant
    }

    private let credentials: ServerAPICredentials
    private let bundleID: String
    private let made = Mutex<Made?>(nil)

    /// Tokens for the calls about one app.
    package init(_ credentials: ServerAPICredentials, bundleID: String) {
        self.credentials = credentials
        self.bundleID = bundleID
    }

    /// A token that is good at `now`: the last one, or a new one.
    ///
    /// Throws ``ServerAPIError/signingFailed(_:)``.
    package func token(at now: Instant) throws(ServerAPIError) -> String {
        let kept = made.withLock { made in
            // A clock that was set back makes a token that is not valid yet.
            made.flatMap { $0.from <= now && now < $0.until ? $0.text : nil }
        }
        if let kept { return kept }
        let text = try sign(at: now)
        let until = now.advanced(byMilliseconds: Self.lifetime - Self.margin)
        made.withLock { $0 = Made(text: text, from: now, until: until) }
        return text
    }

    /// Forgets a token that was refused.
    package func drop(_ text: String) {
        made.withLock { if $0?.text == text { $0 = nil } }
    }

    private func sign(at now: Instant) throws(ServerAPIError) -> String {
        let seconds = now.milliseconds / 1_000
        let header: JSONValue = ["alg": "ES256", "kid": .string(credentials.keyID), "typ": "JWT"]
        let claims: JSONValue = [
            "iss": .string(credentials.issuerID), "iat": JSONValue(seconds),
            "exp": JSONValue(seconds + Self.lifetime / 1_000), "aud": "appstoreconnect-v1", "bid": .string(bundleID),
        ]
        var text = Base64URL.encode(header.serialized())
        text.append(UInt8(ascii: "."))
        text += Base64URL.encode(claims.serialized())
        do {
            let signature = try credentials.key.sign(text)
            text.append(UInt8(ascii: "."))
            text += Base64URL.encode(signature)
        } catch {
            throw .signingFailed(error.description)
        }
        return String(decoding: text, as: UTF8.self)
    }
}
