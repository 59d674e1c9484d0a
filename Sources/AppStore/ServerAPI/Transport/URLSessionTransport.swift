import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with Foundation's URLSession, whose I/O takes place on threads of its own. No cookies, no cache, no
/// redirects.
package final class URLSessionTransport: ServerAPITransport {
    /// The longest response taken: a page of 20 notifications has some 300 KiB.
    package static let maximumBytes = 8 * 1_024 * 1_024

    private let session: URLSession

    /// - Parameter timeout: the longest wait for a response.
    package init(timeout: Duration = .seconds(30)) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = TimeInterval(timeout.components.seconds)
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        session = URLSession(configuration: configuration, delegate: RedirectRefusal(), delegateQueue: nil)
    }

    deinit {
        // The session holds its delegate until it is invalidated.
        session.finishTasksAndInvalidate()
    }

    package func send(_ call: ServerAPICall) async throws(ServerAPITransportFailure) -> ServerAPIReply {
        guard let url = URL(string: call.url) else { throw .unreachable("'\(call.url)' is no address") }
        var request = URLRequest(url: url)
        request.httpMethod = call.method
        for (name, value) in call.headers { request.setValue(value, forHTTPHeaderField: name) }
        if let body = call.body { request.httpBody = Data(body) }
        let (data, response): (Data, URLResponse)
        do {
            (data, response) = try await session.data(for: request)
        } catch {
            throw Self.failure(error, host: url.host ?? call.url)
        }
        guard let response = response as? HTTPURLResponse else { throw .unreachable("the response is not HTTP") }
        guard data.count <= Self.maximumBytes else { throw .tooLarge(limit: Self.maximumBytes) }
        return ServerAPIReply(
            status: response.statusCode,
            retryAfter: response.value(forHTTPHeaderField: "Retry-After"),
            date: response.value(forHTTPHeaderField: "Date"),
            body: [UInt8](data)
        )
    }

    private static func failure(_ error: any Error, host: String) -> ServerAPITransportFailure {
        if error is CancellationError { return .cancelled }
        guard let error = error as? URLError else { return .unreachable("\(host): \(error)") }
        if error.code == .cancelled { return .cancelled }
        return .unreachable("\(host): \(error.localizedDescription)")
    }

    /// Takes a redirect as the response that it is.
    private final class RedirectRefusal: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession,
            task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest,
            completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }
    }
}
