internal import CLibcrypto

/// Conversion between ASN.1 times, which count in seconds, and milliseconds since 1970.
enum ASN1Time {
    /// Milliseconds since 1970 of a UTCTime or GeneralizedTime; nil when it cannot be read.
    static func milliseconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        guard let time = unsafe time, let epoch = unsafe ASN1_TIME_set(nil, 0) else { return nil }
        defer { unsafe ASN1_STRING_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard unsafe ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else {
            LibraryErrors.discard()
            return nil
        }
        return (Int64(days) * 86_400 + Int64(seconds)) * 1_000
    }

    /// Calls `body` with an ASN.1 time of `milliseconds`, rounded down to the second.
    static func with<Result>(
        _ milliseconds: Int64,
        _ body: (UnsafePointer<ASN1_TIME>) -> Result
    ) throws(X509Error) -> Result {
        let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1_000)
        guard let time = unsafe ASN1_TIME_set(nil, Int(remainder < 0 ? quotient - 1 : quotient)) else {
            throw .library("write a time")
        }
        defer { unsafe ASN1_STRING_free(time) }
        return unsafe body(time)
    }
}
