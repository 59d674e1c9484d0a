import HTTPServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(3))) struct HTTPListenerTests {
    @Test func oneConnectionServesManyRequests() async throws {
        try await withServer(Answering.echo) { server in
            let client = try RawClient(port: server.port)
            for number in 0..<100 {
                let response = try await client.exchange("GET /\(number)?q HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(response.status == 200)
                #expect(response.text == "GET /\(number)?q ")
                #expect(response.field("Content-Type") == "text/plain")
            }
            #expect(server.counters.connections == 1)
            #expect(server.counters.requests == 100)
        }
    }

    @Test func pipelinedRequestsAreAnsweredInTheirOrder() async throws {
        let handler = Answering { request in
            let response = HTTPResponse(body: Array(request.target.utf8))
            return request.query("later") == nil ? .now(response) : .later { response }
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            let targets = (0..<50).map { "/\($0)" + ($0 % 3 == 0 ? "?later=1" : "") }
            try await client.send(targets.map { "GET \($0) HTTP/1.1\r\nHost: x\r\n\r\n" }.joined())
            for target in targets {
                #expect(try await client.response().text == target)
            }
        }
    }

    @Test func requestsCarryWhatWasSent() async throws {
        let seen = Mutex<HTTPRequest?>(nil)
        let during = Mutex<[String?]>([])
        let handler = Answering { request in
            during.withLock {
                $0 = [request.header("x-ONE"), request.header("nothing"), "\(request.headers.all.count)"]
            }
            seen.withLock { $0 = request }
            return .now(HTTPResponse(.noContent))
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            let response = try await client.exchange(
                "PATCH /a%20b?c=%20 HTTP/1.1\r\nHost: x\r\nX-One: 1\r\nX-One: 2\r\nContent-Length: 5\r\n\r\nhello"
            )
            #expect(response.status == 204)
            let last = seen.withLock { $0 }
            let request = try #require(last)
            #expect(request.method == .patch)
            #expect(request.target == "/a%20b?c=%20")
            #expect(request.path == "/a b")
            #expect(request.query("c") == " ")
            #expect(request.body == Array("hello".utf8))
            #expect(request.remoteAddress == "127.0.0.1")
            #expect(during.withLock { $0 } == ["1", nil, "4"])
            // The library's memory is gone, and so are the fields.
            #expect(request.header("X-One") == nil)
        }
    }

    @Test func fieldsCanBeReadByWorkForLater() async throws {
        let handler = Answering { request in
            .later {
                await Task.yield()
                let text = "\(request.header("X-One") ?? "-") \(request.headers.all.count)"
                return HTTPResponse(body: Array(text.utf8))
            }
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            for number in 0..<20 {
                let response = try await client.exchange("GET / HTTP/1.1\r\nHost: x\r\nx-one: \(number)\r\n\r\n")
                #expect(response.text == "\(number) 2")
            }
        }
    }

    @Test func headIsAnsweredLikeGetWithoutTheBody() async throws {
        try await withServer(Answering.echo) { server in
            let client = try RawClient(port: server.port)
            try await client.send("HEAD /x HTTP/1.1\r\nHost: x\r\n\r\n")
            let response = try await client.response(toHead: true)
            #expect(response.status == 200)
            #expect(response.field("Content-Length") == "8")
            #expect(try await client.exchange("GET /y HTTP/1.1\r\nHost: x\r\n\r\n").text == "GET /y ")
        }
    }

    @Test func chunkedBodiesArePutTogether() async throws {
        try await withServer(Answering.echo) { server in
            let client = try RawClient(port: server.port)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
            try await client.send("1;x=y\r\n \r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n")
            #expect(try await client.response().text == "POST / hello 0123456789")
            #expect(try await client.exchange("GET /n HTTP/1.1\r\nHost: x\r\n\r\n").text == "GET /n ")
        }
    }

    @Test func aLargeBodyArrivesWhole() async throws {
        let handler = Answering { .now(HTTPResponse(body: $0.body)) }
        try await withServer(handler, .test { $0.maximumBodyBytes = 3_000_000 }) { server in
            let body = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
            let client = try RawClient(port: server.port)
            try await client.send(
                Array("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: \(body.count)\r\n\r\n".utf8) + body
            )
            #expect(try await client.response().body == body)
            #expect(server.counters.requestBodyBytes == 3_000_000)
            #expect(server.counters.responseBodyBytes == 3_000_000)
        }
    }

    @Test func sixtyFourConnectionsAreServedAtOnce() async throws {
        let handler = Answering { request in
            let response = HTTPResponse(body: request.body)
            return request.path == "/now" ? .now(response) : .later { response }
        }
        try await withServer(handler) { server in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<64 {
                    group.addTask {
                        let client = try RawClient(port: server.port)
                        var good = 0
                        for round in 0..<20 {
                            let text = "\(number)-\(round)"
                            let response = try await client.exchange(
                                "POST \(round % 2 == 0 ? "/now" : "/later") HTTP/1.1\r\nHost: x\r\n"
                                    + "Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
                            )
                            if response.text == text { good += 1 }
                        }
                        return good
                    }
                }
                let good = try await group.reduce(0, +)
                #expect(good == 64 * 20)
            }
            #expect(server.counters.requests == 64 * 20)
            #expect(server.counters.connections == 64)
            #expect(await eventually { server.counters.openConnections == 0 })
            #expect(server.counters.requestsInFlight == 0)
        }
    }

    @Test func connectionsWhoseEndCameTogetherWithDataAreFreed() async throws {
        try await withServer(Answering.echo) { server in
            for text in [
                "GET / HTTP/1.1\r", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", "POST / HTTP/1.1\r\nContent-Length: 3\r\n\r\n",
            ] {
                for _ in 0..<50 {
                    let client = try RawClient(port: server.port)
                    try await client.send(text)
                    client.disconnect()
                }
            }
            #expect(await eventually { server.counters.connections == 150 && server.counters.openConnections == 0 })
            #expect(server.counters.requestsInFlight == 0)
        }
    }

    @Test func aClientThatOnlyClosesItsSideStillGetsItsAnswer() async throws {
        try await withServer(Answering.echo) { server in
            for _ in 0..<50 {
                let client = try RawClient(port: server.port)
                try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
                shutdownSending(client)
                #expect(try await client.response().status == 200)
            }
        }
    }

    @Test func ipv6IsServedToo() async throws {
        let handler = Answering { .now(HTTPResponse(body: Array($0.remoteAddress.utf8))) }
        try await withServer(handler, .test { $0.address = "::1" }) { server in
            let client = try RawClient(port: server.port, isIPv6: true)
            #expect(try await client.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").text == "::1")
        }
        // A socket for both families names an IPv4 client by its own address.
        try await withServer(handler, .test { $0.address = "::" }) { server in
            let client = try RawClient(port: server.port)
            #expect(try await client.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").text == "127.0.0.1")
        }
    }

    @Test func aFieldWithALineBreakIsNotSent() async throws {
        let handler = Answering { _ in
            .now(HTTPResponse(headers: [HTTPField("X-A", "1\r\nX-B: 2")], body: Array("x".utf8)))
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            try await client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.response().status == 500)
            #expect(await eventually { server.counters.requestsInFlight == 0 })
        }
    }

    @Test func aPortInUseIsNamed() async throws {
        try await withServer(Answering.echo) { server in
            var configuration = HTTPServerConfiguration()
            configuration.port = server.port
            let error = #expect(throws: HTTPServerError.self) {
                try HTTPListener.start(configuration, handler: Answering.echo)
            }
            #expect(error == .addressInUse(address: "127.0.0.1", port: server.port))
            #expect(error?.description.contains("\(server.port)") == true)
        }
    }

    @Test(arguments: ["192.0.2.1", "no such host.invalid"])
    func anAddressOfAnotherMachineIsRefused(address: String) {
        var configuration = HTTPServerConfiguration()
        configuration.address = address
        let error = #expect(throws: HTTPServerError.self) {
            try HTTPListener.start(configuration, handler: Answering.echo)
        }
        guard case .addressNotAvailable(address, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aPortCanBeUsedAgainAtOnce() async throws {
        var configuration = HTTPServerConfiguration()
        for _ in 0..<5 {
            let server = try HTTPListener.start(configuration, handler: Answering.echo)
            configuration.port = server.port
            let client = try RawClient(port: server.port)
            #expect(try await client.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
            await server.stop()
        }
    }

    @Test func settingsThatMakeNoSenseAreRefused() {
        let changes: [(inout HTTPServerConfiguration) -> Void] = [
            { $0.maximumBodyBytes = -1 }, { $0.maximumHeaderBytes = 10 }, { $0.maximumConnections = 0 },
            { $0.maximumConnectionsPerAddress = -1 }, { $0.threads = -1 }, { $0.idleTimeout = .milliseconds(10) },
            { $0.requestTimeLimit = .zero },
        ]
        for change in changes {
            let error = #expect(throws: HTTPServerError.self) {
                try HTTPListener.start(.test(change), handler: Answering.echo)
            }
            guard case .invalidConfiguration = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }
}
