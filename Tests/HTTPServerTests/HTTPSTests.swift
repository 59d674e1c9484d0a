import Dispatch
import Foundation
import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(3))) struct HTTPSTests {
    /// Runs the openssl program and gives what it prints. It is waited for on a thread of its own, as the server's work
    /// for later needs Swift's.
    private func openssl(_ arguments: [String], input: String = "") async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "openssl").async {
                continuation.resume(with: Result { try HTTPSTests.run(arguments, input: input) })
            }
        }
    }

    private static func run(_ arguments: [String], input: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let (standardInput, output) = (Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// A fresh key with a certificate signed by itself.
    private func credentials() async throws -> HTTPServerConfiguration.TLS {
        let both = try await openssl([
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "-",
            "-subj", "/CN=localhost", "-days", "1",
        ])
        let parts = both.components(separatedBy: "-----BEGIN CERTIFICATE-----")
        try #require(parts.count == 2)
        return HTTPServerConfiguration.TLS(
            certificatePEM: "-----BEGIN CERTIFICATE-----" + parts[1],
            privateKeyPEM: parts[0]
        )
    }

    @Test func requestsAreServedOverTLS() async throws {
        let tls = try await credentials()
        let handler = Answering { request in
            .later { HTTPResponse(body: Array("secret \(request.path)".utf8)) }
        }
        try await withServer(handler, .test { $0.tls = tls }) { server in
            let answer = try await openssl(
                ["s_client", "-quiet", "-connect", "127.0.0.1:\(server.port)", "-ign_eof"],
                input: "GET /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
            )
            #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
            #expect(answer.hasSuffix("secret /x"))
            // Plain HTTP is not understood, and does no harm.
            let client = try RawClient(port: server.port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(await client.isClosedByServerAtLast())
        }
    }

    @Test func unusableCredentialsAreRefused() throws {
        var configuration = HTTPServerConfiguration.test()
        configuration.tls = HTTPServerConfiguration.TLS(certificatePEM: "nonsense", privateKeyPEM: "nonsense")
        let error = #expect(throws: HTTPServerError.self) {
            try HTTPListener.start(configuration, handler: Answering.echo)
        }
        guard case .tlsRefused = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
