import JSON

/// Where to listen, and how: `listen`.
extension ServeSettings {
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
        if let value = object["tls"] { read(tls: value) }
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
        read(tlsVariables: environment)
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
}
