package import AppStore
package import X509

/// Signs app receipts as the App Store does: PKCS#7 under a chain that comes with the receipt.
package struct ReceiptSigner: Sendable {
    private let signer: MessageSigner

    /// A signer of messages that are receipts.
    package init(_ signer: MessageSigner) {
        self.signer = signer
    }

    /// The receipt in base64.
    ///
    /// Throws only when libcrypto fails.
    package func sign(_ receipt: AppReceipt) throws(X509Error) -> String {
        try sign(payload: ReceiptPayloadWriter.payload(of: receipt))
    }

    /// The receipt around these bytes, whatever they are: faulty ones are wanted too.
    package func sign(payload: [UInt8]) throws(X509Error) -> String {
        String(decoding: Base64.encode(try signer.sign(payload)), as: UTF8.self)
    }

    /// The bytes that a receipt is signed over.
    package static func payload(of receipt: AppReceipt) -> [UInt8] { ReceiptPayloadWriter.payload(of: receipt) }
}

extension ThrowawayChain {
    /// Signs receipts under this chain; all three certificates come with them.
    package func receiptSigner(
        digest: SignatureDigest = .sha256,
        encoding: MessageSigner.Encoding = .definite
    ) -> ReceiptSigner {
        ReceiptSigner(
            MessageSigner(
                certificate: leaf,
                key: key.key,
                others: [intermediate.certificate, root.certificate],
                digest: digest,
                encoding: encoding
            )
        )
    }
}
