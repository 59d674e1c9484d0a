package import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A running service, reached over HTTP.
package struct HTTPStoryService: StoryService {
    /// The longest wait for one response.
    private static let timeoutSeconds: TimeInterval = 10

    private let url: URL
    private let key: String

    /// The service at a base URL such as `http://127.0.0.1:8080`, called with an API key that may submit and read.
    package init(url: URL, key: String) {
        self.url = url
        self.key = key
    }

    package func post(_ body: [UInt8], to path: String) async throws -> (status: Int, body: [UInt8]) {
        var request = URLRequest(url: url.appending(path: path))
        request.httpMethod = "POST"
        request.timeoutInterval = Self.timeoutSeconds
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if path == "/rpc" { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
        request.httpBody = Data(body)
        let data: Data
        let response: URLResponse
        do {
            (data, response) = try await URLSession.shared.data(for: request)
        } catch let error as URLError {
            throw StoryError.unreachable(url: url.absoluteString, reason: error.localizedDescription)
        }
        guard let response = response as? HTTPURLResponse else {
            throw StoryError.unreachable(url: url.absoluteString, reason: "the response is not HTTP")
        }
        return (response.statusCode, [UInt8](data))
    }
}
