import EntitlementDomain
import X509

extension CacheShard {
    /// Puts the answer of a record together.
    ///
    /// - Parameter position: as it goes out.
    func write(_ record: Int, position: [UInt8], at now: Instant, to bytes: inout [UInt8]) {
        let id = CacheRecord.pattern(word(record, 0))
        let values = record + CacheRecord.headerWords
        guard id != CacheRecord.noPattern, let pattern = patterns[id] else {
            writeText(values, position, at: now, to: &bytes)
            return
        }
        bytes.reserveCapacity(bytes.count + pattern.capacity + 64)
        // Threads of other shards use the same pattern: what counts references to it would make them wait for each other.
        let text = pattern.bytes
        for piece in pattern.pieces {
            bytes.append(copying: text.span.extracting(piece.text))
            guard let mark = piece.mark else { continue }
            switch mark {
            case .position: bytes.append(contentsOf: position)
            case .account:
                AnswerText.append(
                    uuid: word(record, CacheRecord.keyHigh),
                    word(record, CacheRecord.keyLow),
                    to: &bytes
                )
            case .instant: AnswerText.append(time: now.milliseconds, to: &bytes)
            case .time: AnswerText.append(time: Int64(bitPattern: word(values, piece.index)), to: &bytes)
            case .digits: AnswerText.append(digits: word(values, piece.index), to: &bytes)
            case .uuid: AnswerText.append(uuid: word(values, piece.index), word(values, piece.index + 1), to: &bytes)
            }
        }
    }

    /// Writes an answer that is kept as text, with position and instant of now.
    private func writeText(_ values: Int, _ position: [UInt8], at now: Instant, to bytes: inout [UInt8]) {
        let count = Int(word(values, 0))
        let ranges = CachedAnswer.ranges(word(values, 1))
        bytes.reserveCapacity(bytes.count + count + 64)
        var index = 0
        while index < count {
            if index == ranges.position.lowerBound {
                bytes.append(contentsOf: position)
                index = ranges.position.upperBound
            } else if index == ranges.instant.lowerBound {
                AnswerText.append(time: now.milliseconds, to: &bytes)
                index = ranges.instant.upperBound
            } else {
                bytes.append(UInt8(truncatingIfNeeded: word(values, 2 + index / 8) >> UInt64(8 * (index % 8))))
                index += 1
            }
        }
    }
}
