import Foundation
import HTTPServer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// TCP ports of this machine.
enum BenchPort {
    /// A port of 127.0.0.1 that nobody listens on at the moment.
    static func free() async throws -> UInt16 {
        var configuration = HTTPServerConfiguration()
        configuration.port = 0
        let listener = try HTTPListener.start(configuration, handler: Nothing())
        let port = listener.port
        await listener.stop()
        return port
    }

    /// Waits until a server answers on a port.
    static func wait(for port: UInt16) async throws {
        guard let url = URL(string: "http://127.0.0.1:\(port)/") else { return }
        let deadline = ContinuousClock.now + .seconds(10)
        while (try? await URLSession.shared.data(from: url)) == nil {
            guard ContinuousClock.now < deadline else {
                throw CommandError(.unavailable, "nobody answers on port \(port) of 127.0.0.1")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private struct Nothing: HTTPHandler {
        func reply(to request: HTTPRequest) -> HTTPReply { .now(HTTPResponse()) }
    }
}
