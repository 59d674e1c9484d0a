import HTTPServer
import Synchronization

/// A handler made of a closure.
struct Answering: HTTPHandler {
    let body: @Sendable (HTTPRequest) -> HTTPReply

    func reply(to request: HTTPRequest) -> HTTPReply { body(request) }

    /// Tells what it was asked.
    static let echo = Answering { request in
        let text = "\(request.method) \(request.target) " + String(decoding: request.body, as: UTF8.self)
        return .now(HTTPResponse(type: "text/plain", body: Array(text.utf8)))
    }
}

extension HTTPServerConfiguration {
    /// Two threads on any free port, and what a test changes.
    static func test(_ change: (inout HTTPServerConfiguration) -> Void = { _ in }) -> HTTPServerConfiguration {
        var configuration = HTTPServerConfiguration()
        configuration.threads = 2
        change(&configuration)
        return configuration
    }
}

/// Runs a server for the length of a test.
func withServer(
    _ handler: some HTTPHandler,
    _ configuration: HTTPServerConfiguration = .test(),
    _ body: (HTTPListener) async throws -> Void
) async throws {
    let listener = try HTTPListener.start(configuration, handler: handler)
    do {
        try await body(listener)
    } catch {
        await listener.stop(within: .seconds(1))
        throw error
    }
    await listener.stop(within: .seconds(1))
}

/// Waits until a condition holds; false when it does not within ten seconds.
func eventually(_ condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while !condition() {
        if ContinuousClock.now > deadline { return false }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return true
}

/// Something that happens once, and can be waited for.
final class Event: Sendable {
    private enum State {
        case waiting([CheckedContinuation<Void, Never>])
        case happened
    }

    private let state = Mutex(State.waiting([]))

    var hasHappened: Bool {
        state.withLock { if case .happened = $0 { true } else { false } }
    }

    func happen() {
        let waiting = state.withLock { state -> [CheckedContinuation<Void, Never>] in
            guard case .waiting(let waiting) = state else { return [] }
            state = .happened
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits for it, whether or not the task is cancelled.
    func wait() async {
        await withCheckedContinuation { continuation in
            let hasHappened = state.withLock { state in
                guard case .waiting(let waiting) = state else { return true }
                state = .waiting(waiting + [continuation])
                return false
            }
            if hasHappened { continuation.resume() }
        }
    }
}
