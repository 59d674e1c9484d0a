import EntitlementAPI
import EntitlementDomain
import HTTPServer
import JSON
import JSONRPC
import X509

/// `GET /accounts/{uuid}/entitlements`: `entitlements.get` as plain HTTP, for caches near the users.
///
/// The body is the result of `entitlements.get` without `position` and `at`, so it is the same bytes, under the same entity
/// tag, as long as nothing has changed; the position stands in a header. No cache may keep it past the next instant at which
/// the clock can change it, nor longer than a minute, in which an event may.
struct EntitlementsDoor: Sendable {
    /// The longest that a cache may keep an answer, in seconds.
    private static let maximumAge: Int64 = 60

    let lookups: Lookups
    let doorkeeper: Doorkeeper

    /// The text between `/accounts/` and `/entitlements`; nil for another path.
    static func account(inPath path: String) -> Substring? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].isEmpty, parts[1] == "accounts", !parts[2].isEmpty, parts[3] == "entitlements"
        else { return nil }
        return parts[2]
    }

    func reply(to request: HTTPRequest) -> HTTPReply {
        let authorization = request.header("authorization")
        let known = request.header("if-none-match")
        let account = Self.account(inPath: request.path).map(String.init) ?? ""
        let query = request.queryItems
        return .later {
            await doorkeeper.admit(authorization, to: EntitlementsGet.self) { method throws(JSONRPCError) in
                let parameters = try method.parameters(from: try Self.params(account, query))
                return Self.response(try await lookups.entitlements(parameters), parameters, known: known)
            }
        }
    }

    /// Path and query as the parameters of the method.
    private static func params(_ account: String, _ query: [HTTPQueryItem]) throws(JSONRPCError) -> JSONValue {
        let known = ["environment", "at", "knownAt", "minPosition", "waitMs"]
        var params: JSONObject = ["account": .string(account)]
        for item in query {
            guard known.contains(item.name) else {
                throw ParameterReader.invalid(
                    item.name,
                    "there is no parameter \"\(item.name.prefix(64))\"; known: \(known.joined(separator: ", "))"
                )
            }
            let text = item.value ?? ""
            // Numbers come as text in a query.
            let isNumber = ["waitMs", "at", "knownAt"].contains(item.name)
            params.set(
                item.name,
                isNumber ? Int64(text).map { .number(JSONNumber($0)) } ?? .string(text) : .string(text)
            )
        }
        return .object(params)
    }

    private static func response(
        _ snapshot: SnapshotResponse,
        _ parameters: EntitlementsGet.Parameters,
        known: String?
    ) -> HTTPResponse {
        let body = snapshot.stableJSON
        let tag = "\"\(Hexadecimal.text(Array(SHA256.hash(body).bytes.prefix(16))))\""
        let isNow = parameters.at == nil && parameters.key.knownAt == nil
        let headers = [
            HTTPField("ETag", tag),
            HTTPField(
                "Cache-Control",
                isNow ? "private, max-age=\(maximumAge(of: snapshot.answer))" : "private, no-store"
            ),
            HTTPField("Vary", "Authorization"),
            HTTPField("Entitled-Position", snapshot.position.description),
        ]
        // With the body, which a 304 never sends, so that its Content-Length is right (RFC 9110 section 8.6).
        if let known, matches(known, tag) { return HTTPResponse(304, headers: headers, body: body) }
        return HTTPResponse(type: "application/json", headers: headers, body: body)
    }

    /// Seconds, rounded down, so that nothing outlives the next change.
    private static func maximumAge(of answer: Answer) -> Int64 {
        guard let next = answer.nextChangeAt else { return maximumAge }
        return min(maximumAge, max(0, (next.milliseconds - answer.instant.milliseconds) / 1_000))
    }

    /// Whether `If-None-Match` names the tag (RFC 9110 section 13.1.2; the comparison is the weak one).
    private static func matches(_ field: String, _ tag: String) -> Bool {
        field.split(separator: ",").contains { part in
            var part = part.drop { $0 == " " || $0 == "\t" }
            while part.last == " " || part.last == "\t" { part.removeLast() }
            if part.hasPrefix("W/") { part = part.dropFirst(2) }
            return part == "*" || part == tag
        }
    }
}
