import EntitlementAPI
import EntitlementDomain
import EventStore
import HTTPServer
import JSON
import JSONRPC
import Synchronization

/// `GET /changes`: the change feed as server-sent events (WHATWG HTML, section "Server-sent events").
///
/// Each change is an event `change` whose id is its place, so a client that comes back with `Last-Event-ID` misses nothing.
/// A stream holds one page at a time, and reads the next one when the client has taken it.
final class ChangeStreams: Sendable {
    /// The most streams at a time: each keeps a connection.
    private static let maximumStreams = 1_024
    /// Changes in one page.
    private static let pageSize = 200
    /// The least time between two readings of one stream: a busy log is read in larger pieces.
    private static let spacing: Duration = .milliseconds(20)

    private let store: PostgresEventStore
    private let doorkeeper: Doorkeeper
    /// How long a stream may be silent.
    private let heartbeat: Duration
    private let openStreams = Atomic(0)

    init(store: PostgresEventStore, doorkeeper: Doorkeeper, heartbeat: Duration = .seconds(15)) {
        self.store = store
        self.doorkeeper = doorkeeper
        self.heartbeat = heartbeat
    }

    func reply(to request: HTTPRequest) -> HTTPReply {
        let authorization = request.header("authorization")
        let lastID = request.header("last-event-id").flatMap { $0.isEmpty ? nil : $0 }
        let query = request.queryItems
        return .later { [self] in
            await doorkeeper.admit(authorization, to: ChangesList.self) { method throws(JSONRPCError) in
                let parameters = try method.parameters(from: try Self.params(query, lastID: lastID))
                return try await response(to: parameters, authorization)
            }
        }
    }

    /// The query as the parameters of the method. Where the client has come to counts more than where it once began.
    private static func params(_ query: [HTTPQueryItem], lastID: String?) throws(JSONRPCError) -> JSONValue {
        var params = JSONObject()
        for item in query {
            guard ["after", "environment"].contains(item.name) else {
                throw ParameterReader.invalid(
                    item.name,
                    "there is no parameter \"\(item.name.prefix(64))\"; known: after, environment"
                )
            }
            params.set(item.name, .string(item.value ?? ""))
        }
        if let lastID { params.set("after", .string(lastID)) }
        return .object(params)
    }

    private func response(
        to parameters: ChangesList.Parameters,
        _ authorization: String?
    ) async throws(JSONRPCError) -> HTTPResponse {
        var query = FeedQuery(after: parameters.after, environment: parameters.environment, limit: Self.pageSize)
        let first: FeedPage
        do {
            // Read before the answer begins, so that a place that is refused is refused with a status.
            first = try await store.changes(query)
        } catch {
            throw JSONRPCError(error)
        }
        guard openStreams.load(ordering: .relaxed) < Self.maximumStreams else {
            throw ErrorReason.unavailable.error("There are \(Self.maximumStreams) streams already; try again later.")
        }
        query.after = parameters.after
        return HTTPResponse(
            headers: [
                HTTPField("Content-Type", "text/event-stream"), HTTPField("Cache-Control", "no-store"),
                // nginx would hold events back to fill its buffer.
                HTTPField("X-Accel-Buffering", "no"),
            ]
        ) { [self, query] writer in
            openStreams.add(1, ordering: .relaxed)
            defer { openStreams.subtract(1, ordering: .relaxed) }
            try await send(from: first, query, authorization, to: writer)
        }
    }

    /// Sends changes until the client is gone (then this is cancelled), the service stops, or the key is revoked.
    private func send(
        from first: FeedPage,
        _ query: FeedQuery,
        _ authorization: String?,
        to writer: HTTPBodyWriter
    ) async throws {
        var (page, query) = (first, query)
        var isSilent = true
        while true {
            let readAt = ContinuousClock.now
            if !page.changes.isEmpty {
                try await writer.write(Self.events(page.changes))
            } else if isSilent {
                // At once as well: it tells the client that the stream is there.
                try await writer.write(":\n\n")
            }
            query.after = page.position
            guard doorkeeper.stillAdmits(authorization, scope: ChangesList.scope) else { return }
            if !page.hasMore {
                if store.isEnding { return }
                try await Task.sleep(until: readAt + Self.spacing, clock: .continuous)
            }
            do {
                page = try await store.changes(query, upTo: page.hasMore ? .zero : heartbeat)
            } catch StoreError.positionNotReached(_, let current) {
                // The log was rewound under the stream. The client must know that its place is worth nothing any more.
                try await writer.write(Self.refusal(current))
                return
            }
            isSilent = page.changes.isEmpty
        }
    }

    private static func events(_ changes: [FeedChange]) -> [UInt8] {
        var bytes: [UInt8] = []
        for change in changes {
            bytes.append(contentsOf: "id: \(change.position)\nevent: change\ndata: ".utf8)
            bytes.append(contentsOf: ChangesList.Change(change).json)
            bytes.append(contentsOf: "\n\n".utf8)
        }
        return bytes
    }

    private static func refusal(_ current: LogPosition) -> String {
        let data: JSONValue = [
            "reason": .string(ErrorReason.positionNotReached.rawValue), "position": .string(current.description),
        ]
        return "event: refused\ndata: \(String(decoding: data.serialized(), as: UTF8.self))\n\n"
    }
}
