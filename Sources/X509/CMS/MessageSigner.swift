internal import CLibcrypto

/// Makes PKCS#7 signed messages, for development and tests.
package struct MessageSigner: Sendable {
    /// How the message is written (ITU-T X.690).
    package enum Encoding: Sendable, CaseIterable {
        /// Every length is stated.
        case definite
        /// Constructed values end with a mark instead of stating their length, as Xcode writes them.
        case indefinite
    }

    private let certificate: Certificate
    private let key: ECPrivateKey
    private let others: [Certificate]
    private let digest: SignatureDigest
    private let encoding: Encoding

    /// A signer with `certificate` and its `key`; `others` come with every message.
    package init(
        certificate: Certificate,
        key: ECPrivateKey,
        others: [Certificate],
        digest: SignatureDigest = .sha256,
        encoding: Encoding = .definite
    ) {
        self.certificate = certificate
        self.key = key
        self.others = others
        self.digest = digest
        self.encoding = encoding
    }

    /// The signed message around `content`, without signed attributes, as app receipts have it.
    ///
    /// Throws ``X509Error`` when the key does not belong to the certificate.
    package func sign(_ content: [UInt8]) throws(X509Error) -> [UInt8] {
        try unsafe MemoryBIO.reading(content) { input throws(X509Error) in
            let attributes = UInt32(CMS_NOSMIMECAP | CMS_NOATTR)
            let flags = UInt32(CMS_BINARY | CMS_PARTIAL) | (encoding == .indefinite ? UInt32(CMS_STREAM) : 0)
            guard let message = unsafe CMS_sign(nil, nil, nil, nil, flags) else { throw .library("sign a message") }
            let handle = unsafe MessageHandle(taking: message)
            guard
                unsafe CMS_add1_signer(
                    message,
                    certificate.handle.pointer,
                    key.handle.pointer,
                    digest.algorithm,
                    attributes
                ) != nil
            else { throw .library("sign a message") }
            for other in others {
                guard unsafe CMS_add1_cert(message, other.handle.pointer) == 1 else { throw .library("sign a message") }
            }
            if encoding == .definite {
                guard unsafe CMS_final(message, input, nil, flags) == 1 else { throw .library("sign a message") }
            }
            return try unsafe MemoryBIO.written("write a message") { output in
                // Streaming signs while it writes.
                unsafe i2d_CMS_bio_stream(
                    output,
                    handle.pointer,
                    input,
                    Int32(encoding == .indefinite ? flags : UInt32(CMS_BINARY))
                ) == 1
            }
        }
    }
}
