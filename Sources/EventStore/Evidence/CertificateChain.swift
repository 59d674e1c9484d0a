import X509

/// The certificates of a signed text as its header spells them: the JSON array of member `x5c`, brackets included. The
/// same one stands in every text that was signed with a certificate, so it is stored once (table `certificate_chains`).
struct CertificateChain: Sendable, Hashable {
    /// What texts name it by: the first sixteen bytes of the SHA-256 of `text`.
    struct ID: Sendable, Hashable {
        static let length = 16

        var bytes: [UInt8]
    }

    var id: ID
    var text: [UInt8]

    /// The id says it all, and a hash over the text would take long.
    func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }

    init(_ text: [UInt8]) {
        id = ID(bytes: Array(SHA256.hash(text).bytes.prefix(ID.length)))
        self.text = text
    }
}
