import X509

/// Texts in the form of the App Store's signed texts. The signatures are no signatures: the store does not look at them.
enum SignedText {
    /// A list of three certificates that are none, as long as `length` says; another number gives another list.
    static func certificates(_ number: Int = 0, length: Int = 300) -> String {
        let list = (0..<3).map { place in
            let bytes = (0..<length / 32).flatMap { SHA256.hash(Array("\(number) \(place) \($0)".utf8)).bytes }
            return "\"\(String(decoding: Base64.encode(bytes), as: UTF8.self))\""
        }
        return "[\(list.joined(separator: ","))]"
    }

    /// A JWS in compact serialization around a payload.
    static func of(_ payload: String, certificates: String = certificates()) -> [UInt8] {
        of(payload, header: #"{"alg":"ES256","x5c":\#(certificates)}"#)
    }

    static func of(_ payload: String, header: String) -> [UInt8] {
        let signature = SHA256.hash(Array(payload.utf8)).bytes + SHA256.hash(Array(header.utf8)).bytes
        let parts = [Array(header.utf8), Array(payload.utf8), signature].map { Base64URL.encode($0) }
        return Array(parts.joined(separator: [UInt8(ascii: ".")]))
    }

    /// A notification with two signed texts in it.
    static func notification(_ number: Int, certificates: String = certificates()) -> [UInt8] {
        let transaction = of(
            #"{"transactionId":"\#(number)","productId":"pro.monthly","price":9990,"signedDate":\#(1_769_251_358_000 + number)}"#,
            certificates: certificates
        )
        let renewal = of(
            #"{"originalTransactionId":"\#(number)","autoRenewStatus":1,"environment":"Production"}"#,
            certificates: certificates
        )
        let (inner, other) = (String(decoding: transaction, as: UTF8.self), String(decoding: renewal, as: UTF8.self))
        return of(
            #"{"notificationType":"DID_RENEW","data":{"signedTransactionInfo":"\#(inner)","signedRenewalInfo":"\#(other)"}}"#,
            certificates: certificates
        )
    }
}
