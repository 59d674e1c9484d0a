package import Foundation
import X509

extension ThrowawayChain {
    /// The files of a chain in its directory, all PEM.
    private enum File: String {
        case root = "root.pem"
        case rootKey = "root-key.pem"
        case intermediate = "intermediate.pem"
        case intermediateKey = "intermediate-key.pem"
        case leaf = "leaf.pem"
        case leafKey = "leaf-key.pem"
    }

    /// Where the root's certificate lies in `directory`, for a configuration that names it.
    package static func rootFile(in directory: URL) -> URL {
        directory.appendingPathComponent(File.root.rawValue)
    }

    /// Reads the chain that ``write(to:)`` left in `directory`.
    ///
    /// Throws when a file is missing or is not what it should be.
    package init(directory: URL) throws {
        func text(_ file: File) throws -> String {
            try String(contentsOf: directory.appendingPathComponent(file.rawValue), encoding: .utf8)
        }
        self.init(
            root: CertificateIssuer(
                certificate: try Certificate(pem: text(.root)),
                key: try ECPrivateKey(pem: text(.rootKey))
            ),
            intermediate: CertificateIssuer(
                certificate: try Certificate(pem: text(.intermediate)),
                key: try ECPrivateKey(pem: text(.intermediateKey))
            ),
            leaf: try Certificate(pem: text(.leaf)),
            key: try P256PrivateKey(pem: text(.leafKey))
        )
    }

    /// Writes certificates and keys into `directory`, which is made if need be; the keys can be read by their owner only.
    ///
    /// Throws when a file cannot be written.
    package func write(to directory: URL) throws {
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let certificates: [(File, Certificate)] = [
            (.root, root.certificate), (.intermediate, intermediate.certificate), (.leaf, leaf),
        ]
        for (file, certificate) in certificates {
            try write(certificate.pem, file, in: directory, permissions: 0o644)
        }
        try write(root.key.pem(), .rootKey, in: directory, permissions: 0o600)
        try write(intermediate.key.pem(), .intermediateKey, in: directory, permissions: 0o600)
        try write(key.pem(), .leafKey, in: directory, permissions: 0o600)
    }

    private func write(_ text: String, _ file: File, in directory: URL, permissions: Int) throws {
        let location = directory.appendingPathComponent(file.rawValue)
        // An older file would keep its own permissions.
        try? FileManager.default.removeItem(at: location)
        let isWritten = FileManager.default.createFile(
            atPath: location.path,
            contents: Data(text.utf8),
            attributes: [.posixPermissions: permissions]
        )
        guard isWritten else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: location.path])
        }
    }
}
