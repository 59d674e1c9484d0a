import AppStore
import Foundation
import JSON

/// Whether and how the deprecated verifyReceipt is asked: `verifyReceipt`.
extension ServeSettings {
    /// What the setting says.
    struct VerifyReceipt {
        /// The file that holds the shared secret; nil: none is sent.
        var sharedSecretFile: String?
        var hosts = ReceiptServiceHosts()
    }

    mutating func read(verifyReceipt value: JSONValue) {
        let known = ["sharedSecretFile", "production", "sandbox"]
        guard let object = object(value, "verifyReceipt", known: known) else { return }
        var settings = VerifyReceipt()
        if let value = object["sharedSecretFile"] {
            settings.sharedSecretFile = value.stringValue
            if value.stringValue == nil {
                problems.append(
                    "verifyReceipt.sharedSecretFile must be text: the path of a file with the shared secret"
                )
            }
        }
        if let host = host(object["production"], "verifyReceipt.production") { settings.hosts.production = host }
        if let host = host(object["sandbox"], "verifyReceipt.sandbox") { settings.hosts.sandbox = host }
        verifyReceipt = settings
    }

    /// The client, when the setting is there and its secret can be read.
    mutating func makeReceiptService() -> ReceiptService? {
        guard let verifyReceipt else { return nil }
        var secret: String?
        if let file = verifyReceipt.sharedSecretFile {
            let text = try? String(contentsOf: URL(filePath: file), encoding: .utf8)
            secret = text?.trimmingCharacters(in: .whitespacesAndNewlines)
            if secret?.isEmpty != false {
                problems.append("verifyReceipt.sharedSecretFile: \(file) cannot be read, or is empty")
            }
        }
        return ReceiptService(transport: URLSessionTransport(), hosts: verifyReceipt.hosts, sharedSecret: secret)
    }

    private mutating func host(_ value: JSONValue?, _ name: String) -> String? {
        guard let value else { return nil }
        guard let text = value.stringValue, let url = URL(string: text), url.host != nil,
            ["http", "https"].contains(url.scheme), !text.hasSuffix("/")
        else {
            problems.append("\(name) must be an address without a slash at its end, such as \"https://host.example\"")
            return nil
        }
        return text
    }
}
