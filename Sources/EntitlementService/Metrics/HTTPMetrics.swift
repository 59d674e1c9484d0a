import HTTPServer
import Synchronization

/// Counts HTTP requests by path and status.
final class HTTPMetrics: Sendable {
    private struct Series: Hashable {
        var route: HTTPRoute
        var status: Int
    }

    /// Requests answered 200, by route: the usual case needs no lock.
    private let fine: InlineArray<16, Atomic<UInt64>> = InlineArray { _ in Atomic(0) }
    private let others = Mutex<[Series: UInt64]>([:])

    func count(_ route: HTTPRoute, _ status: HTTPStatus) {
        if status == .ok {
            fine[route.rawValue].add(1, ordering: .relaxed)
        } else {
            others.withLock { $0[Series(route: route, status: status.code), default: 0] += 1 }
        }
    }

    var family: MetricFamily {
        var family = MetricFamily("entitled_http_requests_total", .counter, "HTTP requests by path and status.")
        let others = others.withLock { $0 }
        for route in HTTPRoute.allCases {
            let count = fine[route.rawValue].load(ordering: .relaxed)
            if count > 0 { family.add([("path", route.label), ("status", "200")], Double(count)) }
            for (series, count) in others.filter({ $0.key.route == route }).sorted(by: { $0.key.status < $1.key.status }
            ) {
                family.add([("path", route.label), ("status", "\(series.status)")], Double(count))
            }
        }
        return family
    }

    /// When the certificate ends; nothing for plain HTTP.
    static func families(_ validity: TLSValidity?) -> [MetricFamily] {
        guard let validity else { return [] }
        return [
            MetricFamily(
                "entitled_tls_not_after_timestamp_seconds",
                .gauge,
                "When the certificate that is served ends, in seconds since 1970.",
                Double(validity.notAfter)
            )
        ]
    }

    /// What the server below counts, which sees also what never becomes a request.
    static func families(_ counters: HTTPServerCounters) -> [MetricFamily] {
        [
            MetricFamily(
                "entitled_http_connections_total",
                .counter,
                "Connections accepted.",
                Double(counters.connections)
            ),
            MetricFamily(
                "entitled_http_open_connections",
                .gauge,
                "Connections that are open.",
                Double(counters.openConnections)
            ),
            MetricFamily(
                "entitled_http_requests_in_flight",
                .gauge,
                "Requests that are being read or answered.",
                Double(counters.requestsInFlight)
            ),
            MetricFamily(
                "entitled_http_refused_requests_total",
                .counter,
                "Requests refused for their size or form before anything looked at them.",
                Double(counters.refusedRequests)
            ),
            MetricFamily(
                "entitled_http_slow_clients_total",
                .counter,
                "Connections cut because a request took too long to arrive.",
                Double(counters.slowClients)
            ),
            MetricFamily(
                "entitled_http_request_bytes_total",
                .counter,
                "Bytes of request bodies.",
                Double(counters.requestBodyBytes)
            ),
            MetricFamily(
                "entitled_http_response_bytes_total",
                .counter,
                "Bytes of response bodies.",
                Double(counters.responseBodyBytes)
            ),
        ]
    }
}
