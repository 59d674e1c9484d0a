import X509

extension MarkedText {
    /// Lays a text open. Nil when it holds characters that are marks.
    init?(_ text: Span<UInt8>, headers: KnownHeaders) {
        bytes.reserveCapacity(4_096)
        if !add(statement: text, depth: 1, headers) { bytes.append(contentsOf: text.copiedBytes) }
        let likeMarks = bytes.reduce(into: 0) { $0 &+= $1 < EvidenceFormat.Mark.end ? 1 : 0 }
        if likeMarks != markCount { return nil }
    }

    /// Adds a signed text in compact serialization (RFC 7515 section 7.1).
    ///
    /// - Returns: false when it is none; nothing was added then.
    private mutating func add(statement text: Span<UInt8>, depth: Int, _ headers: KnownHeaders) -> Bool {
        let dot = UInt8(ascii: ".")
        guard depth <= EvidenceFormat.mostDepth, signatures.count < EvidenceFormat.mostSignatures * 64,
            let first = text.firstOffset(of: dot), let second = text.firstOffset(of: dot, from: first + 1),
            text.count - second - 1 == EvidenceFormat.signatureTextLength,
            let signature = Base64URL.decode(text.extracting((second + 1)...)),
            let payload = Base64URL.decode(text.extracting((first + 1)..<second)),
            let header = headers.header(text.extracting(..<first))
        else { return false }
        let chainNumber = header.chain.map { number(of: $0) }
        if case .some(.none) = chainNumber { return false }
        mark(EvidenceFormat.Mark.header)
        bytes.append(contentsOf: header.beforeChain)
        if case .some(.some(let number)) = chainNumber {
            mark(EvidenceFormat.Mark.chain)
            bytes.append(number)
            bytes.append(contentsOf: header.afterChain)
        }
        mark(EvidenceFormat.Mark.payload)
        add(payload: payload.span, depth: depth, headers)
        mark(EvidenceFormat.Mark.signature)
        signatures.append(contentsOf: signature)
        return true
    }

    /// Adds a payload; signed texts that are values in it are laid open too.
    private mutating func add(payload: Span<UInt8>, depth: Int, _ headers: KnownHeaders) {
        let quote = UInt8(ascii: "\"")
        var taken = 0
        var place = 0
        while let open = payload.firstOffset(of: quote, from: place) {
            place = open + 1
            // A header begins with `{"`, and so its base64url with these.
            guard open + 4 < payload.count, payload[open + 1] == UInt8(ascii: "e"),
                payload[open + 2] == UInt8(ascii: "y"), payload[open + 3] == UInt8(ascii: "J"),
                let close = payload.firstOffset(of: quote, from: place)
            else { continue }
            let before = bytes.count
            bytes.append(contentsOf: payload.extracting(taken..<place).copiedBytes)
            if add(statement: payload.extracting(place..<close), depth: depth + 1, headers) {
                taken = close
            } else {
                bytes.removeSubrange(before...)
            }
            place = close
        }
        bytes.append(contentsOf: payload.extracting(taken...).copiedBytes)
    }
}
