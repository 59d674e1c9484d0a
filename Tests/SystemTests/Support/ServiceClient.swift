import Foundation
import JSON
import Simulator
import Synchronization

/// Talks to a running service.
struct ServiceClient: Sendable {
    let port: Int
    /// An API key with every scope.
    let key: String

    /// - Parameter url: as the program prints it.
    init(url: String, key: String) throws {
        guard let port = URL(string: url)?.port else { throw URLError(.badURL) }
        self.port = port
        self.key = key
    }

    /// Sends one request over a connection of its own.
    func send(
        _ method: String,
        _ path: String,
        headers: [String: String] = [:],
        body: [UInt8]? = nil
    ) async throws -> RawConnection.Response {
        let port = port
        return try await onOwnThread {
            let connection = try RawConnection(port: port)
            try connection.send(method, path, headers: headers, body: body)
            return try connection.receive()
        }
    }

    /// Posts a notification's body.
    func notify(_ body: [UInt8]) async throws -> RawConnection.Response {
        try await send("POST", "/appstore/notifications", headers: ["Content-Type": "application/json"], body: body)
    }

    /// Makes a call.
    ///
    /// - Parameter key: another key; an empty one sends none.
    /// - Returns: the response object.
    func call(_ method: String, _ params: JSONObject, key: String? = nil) async throws -> JSONValue {
        let request: JSONValue = [
            "jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .object(params),
        ]
        return try await rpc(request.serialized(), key: key).json
    }

    /// Posts a body of calls.
    func rpc(_ body: [UInt8], key: String? = nil) async throws -> RawConnection.Response {
        var headers = ["Content-Type": "application/json"]
        if key != "" { headers["Authorization"] = "Bearer \(key ?? self.key)" }
        return try await send("POST", "/rpc", headers: headers, body: body)
    }

    /// Announces a body of ten megabytes, sends as much of it as the service takes, and gives the answer.
    func sendTooMuch(to path: String) async throws -> RawConnection.Response {
        let port = port
        return try await onOwnThread {
            let connection = try RawConnection(port: port)
            // The answer comes before the body; a body behind it could reset the connection and the answer with it.
            try connection.send("POST", path, headers: ["Content-Length": "10000000", "Authorization": "Bearer x"])
            let answer = try connection.receive()
            let piece = [UInt8](repeating: UInt8(ascii: " "), count: 100_000)
            for _ in 0..<100 { if (try? connection.send(piece)) == nil { break } }
            return answer
        }
    }

    /// Posts many requests over a number of connections that are kept open, in any order.
    ///
    /// - Parameters:
    ///   - untilAcknowledged: repeats each until it is answered with a 2xx, over a new connection where one broke.
    ///   - onAnswer: told the place of a request and the status of its answer; false ends the delivery.
    func deliver(
        _ requests: [LoadRequest],
        connections: Int = 16,
        untilAcknowledged: Bool = false,
        onAnswer: @escaping @Sendable (Int, Int) -> Bool = { _, _ in true }
    ) async throws {
        let next = NextIndex()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<connections {
                group.addTask { [port, key] in
                    try await onOwnThread {
                        var connection: RawConnection?
                        while let index = next.take(below: requests.count) {
                            while true {
                                guard let status = Self.post(requests[index], port: port, key: key, &connection) else {
                                    if !untilAcknowledged { return }
                                    continue
                                }
                                if !onAnswer(index, status) { return }
                                if !untilAcknowledged || (200..<300).contains(status) { break }
                                usleep(20_000)
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// - Returns: nil when the connection broke.
    private static func post(
        _ request: LoadRequest,
        port: Int,
        key: String,
        _ connection: inout RawConnection?
    ) -> Int? {
        do {
            let open = try connection ?? RawConnection(port: port)
            connection = open
            try open.send("POST", request.kind.path, headers: ["Authorization": "Bearer \(key)"], body: request.body)
            return try open.receive().status
        } catch {
            connection = nil
            return nil
        }
    }

    private final class NextIndex: Sendable {
        private let next = Atomic(0)

        func take(below end: Int) -> Int? {
            let index = next.add(1, ordering: .relaxed).oldValue
            return index < end ? index : nil
        }
    }
}
