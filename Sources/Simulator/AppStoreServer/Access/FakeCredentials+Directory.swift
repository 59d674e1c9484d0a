package import Foundation
import X509

extension FakeCredentials {
    /// Where the key lies in `directory`, named as App Store Connect names it.
    package static func keyFile(in directory: URL) -> URL {
        directory.appendingPathComponent("SubscriptionKey_SIMULATED1.p8")
    }

    /// The key of a directory, made when there is none.
    ///
    /// Throws when the file cannot be written or holds no key.
    package init(directory: URL) throws {
        let file = Self.keyFile(in: directory)
        let made = try Self.make()
        guard FileManager.default.fileExists(atPath: file.path) else {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            let isWritten = FileManager.default.createFile(
                atPath: file.path,
                contents: Data(try made.key.pem().utf8),
                attributes: [.posixPermissions: 0o600]
            )
            guard isWritten else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path]) }
            self = made
            return
        }
        let text = try String(contentsOf: file, encoding: .utf8)
        self.init(issuerID: made.issuerID, keyID: made.keyID, key: try P256PrivateKey(pem: text))
    }
}
