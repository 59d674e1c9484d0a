import Foundation
import HTTPServer

/// The paths of the files that TLS is served with. They are read at the start, and again at each SIGHUP.
struct TLSFiles: Sendable {
    /// The server's certificate, followed by the intermediate ones.
    var certificate: String
    var key: String
    /// The certificates that clients' certificates must come from; nil: clients are asked for none.
    var clientCA: String?

    /// Their texts; nil, with everything that is wrong, when a server could not use them.
    func read() -> (tls: HTTPServerConfiguration.TLS?, problems: [String]) {
        var problems: [String] = []
        func pem(_ path: String, _ name: String, block: String, _ content: String) -> String? {
            guard let data = try? Data(contentsOf: URL(filePath: path)) else {
                problems.append("\(name): \(path) cannot be read")
                return nil
            }
            let text = String(decoding: data, as: UTF8.self)
            // "BEGIN EC PRIVATE KEY" and "BEGIN RSA PRIVATE KEY" are older names of the same.
            guard text.contains("\(block)-----"), !text.contains("ENCRYPTED") else {
                problems.append("\(name): \(path) holds no \(content) in PEM form")
                return nil
            }
            return text
        }
        let certificateText = pem(certificate, "listen.tls.certificate", block: "CERTIFICATE", "certificate")
        let keyText = pem(key, "listen.tls.key", block: "PRIVATE KEY", "unencrypted private key")
        let authorities = clientCA.map { pem($0, "listen.tls.clientCA", block: "CERTIFICATE", "certificate") }
        guard let certificateText, let keyText, problems.isEmpty else { return (nil, problems) }
        let tls = HTTPServerConfiguration.TLS(
            certificatePEM: certificateText,
            privateKeyPEM: keyText,
            clientCAPEM: authorities ?? nil
        )
        do {
            try tls.check()
            return (tls, [])
        } catch {
            return (nil, ["listen.tls: \(error)"])
        }
    }
}
