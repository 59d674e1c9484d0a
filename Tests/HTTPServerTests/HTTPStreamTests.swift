import HTTPServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(3))) struct HTTPStreamTests {
    private let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func eventsReachTheClientOneByOne() async throws {
        let (events, source) = AsyncStream<[UInt8]>.makeStream()
        let handler = Answering { _ in
            .now(HTTPResponse(headers: [HTTPField("Content-Type", "text/event-stream")], chunks: events))
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            try await client.send(get)
            // The head comes before there is anything to send.
            let head = try await client.head()
            #expect(head.field("Content-Type") == "text/event-stream")
            #expect(head.field("Transfer-Encoding") == "chunked")
            for number in 0..<20 {
                source.yield(Array("data: \(number)\n\n".utf8))
                #expect(try await client.chunk() == Array("data: \(number)\n\n".utf8))
            }
            source.finish()
            #expect(try await client.chunk() == [])
            // The connection still serves, and the same source is at its end.
            try await client.send(get)
            #expect(try await client.response().body == [])
        }
    }

    @Test func aWriterWaitsForASlowReader() async throws {
        let written = Mutex(0)
        let total = 20_000_000
        let handler = Answering { _ in
            .now(
                HTTPResponse { writer in
                    let part = [UInt8](repeating: 0x61, count: 10_000)
                    while written.withLock({ $0 }) < total {
                        try await writer.write(part)
                        written.withLock { $0 += part.count }
                    }
                }
            )
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            try await client.send(get)
            _ = try await client.head()
            // The writer comes to a stop long before the end: the sockets' buffers are full.
            var last = -1
            #expect(
                await eventually {
                    let now = written.withLock { $0 }
                    defer { last = now }
                    return now > 0 && now == last && server.counters.responseBodyBytes > 0
                }
            )
            #expect(written.withLock { $0 } < total)
            var received = 0
            while true {
                let chunk = try await client.chunk()
                if chunk.isEmpty { break }
                received += chunk.count
            }
            #expect(received == total)
            #expect(server.counters.responseBodyBytes == total)
        }
    }

    @Test func aClientThatGoesAwayCancelsTheWriter() async throws {
        let cancelled = Mutex(0)
        let handler = Answering { request in
            .now(
                HTTPResponse { writer in
                    defer { cancelled.withLock { $0 += 1 } }
                    try await writer.write("first")
                    if request.path == "/busy" {
                        while true { try await writer.write([UInt8](repeating: 0x61, count: 100_000)) }
                    }
                    try await Task.sleep(for: .seconds(3600))
                }
            )
        }
        try await withServer(handler) { server in
            for path in ["/quiet", "/busy"] {
                let client = try RawClient(port: server.port)
                try await client.send("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n")
                _ = try await client.head()
                _ = try await client.bytes(10)
                client.disconnect()
            }
            #expect(await eventually { cancelled.withLock { $0 } == 2 })
            #expect(await eventually { server.counters.openConnections == 0 && server.counters.requestsInFlight == 0 })
        }
    }

    @Test func aWriterThatFailsCutsTheConnection() async throws {
        struct Failure: Error {}
        let handler = Answering { _ in
            .now(
                HTTPResponse { writer in
                    try await writer.write("part")
                    throw Failure()
                }
            )
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            try await client.send(get)
            _ = try await client.head()
            // Neither the end of the body nor another response: the client sees that it was cut.
            await #expect(throws: RawClient.Failure.self) {
                while !(try await client.chunk()).isEmpty {}
                throw CancellationError()
            }
        }
    }

    @Test func headDoesNotRunTheWriter() async throws {
        let hasRun = Mutex(false)
        let handler = Answering { _ in
            .now(HTTPResponse { _ in hasRun.withLock { $0 = true } })
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            try await client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await client.response(toHead: true).status == 200)
            #expect(await eventually { server.counters.requestsInFlight == 0 })
            #expect(!hasRun.withLock { $0 })
        }
    }

    @Test func oldClientsGetTheBodyToTheEndOfTheConnection() async throws {
        let handler = Answering { _ in
            .later {
                HTTPResponse { writer in
                    try await writer.write("one ")
                    await Task.yield()
                    try await writer.write("two")
                }
            }
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            try await client.send("GET / HTTP/1.0\r\n\r\n")
            #expect(try await client.head().status == 200)
            #expect(try await client.bytes(7) == Array("one two".utf8))
            #expect(await client.isClosedByServer())
        }
    }
}
