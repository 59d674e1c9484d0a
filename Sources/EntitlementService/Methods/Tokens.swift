import EntitlementAPI
import EntitlementDomain
import JSONRPC

/// The method that signs answers.
struct Tokens: Sendable {
    let lookups: Lookups
    let keys: SigningKeyRing
    let issuer: String
    let clock: @Sendable () -> Instant
    /// Waits; a test lets its own clock run instead.
    let pause: @Sendable (Duration) async -> Void

    /// A shorter validity is no use to anybody: the token would end on its way.
    private static let shortestValidity: Duration = .seconds(1)
    /// How often a change by the clock is waited for: more of them within seconds of each other do not occur in earnest.
    private static let maximumWaits = 3

    func issue(_ parameters: EntitlementsToken.Parameters) async throws(JSONRPCError) -> EntitlementsToken.Response {
        guard keys.isConfigured else {
            throw ErrorReason.unavailable.error(
                "Tokens are not set up here: name a directory in the setting signingKeys, and make a key in it with "
                    + "'entitled keys rotate-signing --directory DIR'."
            )
        }
        let claims = try await claims(parameters)
        guard let key = keys.signer(at: clock()) else {
            throw ErrorReason.unavailable.error(
                "The directory of the setting signingKeys holds no key that can be read; "
                    + "'entitled keys rotate-signing --directory DIR' makes one."
            )
        }
        do {
            return EntitlementsToken.Response(
                token: try key.sign(claims: claims.json),
                expiresAt: Instant(milliseconds: claims.expiresAt * 1_000),
                position: claims.snapshot.position
            )
        } catch {
            throw .internalError
        }
    }

    /// The claims for now. Where the clock changes the answer in a moment, that moment is waited for: a token must not
    /// outlive its answer, and before the change there is no time left for one.
    private func claims(_ parameters: EntitlementsToken.Parameters) async throws(JSONRPCError) -> TokenClaims {
        for _ in 0...Self.maximumWaits {
            let snapshot = try await lookups.entitlements(EntitlementsGet.Parameters(key: parameters.key))
            let claims = TokenClaims(
                snapshot,
                issuer: issuer,
                audience: parameters.audience,
                ttlSeconds: parameters.ttlSeconds
            )
            let now = clock()
            guard let change = snapshot.answer.nextChangeAt, claims.validity(from: now) < Self.shortestValidity,
                // A short time to live was asked for; the change is beyond it.
                change.milliseconds < (claims.issuedAt + parameters.ttlSeconds) * 1_000
            else { return claims }
            await pause(.milliseconds(max(1, change.milliseconds - now.milliseconds)))
        }
        throw ErrorReason.unavailable.error("The answer changes several times within seconds; try again.")
    }
}
