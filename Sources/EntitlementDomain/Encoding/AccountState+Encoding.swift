extension AccountState {
    /// The version of the encoded form, its first byte.
    package static let layoutVersion: UInt8 = 1

    /// The state in deterministic bytes: equal states, equal bytes.
    package var encoded: [UInt8] {
        var encoder = ByteEncoder()
        encoder.encode(Self.layoutVersion)
        encoder.encode(list: grants) { encoder, grant in
            encoder.encode(grant.id)
            encoder.encode(grant.entitlement)
            encoder.encode(grant.startsAt)
            encoder.encode(optional: grant.endsAt) { $0.encode($1) }
            encoder.encode(optional: grant.revokedAt) { $0.encode($1) }
        }
        encoder.encode(list: holds) { $0.encode($1) }
        encoder.encode(list: spends) { encoder, spend in
            encoder.encode(spend.position)
            encoder.encode(spend.at)
            encoder.encode(spend.currency)
            encoder.encode(spend.units)
        }
        encoder.encode(isErased)
        return encoder.bytes
    }

    /// Reads a state back.
    package init(encoded bytes: [UInt8]) throws(DecodingFailure) {
        var decoder = ByteDecoder(bytes)
        let version = try decoder.byte()
        guard version == Self.layoutVersion else { throw .unknownVersion(Int(version)) }
        let grants = try decoder.list { (decoder: inout ByteDecoder) throws(DecodingFailure) in
            Grant(
                id: try decoder.account(),
                entitlement: try decoder.string(),
                startsAt: try decoder.instant(),
                endsAt: try decoder.optional(ByteDecoder.readInstant),
                revokedAt: try decoder.optional(ByteDecoder.readInstant)
            )
        }
        let holds = try decoder.list(ByteDecoder.readHold)
        let spends = try decoder.list { (decoder: inout ByteDecoder) throws(DecodingFailure) in
            Spend(
                position: try decoder.int64(),
                at: try decoder.instant(),
                currency: try decoder.string(),
                units: try decoder.int64()
            )
        }
        let isErased = try decoder.bool()
        guard decoder.isAtEnd else { throw .invalidValue }
        self.init(grants: grants, holds: holds, spends: spends, isErased: isErased)
    }
}

extension ByteEncoder {
    mutating func encode(_ hold: Hold) {
        encode(hold.id)
        encode(optional: hold.entitlement) { $0.encode($1) }
        encode(hold.placedAt)
        encode(optional: hold.liftedAt) { $0.encode($1) }
    }
}

extension ByteDecoder {
    static func readHold(_ decoder: inout ByteDecoder) throws(DecodingFailure) -> Hold {
        Hold(
            id: try decoder.account(),
            entitlement: try decoder.optional(readString),
            placedAt: try decoder.instant(),
            liftedAt: try decoder.optional(readInstant)
        )
    }
}
