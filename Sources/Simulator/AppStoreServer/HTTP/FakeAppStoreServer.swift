import EntitlementDomain
package import HTTPServer

/// A fake App Store over HTTP: `/production/inApps/…` and `/sandbox/inApps/…` stand for Apple's two hosts, `/control` takes
/// commands.
package struct FakeAppStoreServer: HTTPHandler {
    private let store: FakeAppStore

    package init(_ store: FakeAppStore) {
        self.store = store
    }

    package func reply(to request: HTTPRequest) -> HTTPReply {
        let segments = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        let authorization = request.header("authorization")
        let query = request.queryItems.map { (name: $0.name, value: $0.value ?? "") }
        switch segments.first {
        case "production", "sandbox":
            // Signing a page takes some milliseconds, so not on the thread that serves connections.
            return .later { [store] in
                Self.response(
                    store.answer(
                        method: request.method.description,
                        path: Array(segments.dropFirst()),
                        query: query,
                        authorization: authorization,
                        body: request.body,
                        in: segments.first == "sandbox" ? .sandbox : .production
                    )
                )
            }
        case "control" where request.method == .post:
            return .later { [store] in
                let answer = await FakeControl(store: store).answer(request.body)
                return HTTPResponse(HTTPStatus(answer.status), type: "application/json", body: answer.body)
            }
        default: return .now(HTTPResponse(.notFound))
        }
    }

    private static func response(_ reply: FakeReply) -> HTTPResponse {
        var headers = [HTTPField("Content-Type", "application/json")]
        if let until = reply.answer.retryAfter { headers.append(HTTPField("Retry-After", "\(until)")) }
        if let location = reply.location { headers.append(HTTPField("Location", location)) }
        let body = reply.answer.body
        guard reply.isCut else {
            return HTTPResponse(HTTPStatus(reply.answer.status), headers: headers, body: body)
        }
        return HTTPResponse(HTTPStatus(reply.answer.status), headers: headers) { writer in
            try await writer.write(Array(body.prefix(body.count / 2)))
            throw Cut()
        }
    }

    /// Ends a response before its end.
    private struct Cut: Error {}
}
