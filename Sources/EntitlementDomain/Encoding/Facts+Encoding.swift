extension ByteEncoder {
    package mutating func encode(_ offer: Offer) {
        encode(offer.type)
        encode(optional: offer.identifier) { $0.encode($1) }
        encode(optional: offer.discountType) { $0.encode($1) }
        encode(optional: offer.period) { $0.encode($1) }
    }

    package mutating func encode(_ facts: TransactionFacts) {
        encode(facts.transactionID)
        encode(facts.originalTransactionID)
        encode(facts.productID)
        encode(optional: facts.type?.rawValue) { $0.encode($1) }
        encode(facts.ownership == .familyShared)
        encode(facts.signedAt)
        encode(facts.purchasedAt)
        encode(optional: facts.originalPurchasedAt) { $0.encode($1) }
        encode(optional: facts.expiresAt) { $0.encode($1) }
        encode(optional: facts.webOrderLineItemID) { $0.encode($1) }
        encode(facts.quantity)
        encode(optional: facts.revokedAt) { $0.encode($1) }
        encode(facts.revocationKind.rawValue)
        encode(optional: facts.revocationReason) { $0.encode($1) }
        encode(optional: facts.revocationPercentage) { $0.encode($1) }
        encode(facts.isUpgraded)
        encode(optional: facts.offer) { $0.encode($1) }
        encode(optional: facts.isRenewal) { $0.encode($1) }
        encode(optional: facts.appAccountToken) { $0.encode($1) }
        encode(optional: facts.subscriptionGroupID) { $0.encode($1) }
    }

    package mutating func encode(_ facts: RenewalFacts) {
        encode(facts.signedAt)
        encode(optional: facts.autoRenews) { $0.encode($1) }
        encode(optional: facts.productID) { $0.encode($1) }
        encode(optional: facts.autoRenewProductID) { $0.encode($1) }
        encode(facts.isInBillingRetry)
        encode(optional: facts.gracePeriodExpiresAt) { $0.encode($1) }
        encode(optional: facts.expirationIntent) { $0.encode($1) }
        encode(optional: facts.renewsAt) { $0.encode($1) }
        encode(optional: facts.priceIncreaseStatus) { $0.encode($1) }
        encode(optional: facts.renewalPrice) { $0.encode($1) }
        encode(optional: facts.currency) { $0.encode($1) }
        encode(optional: facts.offer) { $0.encode($1) }
        encode(optional: facts.status) { $0.encode($1) }
        encode(facts.saysGracePeriod)
    }
}

extension ByteDecoder {
    package mutating func offer() throws(DecodingFailure) -> Offer {
        Offer(
            type: try int(),
            identifier: try optional(ByteDecoder.readString),
            discountType: try optional(ByteDecoder.readString),
            period: try optional(ByteDecoder.readString)
        )
    }

    package mutating func transactionFacts() throws(DecodingFailure) -> TransactionFacts {
        let transactionID = try string()
        let originalTransactionID = try string()
        let productID = try string()
        let type = try optional(ByteDecoder.readString)
        return TransactionFacts(
            transactionID: transactionID,
            originalTransactionID: originalTransactionID,
            productID: productID,
            type: type.flatMap(ProductType.init(rawValue:)),
            ownership: try bool() ? .familyShared : .purchased,
            signedAt: try instant(),
            purchasedAt: try instant(),
            originalPurchasedAt: try optional(ByteDecoder.readInstant),
            expiresAt: try optional(ByteDecoder.readInstant),
            webOrderLineItemID: try optional(ByteDecoder.readString),
            quantity: try int(),
            revokedAt: try optional(ByteDecoder.readInstant),
            revocationKind: RevocationKind(rawValue: try string()) ?? .full,
            revocationReason: try optional(ByteDecoder.readInt),
            revocationPercentage: try optional(ByteDecoder.readInt),
            isUpgraded: try bool(),
            offer: try optional(ByteDecoder.readOffer),
            isRenewal: try optional(ByteDecoder.readBool),
            appAccountToken: try optional(ByteDecoder.readAccount),
            subscriptionGroupID: try optional(ByteDecoder.readString)
        )
    }

    package mutating func renewalFacts() throws(DecodingFailure) -> RenewalFacts {
        RenewalFacts(
            signedAt: try instant(),
            autoRenews: try optional(ByteDecoder.readBool),
            productID: try optional(ByteDecoder.readString),
            autoRenewProductID: try optional(ByteDecoder.readString),
            isInBillingRetry: try bool(),
            gracePeriodExpiresAt: try optional(ByteDecoder.readInstant),
            expirationIntent: try optional(ByteDecoder.readInt),
            renewsAt: try optional(ByteDecoder.readInstant),
            priceIncreaseStatus: try optional(ByteDecoder.readInt),
            renewalPrice: try optional(ByteDecoder.readInt64),
            currency: try optional(ByteDecoder.readString),
            offer: try optional(ByteDecoder.readOffer),
            status: try optional(ByteDecoder.readInt),
            saysGracePeriod: try bool()
        )
    }

    // Named readers, because a method with a typed error cannot yet be written as a key path or `\.method`.
    package static func readString(_ decoder: inout ByteDecoder) throws(DecodingFailure) -> String {
        try decoder.string()
    }
    package static func readInstant(_ decoder: inout ByteDecoder) throws(DecodingFailure) -> Instant {
        try decoder.instant()
    }
    package static func readInt(_ decoder: inout ByteDecoder) throws(DecodingFailure) -> Int {
        try decoder.int()
    }
    package static func readInt64(_ decoder: inout ByteDecoder) throws(DecodingFailure) -> Int64 {
        try decoder.int64()
    }
    package static func readBool(_ decoder: inout ByteDecoder) throws(DecodingFailure) -> Bool {
        try decoder.bool()
    }
    package static func readAccount(_ decoder: inout ByteDecoder) throws(DecodingFailure) -> AccountID {
        try decoder.account()
    }
    package static func readOffer(_ decoder: inout ByteDecoder) throws(DecodingFailure) -> Offer {
        try decoder.offer()
    }
}
