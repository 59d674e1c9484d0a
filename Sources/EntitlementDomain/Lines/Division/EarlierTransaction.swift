/// A transaction behind the cut of a long line, with the statements about the line's renewal that were signed while its
/// period was the current one. Of twins the first by id has the statements.
package struct EarlierTransaction: Sendable, Hashable {
    package var state: TransactionState
    /// Sorted by signature date.
    package var renewals: [RenewalFacts]

    package init(state: TransactionState, renewals: [RenewalFacts]) {
        self.state = state
        self.renewals = renewals
    }
}

extension EarlierTransaction {
    /// The version of the encoded form, its first byte.
    package static let layoutVersion: UInt8 = 1

    /// The transaction in deterministic bytes: equal ones, equal bytes.
    package var encoded: [UInt8] {
        var encoder = ByteEncoder(reserving: 160 + 40 * renewals.count)
        encoder.encode(Self.layoutVersion)
        encoder.encode(state)
        encoder.encode(list: renewals) { $0.encode($1) }
        return encoder.bytes
    }

    /// Reads a transaction back.
    package init(encoded bytes: [UInt8]) throws(DecodingFailure) {
        var decoder = ByteDecoder(bytes)
        let version = try decoder.byte()
        guard version == Self.layoutVersion else { throw .unknownVersion(Int(version)) }
        state = try decoder.transactionState()
        renewals = try decoder.list { (decoder: inout ByteDecoder) throws(DecodingFailure) in
            try decoder.renewalFacts()
        }
        guard decoder.isAtEnd else { throw .invalidValue }
    }
}
