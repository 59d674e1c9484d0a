import Dispatch
import HTTPServer
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(3))) struct HTTPLaterTests {
    private let get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func aClientThatGoesAwayCancelsTheWork() async throws {
        let cancelled = Event()
        let started = Event()
        let handler = Answering { _ in
            .later {
                await withTaskCancellationHandler {
                    started.happen()
                    await cancelled.wait()
                } onCancel: {
                    cancelled.happen()
                }
                return HTTPResponse(.ok)
            }
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            try await client.send(get)
            await started.wait()
            client.disconnect()
            #expect(await eventually { cancelled.hasHappened })
            #expect(await eventually { server.counters.openConnections == 0 })
            #expect(server.counters.requestsInFlight == 0)
        }
    }

    @Test func aWaitingClientDoesNotCancelTheWork() async throws {
        let finish = Event()
        let wasCancelled = Mutex(false)
        let handler = Answering { _ in
            .later {
                await finish.wait()
                wasCancelled.withLock { $0 = Task.isCancelled }
                return HTTPResponse(.ok)
            }
        }
        try await withServer(handler) { server in
            let client = try RawClient(port: server.port)
            // The second request lies in the socket while the first one is worked on.
            try await client.send(get + get)
            let start = ContinuousClock.now
            #expect(await eventually { ContinuousClock.now - start > .milliseconds(600) })
            finish.happen()
            #expect(try await client.response().status == 200)
            #expect(try await client.response().status == 200)
            #expect(!wasCancelled.withLock { $0 })
        }
    }

    @Test func stoppingLetsAcceptedRequestsFinish() async throws {
        let finish = Event()
        let started = Event()
        let handler = Answering { _ in
            .later {
                started.happen()
                await finish.wait()
                return HTTPResponse(body: Array("done".utf8))
            }
        }
        let server = try HTTPListener.start(HTTPServerConfiguration(), handler: handler)
        let client = try RawClient(port: server.port)
        let idle = try RawClient(port: server.port)
        try await client.send(get)
        await started.wait()
        let stopped = Event()
        let stopping = Task {
            await server.stop(within: .seconds(10))
            stopped.happen()
        }
        // New clients are refused while the old request is still worked on.
        #expect(await eventually { (try? RawClient(port: server.port)) == nil })
        #expect(!stopped.hasHappened)
        finish.happen()
        let response = try await client.response()
        #expect(response.text == "done")
        #expect(response.field("Connection")?.lowercased() == "close")
        await stopping.value
        #expect(await client.isClosedByServer())
        #expect(await idle.isClosedByServer())
        #expect(server.counters.openConnections == 0)
        #expect(server.counters.requestsInFlight == 0)
    }

    /// The server's only thread is held, so that all but the first request are still in the system's hands when the server
    /// stops: some on a connection that was accepted, some on connections that were not.
    @Test func stoppingAnswersWhatWasSentButNotReadYet() async throws {
        let release = DispatchSemaphore(value: 0)
        let started = Event()
        let handler = Answering { request in
            if request.path == "/first" {
                started.happen()
                release.wait()
            }
            return .now(HTTPResponse(body: Array("done".utf8)))
        }
        let server = try HTTPListener.start(.test { $0.threads = 1 }, handler: handler)
        let accepted = try RawClient(port: server.port)
        #expect(await eventually { server.counters.openConnections == 1 })
        let first = try RawClient(port: server.port)
        try await first.send("GET /first HTTP/1.1\r\nHost: x\r\n\r\n")
        await started.wait()
        var clients = [first, accepted]
        for _ in 0..<10 { clients.append(try RawClient(port: server.port)) }
        for client in clients.dropFirst() { try await client.send(get) }
        let stopping = Task { await server.stop(within: .seconds(10)) }
        #expect(await eventually { (try? RawClient(port: server.port)) == nil })
        release.signal()
        for client in clients {
            let response = try await client.response()
            #expect(response.text == "done")
            #expect(response.field("Connection")?.lowercased() == "close")
        }
        await stopping.value
        #expect(server.counters.openConnections == 0)
        #expect(server.counters.requests == clients.count)
    }

    @Test func stoppingCutsWhatTakesTooLong() async throws {
        let finish = Event()
        let cancelled = Mutex(0)
        let handler = Answering { request in
            if request.path == "/stream" {
                return .now(
                    HTTPResponse { writer in
                        try await writer.write("x")
                        await finish.wait()
                    }
                )
            }
            return .later {
                await withTaskCancellationHandler {
                    await finish.wait()
                } onCancel: {
                    cancelled.withLock { $0 += 1 }
                }
                return HTTPResponse(.ok)
            }
        }
        let server = try HTTPListener.start(HTTPServerConfiguration(), handler: handler)
        var clients: [RawClient] = []
        for number in 0..<20 {
            let client = try RawClient(port: server.port)
            try await client.send("GET \(number % 2 == 0 ? "/stream" : "/later") HTTP/1.1\r\nHost: x\r\n\r\n")
            clients.append(client)
        }
        #expect(await eventually { server.counters.requestsInFlight == 20 })
        await server.stop(within: .milliseconds(50))
        #expect(server.counters.openConnections == 0)
        #expect(server.counters.requestsInFlight == 0)
        #expect(cancelled.withLock { $0 } == 10)
        // Work that finishes after the stop finds its connection gone and does no harm.
        finish.happen()
        await server.stop()
    }

    @Test func manyConnectionsCanBeAbortedWhileTheyAreWorkedOn() async throws {
        let handler = Answering { _ in
            .later {
                try? await Task.sleep(for: .milliseconds(Int.random(in: 0...20)))
                return HTTPResponse(body: [UInt8](repeating: 1, count: 1000))
            }
        }
        try await withServer(handler) { server in
            for _ in 0..<20 {
                var clients: [RawClient] = []
                for _ in 0..<20 {
                    let client = try RawClient(port: server.port)
                    try await client.send(get + get)
                    clients.append(client)
                }
                for client in clients { client.disconnect() }
            }
            #expect(await eventually { server.counters.openConnections == 0 })
            #expect(server.counters.requestsInFlight == 0)
        }
    }
}
