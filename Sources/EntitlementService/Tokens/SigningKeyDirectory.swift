package import EntitlementDomain
import Foundation
import X509

/// A directory of signing keys, which all instances share or have a copy of: one Ed25519 private key a file, unencrypted
/// PKCS#8 in PEM form.
///
/// The name of a file says from when on its key signs: `20260401T000000Z-….pem` from that time (UTC), any other name
/// that begins with no digit from ever. Of the keys whose time has come the newest signs; when none has, the first one.
/// All of them are published. So a new key is known to whoever verifies before it signs, and an old one stays known
/// until its file is removed.
package struct SigningKeyDirectory: Sendable {
    /// What a directory holds.
    package struct Contents: Sendable {
        /// The keys in the order in which they sign.
        package var keys: [SigningKey] = []
        /// What could not be used, each with what to do.
        package var problems: [String] = []

        /// The files whose keys sign no valid token any more: a newer key has signed for longer than a token lives.
        package func replaceable(at now: Instant) -> [String] {
            let before = now.advanced(byMilliseconds: -SigningKeyDirectory.longestTokenMilliseconds)
            guard let signer = keys.lastIndex(where: { $0.signsFrom <= before }) else { return [] }
            return keys[..<signer].map(\.fileName)
        }
    }

    /// The longest validity of a token (the bound of `ttl`), in milliseconds.
    private static let longestTokenMilliseconds: Int64 = 86_400_000

    /// How long a key is published before it signs, unless told otherwise: longer than a key set may be kept
    /// (`SigningKeyRing.keySetLifetime`) and an instance takes to see a new file, together, with room for clocks that
    /// differ.
    package static let overlap: Duration = .seconds(600)

    private static let maximumFileBytes = 16 * 1024

    package let path: String

    package init(path: String) {
        self.path = path
    }

    private var url: URL { URL(filePath: path, directoryHint: .isDirectory) }

    /// Reads all keys. Names that do not end in `.pem`, and hidden ones, are not looked at.
    package func read() -> Contents {
        var contents = Contents()
        let names: [String]
        do {
            names = try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            contents.problems = ["\(path) is no directory that can be read"]
            return contents
        }
        for name in names.sorted() where name.hasSuffix(".pem") && !name.hasPrefix(".") {
            do throws(SigningKeyFileError) {
                contents.keys.append(try key(in: name))
            } catch {
                contents.problems.append("\(url.appendingPathComponent(name).path) \(error.problem)")
            }
        }
        contents.keys.sort { ($0.signsFrom, $0.fileName) < ($1.signsFrom, $1.fileName) }
        return contents
    }

    private struct SigningKeyFileError: Error {
        var problem: String
    }

    private func key(in name: String) throws(SigningKeyFileError) -> SigningKey {
        guard let signsFrom = Self.signsFrom(name) else {
            throw SigningKeyFileError(
                problem: "begins with a digit, but not with the time from which it signs, such as 20260401T000000Z"
            )
        }
        let file = try? FileHandle(forReadingFrom: url.appendingPathComponent(name))
        guard let data = try? file?.read(upToCount: Self.maximumFileBytes) else {
            throw SigningKeyFileError(problem: "cannot be read; the service's user needs the right to")
        }
        do {
            let key = try Ed25519PrivateKey(pem: String(decoding: data, as: UTF8.self))
            return SigningKey(key, fileName: name, signsFrom: signsFrom)
        } catch {
            throw SigningKeyFileError(problem: "is no Ed25519 private key in PEM form (unencrypted PKCS#8)")
        }
    }

    /// From when on the key in a file of this name signs; nil when the name should say so and does not.
    static func signsFrom(_ name: String) -> Instant? {
        guard let first = name.utf8.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else {
            return .distantPast
        }
        // YYYYMMDDTHHMMSSZ, the basic format of ISO 8601, since a colon is a nuisance in a file's name.
        let text = Array(name.prefix { $0 != "-" && $0 != "." })
        guard text.count == 16, text.allSatisfy(\.isASCII) else { return nil }
        func part(_ range: Range<Int>) -> String { String(text[range]) }
        return Instant(
            iso8601: part(0..<4) + "-" + part(4..<6) + "-" + part(6..<11) + ":" + part(11..<13) + ":" + part(13..<16)
        )
    }

    /// Makes a new key in the directory, and the directory when it is not there.
    ///
    /// - Parameters:
    ///   - now: the time of day.
    ///   - overlap: how long the key is published before it signs. A first key signs at once: nobody can have kept a key
    ///     set without it.
    /// - Throws: `X509Error`, or an error of the file system.
    package func addKey(now: Instant, overlap: Duration = Self.overlap) throws -> SigningKey {
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let privateKey = try Ed25519PrivateKey.generate()
        let signsFrom = read().keys.isEmpty ? now : now.advanced(byMilliseconds: overlap.components.seconds * 1_000)
        // Whole seconds, upwards: never earlier than promised. 2026-04-01T00:00:00.000Z -> 20260401T000000Z
        let text = Instant(milliseconds: (signsFrom.milliseconds + 999) / 1_000 * 1_000).iso8601
        let time = text.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
        let probe = SigningKey(privateKey, fileName: "", signsFrom: signsFrom)
        let name = "\(time)-\(probe.keyID.filter(\.isLetter).prefix(6)).pem"
        try write(Data(try privateKey.pem().utf8), as: name)
        return SigningKey(privateKey, fileName: name, signsFrom: Self.signsFrom(name) ?? signsFrom)
    }

    /// Writes a file that only its owner can read, at no time more or only half of it: inside a closed, hidden directory
    /// first.
    private func write(_ contents: Data, as name: String) throws {
        let manager = FileManager.default
        let closed = url.appendingPathComponent(".\(name)", isDirectory: true)
        try manager.createDirectory(
            at: closed,
            withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? manager.removeItem(at: closed) }
        let file = closed.appendingPathComponent(name)
        guard manager.createFile(atPath: file.path, contents: contents, attributes: [.posixPermissions: 0o600]) else {
            throw CocoaError(.fileWriteNoPermission)
        }
        try manager.moveItem(at: file, to: url.appendingPathComponent(name))
    }
}
