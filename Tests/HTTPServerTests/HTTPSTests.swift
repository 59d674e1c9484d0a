import HTTPServer
import TLSTesting
import Testing

@Suite(.timeLimit(.minutes(3))) struct HTTPSTests {
    @Test func requestsAreServedOverTLS() async throws {
        let tls = try await ThrowawayCertificate.make().tls
        let handler = Answering { request in
            .later { HTTPResponse(body: Array("secret \(request.path)".utf8)) }
        }
        try await withServer(handler, .test { $0.tls = tls }) { server in
            let answer = try await OpenSSL.run(
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

    @Test func credentialsThatDoNotBelongTogetherAreRefused() async throws {
        let (one, other) = (try await ThrowawayCertificate.make(), try await ThrowawayCertificate.make())
        var mixed = one.tls
        mixed.privateKeyPEM = other.tls.privateKeyPEM
        let error = #expect(throws: HTTPServerError.self) { try mixed.check() }
        #expect("\(try #require(error))".contains("the key is not that of the first certificate"))
        var authorities = one.tls
        authorities.clientCAPEM = "nonsense"
        #expect(throws: HTTPServerError.self) { try authorities.check() }
        #expect(try one.tls.check().isCurrent)
    }

    @Test(arguments: [("-tls1_1", false), ("-tls1", false), ("-tls1_2", true), ("-tls1_3", true)])
    func nothingOlderThanTLS12IsSpoken(version: String, isSpoken: Bool) async throws {
        let tls = try await ThrowawayCertificate.make().tls
        try await withServer(Answering.echo, .test { $0.tls = tls }) { server in
            // Level 0, so that this client at least would still speak the old ones.
            let answer = try await OpenSSL.request(server.number, [version, "-cipher", "ALL:@SECLEVEL=0"])
            #expect(answer.hasPrefix("HTTP/1.1 200 OK") == isSpoken, "\(answer)")
        }
    }

    @Test func anotherCertificateIsServedToNewConnectionsOnly() async throws {
        let (old, new) = (try await ThrowawayCertificate.make("old"), try await ThrowawayCertificate.make("new"))
        let event = Event()
        let handler = Answering { request in
            .later {
                if request.path == "/slow" { await event.wait() }
                return HTTPResponse(body: Array("served \(request.path)".utf8))
            }
        }
        try await withServer(handler, .test { $0.tls = old.tls }) { server in
            #expect(try await OpenSSL.subject(server.number).contains("old"))
            async let slow = OpenSSL.request(server.number, path: "/slow")
            #expect(await eventually { server.counters.requestsInFlight == 1 })
            let validity = try server.replace(new.tls)
            #expect(validity.isCurrent)
            #expect(try await OpenSSL.subject(server.number).contains("new"))
            event.happen()
            #expect(try await slow.hasSuffix("served /slow"))
            // What cannot be used changes nothing.
            var mixed = new.tls
            mixed.privateKeyPEM = old.tls.privateKeyPEM
            #expect(throws: HTTPServerError.self) { try server.replace(mixed) }
            let ended = try await ThrowawayCertificate.make("ended", days: -1)
            #expect(throws: HTTPServerError.self) { try server.replace(ended.tls) }
            #expect(try await OpenSSL.subject(server.number).contains("new"))
        }
    }

    @Test func manyReplacementsUnderLoadBreakNoConnection() async throws {
        let certificates = [try await ThrowawayCertificate.make("one"), try await ThrowawayCertificate.make("two")]
        try await withServer(Answering.echo, .test { $0.tls = certificates[0].tls }) { server in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<5 {
                            let answer = try await OpenSSL.request(server.number)
                            #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
                        }
                    }
                }
                for turn in 0..<200 { _ = try server.replace(certificates[turn % 2].tls) }
                try await group.waitForAll()
            }
        }
    }

    @Test func aClientCertificateIsToldFromNoneAndAForeignOneIsRefused() async throws {
        let authority = try await ThrowawayCertificate.make("authority", isAuthority: true)
        let foreign = try await ThrowawayCertificate.make("foreign", isAuthority: true)
        var tls = try await ThrowawayCertificate.make().tls
        tls.clientCAPEM = authority.tls.certificatePEM
        let handler = Answering { .now(HTTPResponse(body: Array("\($0.hasClientCertificate)".utf8))) }
        try await withServer(handler, .test { $0.tls = tls }) { server in
            for version in ["-tls1_2", "-tls1_3"] {
                #expect(try await OpenSSL.request(server.number, [version]).hasSuffix("false"))
                let mine = try await authority.issue("client", purpose: "clientAuth")
                #expect(try await OpenSSL.request(server.number, [version], as: mine).hasSuffix("true"))
                for bad in [
                    try await foreign.issue("client", purpose: "clientAuth"),
                    try await authority.issue("server", purpose: "serverAuth"),
                    try await authority.issue("ended", purpose: "clientAuth", days: -1),
                ] {
                    let answer = try await OpenSSL.request(server.number, [version], as: bad)
                    #expect(!answer.contains("HTTP/1.1"), "\(version) \(answer)")
                }
            }
            // Without being asked for one, a client's certificate says nothing.
            tls.clientCAPEM = nil
            _ = try server.replace(tls)
            let mine = try await authority.issue("client", purpose: "clientAuth")
            #expect(try await OpenSSL.request(server.number, as: mine).hasSuffix("false"))
        }
    }
}

extension ThrowawayCertificate {
    fileprivate var tls: HTTPServerConfiguration.TLS {
        HTTPServerConfiguration.TLS(certificatePEM: certificatePEM, privateKeyPEM: privateKeyPEM)
    }
}

extension HTTPListener {
    fileprivate var number: Int { Int(port) }
}
