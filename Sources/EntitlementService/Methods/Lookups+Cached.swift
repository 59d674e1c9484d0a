import EntitlementAPI
import EntitlementDomain
import JSONRPC

/// The methods whose results may be in memory as they go out.
extension Lookups {
    /// The result of `entitlements.get`.
    func entitlementsJSON(_ parameters: EntitlementsGet.Parameters) async throws(JSONRPCError) -> [UInt8] {
        if let known = known(parameters.key, at: parameters.at) { return known }
        guard let read = try await read(parameters.key, at: parameters.at) else {
            return try await entitlements(parameters).json
        }
        return read.json
    }

    /// The result of `entitlements.check`.
    func checkJSON(_ parameters: EntitlementsCheck.Parameters) async throws(JSONRPCError) -> [UInt8] {
        // A name that must be escaped is none that the bytes can be compared with.
        let isPlain = parameters.entitlement.utf8.allSatisfy { (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }
        if isPlain, let known = known(parameters.key, at: parameters.at),
            let check = CheckText(known, Array(parameters.entitlement.utf8)[...])
        {
            var bytes: [UInt8] = []
            check.write(to: &bytes)
            return bytes
        }
        return try await check(parameters).json
    }

    /// The result of `entitlements.get` from memory; nil when it has to be read.
    private func known(_ key: KeyParameters, at instant: Instant?) -> [UInt8]? {
        guard instant == nil, key.knownAt == nil, case .account(let account) = key.subject,
            let cacheKey = AnswerKey(account, in: key.environment)
        else { return nil }
        var bytes: [UInt8] = []
        let hit = reads.cache.write(cacheKey, at: clock(), minimum: key.minPosition, to: &bytes)
        return hit == nil ? nil : bytes
    }
}
