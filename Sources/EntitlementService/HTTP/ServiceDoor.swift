import HTTPServer

/// Stands before the paths: gives each request its id, and counts it.
struct ServiceDoor: HTTPHandler {
    let router: ServiceRouter
    let metrics: ServiceMetrics
    /// Whether also calls that are answered at once have a line in the log, which needs their id.
    let isVerbose: Bool

    func reply(to request: HTTPRequest) -> HTTPReply {
        let route = HTTPRoute(request.path)
        let given = RequestID.given(request.header(RequestID.field))
        let reply: HTTPReply
        var trace: RequestTrace?
        if isVerbose {
            let new = RequestTrace(id: given ?? RequestID.make())
            trace = new
            reply = RequestTrace.$current.withValue(new) { router.reply(to: request) }
        } else {
            reply = router.reply(to: request)
        }
        switch reply {
        case .now(var response):
            metrics.http.count(route, response.status)
            // An id that is written nowhere is made for nobody.
            if let id = given ?? trace?.id { response.headers.append(HTTPField(RequestID.field, id)) }
            return .now(response)
        case .called(let begin):
            let id = given ?? trace?.id
            return .called { [metrics] respond in
                begin { response in
                    var response = response
                    metrics.http.count(route, response.status)
                    if let id { response.headers.append(HTTPField(RequestID.field, id)) }
                    respond(response)
                }
            }
        case .later(let work):
            let trace = trace ?? RequestTrace(id: given ?? RequestID.make())
            return .later { [metrics] in
                var response = await RequestTrace.$current.withValue(trace) { await work() }
                metrics.http.count(route, response.status)
                response.headers.append(HTTPField(RequestID.field, trace.id))
                return response
            }
        }
    }
}
