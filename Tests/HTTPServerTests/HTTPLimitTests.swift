import HTTPServer
import Testing

@Suite(.timeLimit(.minutes(3))) struct HTTPLimitTests {
    private static func configure(_ configuration: inout HTTPServerConfiguration) {
        configuration.maximumBodyBytes = 1000
        configuration.maximumHeaderBytes = 2000
    }

    private func post(_ length: Int, _ fields: String = "") -> String {
        "POST / HTTP/1.1\r\nHost: x\r\n\(fields)Content-Length: \(length)\r\n\r\n"
    }

    @Test func aBodyOfTheLimitIsTakenAndOneByteMoreIsRefused() async throws {
        try await withServer(Answering.echo, .test(HTTPLimitTests.configure)) { server in
            let client = try RawClient(port: server.port)
            try await client.send(post(1000) + String(repeating: "x", count: 1000))
            #expect(try await client.response().status == 200)
            try await client.send(post(1001) + String(repeating: "x", count: 1001))
            #expect(try await client.response().status == 413)
            #expect(server.counters.refusedRequests == 1)
            // What was refused is read to its end, so the connection still serves.
            #expect(try await client.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
        }
    }

    @Test func aChunkedBodyOverTheLimitIsRefused() async throws {
        try await withServer(Answering.echo, .test(HTTPLimitTests.configure)) { server in
            let client = try RawClient(port: server.port)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            for _ in 0..<11 { try await client.send("64\r\n" + String(repeating: "x", count: 100) + "\r\n") }
            try await client.send("0\r\n\r\n")
            #expect(try await client.response().status == 413)
            #expect(server.counters.requestBodyBytes <= 1100)
        }
    }

    @Test func anEndlessChunkedBodyIsCut() async throws {
        try await withServer(Answering.echo, .test(HTTPLimitTests.configure)) { server in
            let client = try RawClient(port: server.port)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "10000\r\n" + String(repeating: "x", count: 65536) + "\r\n"
            await #expect(throws: RawClient.Failure.self) {
                for _ in 0..<1000 { try await client.send(chunk) }
            }
            #expect(await eventually { server.counters.openConnections == 0 })
        }
    }

    @Test func aHugeAnnouncedBodyIsRefusedBeforeItComes() async throws {
        try await withServer(Answering.echo, .test(HTTPLimitTests.configure)) { server in
            let client = try RawClient(port: server.port)
            #expect(try await client.exchange(post(1_000_000_000_000)).status == 413)
            #expect(await client.isClosedByServer())
        }
    }

    @Test func aClientThatAsksFirstIsToldToContinueOrNot() async throws {
        try await withServer(Answering.echo, .test(HTTPLimitTests.configure)) { server in
            let client = try RawClient(port: server.port)
            #expect(try await client.exchange(post(5, "Expect: 100-continue\r\n")).status == 100)
            #expect(try await client.exchange("hello").text == "POST / hello")
            #expect(try await client.exchange(post(2000, "Expect: 100-continue\r\n")).status == 413)
        }
    }

    @Test func headersUpToTheLimitAreTakenAndLargerOnesRefused() async throws {
        try await withServer(Answering.echo, .test(HTTPLimitTests.configure)) { server in
            for (filling, status) in [(1500, 200), (2000, 431), (20_000, 431), (200_000, 431)] {
                let client = try RawClient(port: server.port)
                try await client.send("GET / HTTP/1.1\r\nHost: x\r\nX-Filling: ")
                try? await client.send(String(repeating: "x", count: filling) + "\r\n\r\n")
                // So far beyond the limit the connection may be closed over the answer.
                let response = try? await client.response()
                if filling < 100_000 { #expect(response?.status == status) }
                #expect(response == nil || response?.status == status)
            }
            let client = try RawClient(port: server.port)
            let target = "/" + String(repeating: "x", count: 2000)
            #expect(try await client.exchange("GET \(target) HTTP/1.1\r\nHost: x\r\n\r\n").status == 431)
        }
    }

    @Test func headersOfTheDefaultLimitLeaveRoomForTheAnswer() async throws {
        let fields = (0..<20).map { HTTPField("X-Field-\($0)", String(repeating: "y", count: 80)) }
        let handler = Answering { .now(HTTPResponse(headers: fields, body: $0.body)) }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            let line = "X-Filling: " + String(repeating: "x", count: 85) + "\r\n"
            for (lines, status) in [(80, 200), (84, 431)] {
                let head = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n" + String(repeating: line, count: lines)
                let response = try await client.exchange(head + "\r\nhello")
                #expect(response.status == status)
                if status == 200 {
                    #expect(response.text == "hello")
                    #expect(response.field("X-Field-19") == fields[19].value)
                }
            }
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ", "GET /",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3E8\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\n\r\n",
    ])
    func aClientThatTricklesIsCut(beginning: String) async throws {
        func configure(_ configuration: inout HTTPServerConfiguration) {
            HTTPLimitTests.configure(&configuration)
            configuration.requestTimeLimit = .milliseconds(300)
        }
        try await withServer(Answering.echo, .test(configure)) { server in
            let client = try RawClient(port: server.port)
            try await client.send(beginning)
            let start = ContinuousClock.now
            // One byte at a time keeps the idle timer quiet; only the total time ends this.
            await #expect(throws: RawClient.Failure.self) {
                while ContinuousClock.now - start < .seconds(10) {
                    try await client.send("x")
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
            #expect(server.counters.slowClients == 1)
            #expect(await eventually { server.counters.openConnections == 0 && server.counters.requestsInFlight == 0 })
        }
    }

    @Test func aSlowAnswerIsNoSlowClient() async throws {
        let event = Event()
        let handler = Answering { _ in
            .later {
                await event.wait()
                return HTTPResponse(.ok)
            }
        }
        try await withServer(handler, .test { $0.requestTimeLimit = .milliseconds(100) }) { server in
            let client = try RawClient(port: server.port)
            try await client.send(post(5) + "hello")
            let start = ContinuousClock.now
            #expect(await eventually { ContinuousClock.now - start > .milliseconds(700) })
            event.happen()
            #expect(try await client.response().status == 200)
            #expect(server.counters.slowClients == 0)
        }
    }

    @Test func aSilentConnectionIsClosed() async throws {
        try await withServer(Answering.echo, .test { $0.idleTimeout = .seconds(1) }) { server in
            let client = try RawClient(port: server.port)
            #expect(try await client.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
            #expect(await client.isClosedByServer())
        }
    }

    @Test func connectionsOfOneAddressAreLimited() async throws {
        try await withServer(Answering.echo, .test { $0.maximumConnectionsPerAddress = 2 }) { server in
            let first = try RawClient(port: server.port)
            let second = try RawClient(port: server.port)
            #expect(try await first.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
            #expect(try await second.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
            let third = try RawClient(port: server.port)
            #expect(await third.isClosedByServer())
            first.disconnect()
            #expect(await eventually { server.counters.openConnections == 1 })
            let fourth = try RawClient(port: server.port)
            #expect(try await fourth.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
        }
    }

    @Test(arguments: [
        "\r\n\r\n\r\n", "GARBAGE\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\n: x\r\n\r\n", "GET / HTTP/1.1\r\nHost\r\n\r\n", "GET /\u{0}x HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: x\r\nA: \u{0}\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: abc\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999999999\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\n",
        "GET " + String(repeating: "/", count: 5000), "GET /%%%%?%%&=&%=% HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET * HTTP/1.1\r\nHost: x\r\n\r\n", "GET http://[::1 HTTP/1.1\r\nHost: x\r\n\r\n",
    ])
    func malformedRequestsDoNoHarm(text: String) async throws {
        try await withServer(Answering.echo, .test(HTTPLimitTests.configure)) { server in
            for count in [text.utf8.count, text.utf8.count / 2] {
                let client = try RawClient(port: server.port)
                try await client.send(Array(Array(text.utf8)[..<count]))
                shutdownSending(client)
                if let response = try? await client.response(), count == text.utf8.count {
                    #expect(response.status == 200 || (400..<600).contains(response.status))
                }
            }
            let client = try RawClient(port: server.port)
            #expect(try await client.exchange("GET / HTTP/1.1\r\nHost: x\r\n\r\n").status == 200)
            client.disconnect()
            #expect(await eventually { server.counters.requestsInFlight == 0 && server.counters.openConnections == 0 })
        }
    }

    @Test(arguments: [
        "Content-Length: 5\r\nContent-Length: 6\r\n", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "Content-Length: +5\r\n", "Content-Length: 5, 5\r\n",
        "Transfer-Encoding: gzip\r\n", "Transfer-Encoding : chunked\r\n", "Content-Length\t: 5\r\n", "Host: y\r\n",
    ])
    func aBodyWhoseEndIsAmbiguousIsRefused(fields: String) async throws {
        try await withServer(Answering.echo) { server in
            let client = try RawClient(port: server.port)
            try await client.send("POST / HTTP/1.1\r\nHost: x\r\n\(fields)\r\n0\r\n\r\nhello")
            #expect(try await client.head().status == 400)
            #expect(await client.isClosedByServerAtLast())
        }
    }
}
