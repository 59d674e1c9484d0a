import Foundation
import HTTPServer
import JSON

/// Where to listen, and how: `listen`.
extension ServeSettings {
    /// The paths of the files that TLS is served with.
    struct TLSFiles: Sendable {
        var certificate: String
        var key: String
    }

    private static let knownOfListen = ["address", "port", "tls", "plainHTTP"]

    mutating func read(listen: JSONValue) {
        guard let object = object(listen, "listen", known: Self.knownOfListen) else { return }
        if let value = object["address"] {
            if let text = value.stringValue { address = text } else { problems.append("listen.address must be text") }
        }
        if let value = object["port"], let port = integer(value, "listen.port", in: 0...65_535) { self.port = port }
        if let value = object["plainHTTP"] {
            if let allows = value.boolValue {
                allowsPlainHTTP = allows
            } else {
                problems.append("listen.plainHTTP must be true or false")
            }
        }
        if let value = object["tls"], let files = self.object(value, "listen.tls", known: ["certificate", "key"]) {
            if let certificate = files["certificate"]?.stringValue, let key = files["key"]?.stringValue {
                tls = TLSFiles(certificate: certificate, key: key)
            } else {
                problems.append("listen.tls must have certificate and key, the paths of two PEM files")
            }
        }
    }

    mutating func read(listenVariables environment: [String: String]) {
        if let value = environment["ENTITLED_ADDRESS"] { address = value }
        if let value = environment["ENTITLED_PORT"] {
            if let number = Int(value), (0...65_535).contains(number) {
                port = number
            } else {
                problems.append("ENTITLED_PORT must be a whole number from 0 to 65535")
            }
        }
        if let value = environment["ENTITLED_PLAIN_HTTP"] {
            if let allows = Bool(value) {
                allowsPlainHTTP = allows
            } else {
                problems.append("ENTITLED_PLAIN_HTTP must be true or false")
            }
        }
    }

    /// API keys and tokens cross a network encrypted or not at all, unless someone decided otherwise.
    mutating func checkListen() {
        if tls == nil, !allowsPlainHTTP, !Self.isLoopback(address) {
            problems.append(
                "listen.address \(address) is beyond this machine, and API keys would cross the network readable: give "
                    + "listen.tls {\"certificate\": FILE, \"key\": FILE}, or set listen.plainHTTP to true where a proxy "
                    + "in front serves TLS"
            )
        }
    }

    /// Whether only this machine reaches an address.
    static func isLoopback(_ address: String) -> Bool {
        if address == "localhost" || address == "::1" { return true }
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// The texts of the files that TLS is served with.
    mutating func readTLS() -> HTTPServerConfiguration.TLS? {
        guard let tls else { return nil }
        let certificate = pem(tls.certificate, "listen.tls.certificate", block: "CERTIFICATE", "certificate")
        let key = pem(tls.key, "listen.tls.key", block: "PRIVATE KEY", "unencrypted private key")
        guard let certificate, let key else { return nil }
        return HTTPServerConfiguration.TLS(certificatePEM: certificate, privateKeyPEM: key)
    }

    private mutating func pem(_ path: String, _ name: String, block: String, _ content: String) -> String? {
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
}
