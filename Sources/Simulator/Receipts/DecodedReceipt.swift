package import AppStore
package import EntitlementDomain

/// An app receipt that an app's backend forwards, before it is signed, and the account that claims its purchases.
package struct DecodedReceipt: Sendable {
    package var receipt: AppReceipt
    package var account: AccountID?
}
