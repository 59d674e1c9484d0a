extension LineState {
    /// The version of the encoded form of a whole line, its first byte.
    package static let layoutVersion: UInt8 = 1
    /// The version of the encoded form of a head: that of a whole line behind the place of the cut.
    package static let headLayoutVersion: UInt8 = 2

    /// The state in deterministic bytes: equal states, equal bytes. The id is not among them.
    package var encoded: [UInt8] {
        var encoder = ByteEncoder(reserving: 64 + 160 * transactions.count + 40 * renewals.count)
        if let cut {
            encoder.encode(Self.headLayoutVersion)
            encoder.encode(cut.settledUntil)
            encoder.encode(optional: cut.revokedUntil) { $0.encode($1) }
            encoder.encode(cut.answersFrom)
        } else {
            encoder.encode(Self.layoutVersion)
        }
        encoder.encode(list: transactions) { $0.encode($1) }
        encoder.encode(list: renewals) { $0.encode($1) }
        encoder.encode(optional: link) { encoder, link in
            encoder.encode(optional: link.account) { $0.encode($1) }
            encoder.encode(link.position)
        }
        encoder.encode(list: holds) { $0.encode($1) }
        return encoder.bytes
    }

    /// Reads a state back.
    package init(id: LineID, encoded bytes: [UInt8]) throws(DecodingFailure) {
        var decoder = ByteDecoder(bytes)
        let version = try decoder.byte()
        let cut: LineCut?
        switch version {
        case Self.layoutVersion: cut = nil
        case Self.headLayoutVersion:
            cut = LineCut(
                settledUntil: try decoder.instant(),
                revokedUntil: try decoder.optional(ByteDecoder.readInstant),
                answersFrom: try decoder.instant()
            )
        default: throw .unknownVersion(Int(version))
        }
        let transactions = try decoder.list { (decoder: inout ByteDecoder) throws(DecodingFailure) in
            try decoder.transactionState()
        }
        let renewals = try decoder.list { (decoder: inout ByteDecoder) throws(DecodingFailure) in
            try decoder.renewalFacts()
        }
        let link = try decoder.optional { (decoder: inout ByteDecoder) throws(DecodingFailure) in
            OwnerLink(account: try decoder.optional(ByteDecoder.readAccount), position: try decoder.int64())
        }
        let holds = try decoder.list(ByteDecoder.readHold)
        guard decoder.isAtEnd else { throw .invalidValue }
        self.init(id: id, transactions: transactions, renewals: renewals, cut: cut, link: link, holds: holds)
    }
}

extension ByteEncoder {
    package mutating func encode(_ state: TransactionState) {
        encode(state.newest)
        encode(state.firstSignedAt)
        encode(optional: state.lastCleanAt) { $0.encode($1) }
        encode(list: state.revocations) { $0.encode($1) }
        encode(state.hasBeenRevoked)
        encode(optional: state.upgradedAt) { $0.encode($1) }
        encode(optional: state.token) { encoder, token in
            encoder.encode(token.signedAt)
            encoder.encode(token.account)
        }
        encode(state.flags)
        if let receipts = state.receipts {
            encode(optional: receipts.lastCleanAt) { $0.encode($1) }
            encode(list: receipts.revocations) { $0.encode($1) }
        }
    }

    private mutating func encode(_ revocation: TransactionState.Revocation) {
        encode(revocation.signedAt)
        encode(revocation.revokedAt)
    }
}

extension TransactionState {
    fileprivate static let announcedFlag: UInt8 = 1
    fileprivate static let introductoryFlag: UInt8 = 2
    /// The newest version is of a receipt.
    fileprivate static let receiptFlag: UInt8 = 4
    /// What receipts tell of revocations follows.
    fileprivate static let receiptsFlag: UInt8 = 8
    fileprivate static let allFlags = announcedFlag | introductoryFlag | receiptFlag | receiptsFlag

    /// The truth values in one byte. An introductory offer that the newest version names is not said again.
    fileprivate var flags: UInt8 {
        (isAnnounced ? Self.announcedFlag : 0)
            | (hasIntroductoryOffer && newest.offer?.type != 1 ? Self.introductoryFlag : 0)
            | (newest.isFromReceipt ? Self.receiptFlag : 0) | (receipts != nil ? Self.receiptsFlag : 0)
    }
}

extension ByteDecoder {
    package mutating func transactionState() throws(DecodingFailure) -> TransactionState {
        var newest = try transactionFacts()
        let firstSignedAt = try instant()
        let lastCleanAt = try optional(ByteDecoder.readInstant)
        let revocations = try list(ByteDecoder.readRevocation)
        let hasBeenRevoked = try bool()
        let upgradedAt = try optional(ByteDecoder.readInstant)
        let token = try optional { (decoder: inout ByteDecoder) throws(DecodingFailure) in
            TransactionState.SignedToken(signedAt: try decoder.instant(), account: try decoder.account())
        }
        let flags = try byte()
        guard flags & ~TransactionState.allFlags == 0 else { throw .invalidValue }
        newest.isFromReceipt = flags & TransactionState.receiptFlag != 0
        var receipts: TransactionState.ReceiptRevocations?
        if flags & TransactionState.receiptsFlag != 0 {
            receipts = TransactionState.ReceiptRevocations(
                lastCleanAt: try optional(ByteDecoder.readInstant),
                revocations: try list(ByteDecoder.readRevocation)
            )
        }
        return TransactionState(
            newest: newest,
            firstSignedAt: firstSignedAt,
            lastCleanAt: lastCleanAt,
            revocations: revocations,
            receipts: receipts,
            hasBeenRevoked: hasBeenRevoked,
            upgradedAt: upgradedAt,
            token: token,
            isAnnounced: flags & TransactionState.announcedFlag != 0,
            hasIntroductoryOffer: newest.offer?.type == 1 || flags & TransactionState.introductoryFlag != 0
        )
    }

    private static func readRevocation(
        _ decoder: inout ByteDecoder
    ) throws(DecodingFailure) -> TransactionState.Revocation {
        TransactionState.Revocation(signedAt: try decoder.instant(), revokedAt: try decoder.instant())
    }
}
