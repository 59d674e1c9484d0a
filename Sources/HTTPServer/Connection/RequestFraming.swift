import CLibmicrohttpd

/// What the header fields say about the size of a request.
struct RequestFraming {
    /// The request line and the header fields.
    private(set) var headerBytes = 0
    /// What `Content-Length` says.
    private(set) var contentLength: Int?
    private(set) var isChunked = false
    /// The client waits for `100 Continue` before it sends the body.
    private(set) var expectsContinue = false
    /// Two lengths, or a length and a chunked body, or a length that is no number, or another coding than chunked: a
    /// proxy might see the end of the body elsewhere and take what follows for another client's request (RFC 9112
    /// section 6.3). So it is with a space between a field's name and its colon, which some take for part of the name
    /// (section 5.1), and with two names of the host (section 3.2).
    private(set) var isAmbiguous = false
    private var namesHost = false

    var hasBody: Bool { contentLength != nil || isChunked || isAmbiguous }

    /// Reads the fields of a request whose header fields have arrived.
    init(_ connection: OpaquePointer) {
        let size = unsafe entitled_mhd_connection_info(connection, .CONNECTION_INFO_REQUEST_HEADER_SIZE)
        headerBytes = unsafe size?.pointee.header_size ?? 0
        let look: MHD_KeyValueIteratorN = { closure, _, key, keySize, value, valueSize in
            let framing = unsafe closure?.assumingMemoryBound(to: RequestFraming.self)
            let name = unsafe UnsafeRawBufferPointer(start: key, count: keySize)
            let value = unsafe UnsafeRawBufferPointer(start: value, count: valueSize)
            unsafe framing?.pointee.look(at: name, value)
            return .YES
        }
        _ = unsafe withUnsafeMutablePointer(to: &self) { pointer in
            unsafe MHD_get_connection_values_n(connection, .HEADER_KIND, look, pointer)
        }
        if isChunked && contentLength != nil { isAmbiguous = true }
    }

    private mutating func look(at name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
        if let last = unsafe name.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") { isAmbiguous = true }
        switch name.count {
        case 4 where unsafe name.isToken("host"):
            if namesHost { isAmbiguous = true }
            namesHost = true
        case 6 where unsafe name.isToken("expect"):
            expectsContinue = unsafe value.isToken("100-continue")
        case 14 where unsafe name.isToken("content-length"):
            let length = unsafe value.decimal
            if contentLength != nil || length == nil { isAmbiguous = true }
            contentLength = length
        case 17 where unsafe name.isToken("transfer-encoding"):
            isChunked = true
            if unsafe !value.isToken("chunked") { isAmbiguous = true }
        default:
            break
        }
    }
}

extension UnsafeRawBufferPointer {
    /// The number these decimal digits stand for; nil for anything else, a sign included.
    fileprivate var decimal: Int? {
        guard unsafe !isEmpty && allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }) else { return nil }
        return unsafe Int(String(decoding: self, as: UTF8.self))
    }

    /// Whether the bytes are this token, given in lower case, in any case.
    fileprivate func isToken(_ token: StaticString) -> Bool {
        guard count == token.utf8CodeUnitCount else { return false }
        for index in 0..<count {
            var byte = unsafe self[index]
            if byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") { byte |= 0x20 }
            if unsafe byte != token.utf8Start[index] { return false }
        }
        return true
    }
}
