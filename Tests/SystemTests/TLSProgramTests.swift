import Foundation
import Glibc
import JSON
import Simulator
import TLSTesting
import Testing

extension SystemTests {
    /// The program with certificates: served, replaced by SIGHUP, and asked for.
    @Suite struct TLSProgramTests {
        /// Writes the files of `listen.tls` and names them.
        private static func write(_ certificate: ThrowawayCertificate, to folder: URL) throws -> JSONObject {
            let (file, key) = (folder.appending(path: "tls.pem"), folder.appending(path: "tls.key"))
            try Data(certificate.certificatePEM.utf8).write(to: file)
            try Data(certificate.privateKeyPEM.utf8).write(to: key)
            return [
                "certificate": .string(file.path(percentEncoded: false)),
                "key": .string(key.path(percentEncoded: false)),
            ]
        }

        /// Until the certificate ends, as the metrics say.
        private static func daysLeft(_ port: Int) async throws -> Double {
            let page = try await OpenSSL.request(port, path: "/metrics")
            let line = page.split(separator: "\n").first { $0.hasPrefix("entitled_tls_not_after_timestamp_seconds ") }
            let end = try #require(line?.split(separator: " ").last.flatMap { Double($0) })
            return (end - Date().timeIntervalSince1970) / 86_400
        }

        @Test func sighupReplacesTheCertificateAndABadOneChangesNothing() async throws {
            let old = try await ThrowawayCertificate.make("old", days: 3)
            let new = try await ThrowawayCertificate.make("new", days: 30)
            try await TemporaryFolder.use { folder in
                let files = try Self.write(old, to: folder)
                let listen: JSONValue = ["port": 0, "tls": .object(files)]
                try await ServeService.with(settings: ["listen": listen]) { service in
                    let (port, program) = (service.client.port, service.program)
                    #expect(program.output.contains("listens on https://"))
                    #expect(try await OpenSSL.subject(port).contains("old"))
                    #expect(try await OpenSSL.request(port, ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"]) == "")

                    #expect((2.9...3).contains(try await Self.daysLeft(port)))

                    _ = try Self.write(new, to: folder)
                    #expect(try await OpenSSL.subject(port).contains("old"))
                    program.signal(SIGHUP)
                    #expect(await eventually { program.errors.contains("another certificate is served") })
                    #expect(try await OpenSSL.subject(port).contains("new"))
                    #expect((29.9...30).contains(try await Self.daysLeft(port)))

                    try Data(old.privateKeyPEM.utf8).write(to: folder.appending(path: "tls.key"))
                    program.signal(SIGHUP)
                    #expect(await eventually { program.errors.contains("stays as it was") })
                    #expect(program.errors.contains("the key is not that of the first certificate"))
                    #expect(!program.errors.contains("PRIVATE"))
                    #expect(try await OpenSSL.subject(port).contains("new"))
                    #expect(try await OpenSSL.request(port, path: "/healthz").hasPrefix("HTTP/1.1 200"))
                }
            }
        }

        @Test func clientCertificatesAreAskedForWhereThatIsConfigured() async throws {
            let server = try await ThrowawayCertificate.make("server")
            let authority = try await ThrowawayCertificate.make("authority", isAuthority: true)
            let client = try await authority.issue("client", purpose: "clientAuth")
            try await TemporaryFolder.use { folder in
                var files = try Self.write(server, to: folder)
                let clientCA = folder.appending(path: "clients.pem")
                try Data(authority.certificatePEM.utf8).write(to: clientCA)
                files.set("clientCA", .string(clientCA.path(percentEncoded: false)))
                for mode in ["required", "optional"] {
                    files.set("clientCertificates", .string(mode))
                    let listen: JSONValue = ["port": 0, "tls": .object(files)]
                    try await ServeService.with(settings: ["listen": listen]) { service in
                        let port = service.client.port
                        // The App Store has no certificate to show, and the probes of a supervisor neither.
                        for path in ["/healthz", "/readyz"] {
                            let isOK = try await eventually {
                                try await OpenSSL.request(port, path: path).hasPrefix("HTTP/1.1 200")
                            }
                            #expect(isOK, "\(path)")
                        }
                        let notification = try await OpenSSL.request(port, path: "/appstore/notifications")
                        #expect(notification.hasPrefix("HTTP/1.1 405"), "\(notification)")
                        let path = "/accounts/11111111-1111-4111-8111-111111111111/entitlements"
                        let fields = ["Authorization: Bearer \(service.client.key)"]
                        let without = try await OpenSSL.request(port, path: path, fields: fields)
                        #expect(without.hasPrefix(mode == "required" ? "HTTP/1.1 403" : "HTTP/1.1 200"), "\(without)")
                        #expect(without.contains("clientCertificateRequired") == (mode == "required"))
                        let with = try await OpenSSL.request(port, path: path, fields: fields, as: client)
                        #expect(with.hasPrefix("HTTP/1.1 200"), "\(with)")
                        // A certificate is no key.
                        let keyless = try await OpenSSL.request(port, path: path, as: client)
                        #expect(keyless.hasPrefix("HTTP/1.1 401"), "\(keyless)")
                        let foreign = try await OpenSSL.request(port, path: "/healthz", as: server)
                        #expect(!foreign.contains("HTTP/1.1"), "\(foreign)")
                    }
                }
            }
        }

        @Test func sighupWithoutTLSIsLoggedAndTheSupervisorIsTold() async throws {
            let supervisor = try SupervisorSocket()
            try await ServeService.with(environment: ["NOTIFY_SOCKET": supervisor.path]) { service in
                let told = try await supervisor.next()
                #expect(told.hasPrefix("READY=1\nSTATUS=answers at http://127.0.0.1:\(service.client.port)"))
                service.program.signal(SIGHUP)
                #expect(await eventually { service.program.errors.contains("plain HTTP is served") })
                #expect(try await supervisor.next() == "RELOADING=1")
                #expect(try await supervisor.next() == "READY=1")
                #expect(try await eventually { try await service.client.send("GET", "/readyz").status == 200 })
                service.program.signal(SIGTERM)
                #expect(try await supervisor.next() == "STOPPING=1")
                #expect(await service.program.end() == 0)
            }
        }
    }
}
