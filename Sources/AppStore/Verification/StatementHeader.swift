import JSON
import X509

/// The protected header of a signed statement (RFC 7515 section 4), reduced to what the App Store uses: the algorithm is
/// ES256 and the certificates come with it. `typ` and `kid` are ignored, a key named any other way is refused.
struct StatementHeader {
    /// The entries of `x5c`, still in base64.
    let certificates: [String]

    /// Members that would choose the key or the meaning of the signature by other means (RFC 7515 sections 4.1.2, 4.1.3
    /// and 4.1.11).
    private static let refusedMembers: Set<String> = ["crit", "jku", "jwk"]
    private static let maximumDepth = 8

    /// Reads the first segment.
    ///
    /// Throws ``VerificationError/malformed(_:)``.
    init(segment: Span<UInt8>) throws(VerificationError) {
        guard let bytes = Base64URL.decode(segment) else {
            throw .malformed("the header is not base64url")
        }
        let header: JSONValue
        do throws(JSONSyntaxError) {
            header = try JSONParser.parse(bytes, maxDepth: Self.maximumDepth)
        } catch {
            throw .malformed("the header is not JSON (\(error))")
        }
        guard let members = header.objectValue else { throw .malformed("the header is not a JSON object") }
        // Which of two would count is a matter of taste, so neither does (RFC 7515 section 4).
        guard Set(members.keys).count == members.count else {
            throw .malformed("the header has two members of one name")
        }
        if let name = members.keys.first(where: { Self.refusedMembers.contains($0) }) {
            throw .malformed("the header has \"\(name)\", which the App Store does not send")
        }
        guard members["alg"]?.stringValue == "ES256" else {
            throw .malformed("the algorithm is not ES256")
        }
        guard let list = members["x5c"]?.arrayValue else {
            throw .malformed("the header has no list x5c of certificates")
        }
        certificates = list.compactMap(\.stringValue)
        guard certificates.count == list.count else {
            throw .malformed("x5c holds something else than text")
        }
    }

    /// The certificate at `index` of `x5c`, in standard base64 (RFC 7515 section 4.1.6).
    ///
    /// Throws ``VerificationError/malformed(_:)`` when it is none.
    func certificate(_ index: Int) throws(VerificationError) -> Certificate {
        guard let der = Base64.decode(certificates[index].utf8) else {
            throw .malformed("x5c[\(index)] is not base64")
        }
        do throws(X509Error) {
            return try Certificate(der: der)
        } catch {
            throw .malformed("x5c[\(index)] is not a certificate")
        }
    }
}
