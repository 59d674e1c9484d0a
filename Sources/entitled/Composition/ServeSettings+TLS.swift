import HTTPServer
import JSON

/// With what TLS is served: `listen.tls`.
extension ServeSettings {
    private static let knownOfTLS = ["certificate", "key", "clientCA", "clientCertificates"]

    mutating func read(tls value: JSONValue) {
        guard let object = object(value, "listen.tls", known: Self.knownOfTLS) else { return }
        if let certificate = object["certificate"]?.stringValue, let key = object["key"]?.stringValue {
            tls = TLSFiles(certificate: certificate, key: key)
        } else {
            problems.append("listen.tls must have certificate and key, the paths of two PEM files")
        }
        if let value = object["clientCA"] {
            tls?.clientCA = value.stringValue
            if value.stringValue == nil { problems.append("listen.tls.clientCA must be text: the path of a PEM file") }
        }
        if let value = object["clientCertificates"] {
            read(clientCertificates: value.stringValue, "listen.tls.clientCertificates")
        }
    }

    mutating func read(tlsVariables environment: [String: String]) {
        let (certificate, key) = (environment["ENTITLED_TLS_CERTIFICATE"], environment["ENTITLED_TLS_KEY"])
        if certificate != nil || key != nil {
            if let certificate = certificate ?? tls?.certificate, let key = key ?? tls?.key {
                tls = TLSFiles(certificate: certificate, key: key, clientCA: tls?.clientCA)
            } else {
                problems.append("ENTITLED_TLS_CERTIFICATE and ENTITLED_TLS_KEY must be given together")
            }
        }
        if let value = environment["ENTITLED_TLS_CLIENT_CA"] {
            tls?.clientCA = value
            if tls == nil { problems.append("ENTITLED_TLS_CLIENT_CA needs a certificate and a key of the service") }
        }
        if let value = environment["ENTITLED_TLS_CLIENT_CERTIFICATES"] {
            read(clientCertificates: value, "ENTITLED_TLS_CLIENT_CERTIFICATES")
        }
    }

    private mutating func read(clientCertificates text: String?, _ name: String) {
        switch text {
        case "required": clientCertificates = true
        case "optional": clientCertificates = false
        default: problems.append("\(name) must be \"required\" or \"optional\"")
        }
    }

    /// What a server is given; every problem that it would have with it is noted.
    mutating func readTLS() -> HTTPServerConfiguration.TLS? {
        guard let tls else { return nil }
        if clientCertificates != nil, tls.clientCA == nil {
            problems.append("listen.tls.clientCertificates needs clientCA, whose certificates clients must come with")
        }
        let (read, faults) = tls.read()
        problems += faults
        return read
    }
}
