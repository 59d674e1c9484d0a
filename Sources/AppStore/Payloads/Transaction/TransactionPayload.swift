package import EntitlementDomain
package import JSON

/// A decoded transaction as the App Store signs it (App Store Server API, JWSTransactionDecodedPayload).
///
/// Times are instants, prices thousandths of the currency's unit.
package struct TransactionPayload: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let transactionID: String?
    /// Identifies the line of purchases.
    package let originalTransactionID: String?
    /// Identifies a subscription period; nil for `0`, which Xcode writes for every period.
    package let webOrderLineItemID: String?
    package let bundleID: String?
    package let productID: String?
    package let subscriptionGroupID: String?
    package let purchasedAt: Instant?
    package let originalPurchasedAt: Instant?
    /// When a subscription period expires or renews.
    package let expiresAt: Instant?
    package let quantity: Int?
    /// The kind of product as sent; see `productType`.
    package let typeName: String?
    package let appAccountToken: AccountID?
    package let ownershipType: OwnershipType?
    /// When this version of the transaction was signed.
    package let signedAt: Instant?
    package let revocationReason: RevocationReason?
    /// Its presence tells that the transaction was refunded or revoked.
    package let revokedAt: Instant?
    package let revocationType: RevocationType?
    /// Thousandths of a per cent.
    package let revocationPercentage: Int?
    package let isUpgraded: Bool?
    package let offerKind: OfferKind?
    package let offerID: String?
    package let offerDiscountType: OfferDiscountType?
    /// ISO 8601 duration.
    package let offerPeriod: String?
    package let environment: StoreEnvironment?
    /// ISO 3166-1 alpha-3 country code.
    package let storefront: String?
    package let storefrontID: String?
    package let reason: TransactionReason?
    /// ISO 4217 code.
    package let currency: String?
    /// The total for the whole quantity, after the offer's discount.
    package let price: Int64?
    /// One for each Apple Account and app.
    package let appTransactionID: String?
    package let billingPlanType: BillingPlanType?
    package let commitmentInfo: TransactionCommitmentInfo?
    package let advancedCommerceInfo: AdvancedCommerceTransactionInfo?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        transactionID = reader.identifier("transactionId")
        originalTransactionID = reader.identifier("originalTransactionId")
        webOrderLineItemID = reader.identifier("webOrderLineItemId").flatMap { $0 == "0" ? nil : $0 }
        bundleID = reader.identifier("bundleId")
        productID = reader.identifier("productId")
        subscriptionGroupID = reader.identifier("subscriptionGroupIdentifier")
        purchasedAt = reader.instant("purchaseDate")
        originalPurchasedAt = reader.instant("originalPurchaseDate")
        expiresAt = reader.instant("expiresDate")
        quantity = reader.smallInteger("quantity")
        typeName = reader.text("type")
        appAccountToken = reader.uuid("appAccountToken")
        ownershipType = reader.name("inAppOwnershipType")
        signedAt = reader.instant("signedDate")
        revocationReason = reader.code("revocationReason")
        revokedAt = reader.instant("revocationDate")
        revocationType = reader.name("revocationType")
        revocationPercentage = reader.smallInteger("revocationPercentage")
        isUpgraded = reader.flag("isUpgraded")
        offerKind = reader.code("offerType")
        offerID = reader.identifier("offerIdentifier")
        offerDiscountType = reader.name("offerDiscountType")
        offerPeriod = reader.text("offerPeriod")
        environment = reader.name("environment")
        storefront = reader.text("storefront")
        storefrontID = reader.identifier("storefrontId")
        reason = reader.name("transactionReason")
        currency = reader.text("currency")
        price = reader.integer("price")
        appTransactionID = reader.identifier("appTransactionId")
        billingPlanType = reader.name("billingPlanType")
        commitmentInfo = reader.object("commitmentInfo").map { TransactionCommitmentInfo($0) }
        advancedCommerceInfo = reader.object("advancedCommerceInfo").map { AdvancedCommerceTransactionInfo($0) }
        unreadable = reader.unreadable
        self.raw = raw
    }
}

extension TransactionPayload {
    /// The kind of product; nil when none is named, or one that is not known.
    package var productType: ProductType? {
        typeName.flatMap { ProductType(appStoreName: $0) }
    }
}
