import X509

/// The running digest of an archive's lines: each line ends with SHA-256 over the digest of the line before and its own
/// bytes. No byte of a file can be changed without that line being the first that does not hold, whether the log's
/// hashes cover the byte or not.
struct ArchiveSeal {
    /// The digest of the last line; zeros before the first. Behind the last line it stands for the whole file.
    private(set) var digest = [UInt8](repeating: 0, count: 32)

    /// Ends a line.
    ///
    /// - Parameter line: an object without its closing bracket.
    /// - Returns: the whole line, with its line break.
    mutating func close(_ line: [UInt8]) -> [UInt8] {
        advance(over: line[...])
        return line + end + [UInt8(ascii: "\n")]
    }

    /// Whether a line is the one that was written.
    ///
    /// - Parameter line: without its line break.
    mutating func holds(_ line: [UInt8]) -> Bool {
        let length = line.count - end.count
        guard length >= 0 else { return false }
        advance(over: line[..<length])
        return line[length...].elementsEqual(end)
    }

    private var end: [UInt8] { Array(#","digest":"\#(Hexadecimal.text(digest))"}"#.utf8) }

    private mutating func advance(over line: ArraySlice<UInt8>) {
        var hash = SHA256()
        hash.update(digest)
        hash.update(Array(line))
        digest = hash.finalize().bytes
    }
}
