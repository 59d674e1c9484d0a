import AppStore
import JSON

/// One notification on its way.
struct NotificationDelivery: Sendable {
    let url: String
    let text: String

    /// Posts it.
    ///
    /// - Returns: the result as the API names it (App Store Server API, sendAttemptResult).
    func post(with transport: any ServerAPITransport) async -> String {
        let call = ServerAPICall(
            method: "POST",
            url: url,
            headers: ["Content-Type": "application/json", "User-Agent": "App Store Simulator"],
            body: JSONValue.object(["signedPayload": .string(text)]).serialized()
        )
        do throws(ServerAPITransportFailure) {
            let reply = try await transport.send(call)
            // No other status counts as received, redirects included.
            return (200...206).contains(reply.status) ? "SUCCESS" : "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
        } catch {
            if case .tooLarge = error { return "INVALID_RESPONSE" }
            return "NO_RESPONSE"
        }
    }
}
