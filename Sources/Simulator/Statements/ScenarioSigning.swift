import AppStore
import EntitlementDomain
import JSON
package import X509

/// Everything that signs scenarios, and what a service must be told to trust it.
package struct ScenarioSigning: Sendable {
    /// The period in which the certificates made for scenarios are valid: 2000 to 2099, so that stories may be set in
    /// any year.
    package static let validity = CertificateValidity(notBefore: 946_684_800_000, notAfter: 4_102_444_799_000)

    /// The chain that stands for the App Store's.
    package let appStore: ThrowawayChain
    /// The root of `appStore`, DER.
    package var trustedRoots: [[UInt8]] { [appStore.root.certificate.der] }
    /// The certificate that stands for Xcode's, DER.
    package let xcodeCertificate: [UInt8]

    private let appStoreSigner: StatementSigner
    private let strangerSigner: StatementSigner
    private let stranger: ThrowawayChain
    private let xcodeSigner: StatementSigner

    /// Signs with existing keys; `stranger` is a chain of the same shape that nobody trusts.
    package init(appStore: ThrowawayChain, stranger: ThrowawayChain, xcode: XcodeSigner) {
        self.appStore = appStore
        xcodeCertificate = xcode.certificate.der
        appStoreSigner = appStore.signer
        strangerSigner = stranger.signer
        self.stranger = stranger
        xcodeSigner = xcode.signer
    }

    /// Signs with new keys.
    ///
    /// Throws only when libcrypto fails.
    package static func make() throws(X509Error) -> ScenarioSigning {
        ScenarioSigning(
            appStore: try ThrowawayChain.make(validity: validity),
            stranger: try ThrowawayChain.make(validity: validity),
            xcode: try XcodeSigner.make(validity: validity)
        )
    }

    /// Signs one payload, spoiled as asked. The payload's own environment says who signs it: Xcode its own, the App
    /// Store all others.
    func sign(_ payload: JSONObject, environment: JSONValue?, tamper: Tampering? = nil) throws(X509Error) -> String {
        let isXcode = environment?.stringValue == StoreEnvironment.xcode.rawValue
        let signer = tamper == .chain ? strangerSigner : isXcode ? xcodeSigner : appStoreSigner
        let text = try signer.sign(payload)
        return tamper?.spoil(text) ?? text
    }

    /// Signs a receipt as the App Store does, spoiled as asked.
    func sign(_ receipt: AppReceipt, tamper: Tampering?) throws(X509Error) -> String {
        let chain = tamper == .chain ? stranger : appStore
        let text = try chain.receiptSigner().sign(receipt)
        return tamper?.spoil(receipt: text, payload: ReceiptSigner.payload(of: receipt)) ?? text
    }
}
