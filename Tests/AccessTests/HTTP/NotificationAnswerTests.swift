import EntitlementService
import HTTPServer
import JSON
import Testing

/// What HTTP says where JSON-RPC says nothing.
struct NotificationAnswerTests {
    private static let notification: JSONValue = [
        "jsonrpc": "2.0", "method": "entitlements.get", "params": ["account": .string(TestService.account)],
    ]

    /// Client libraries that take 200 alone for success were seen to fail with 204.
    @Test(arguments: [notification, [notification, notification]])
    func aNotificationIsAnsweredWithStatus200AndNoBody(body: JSONValue) async throws {
        try await TestService.with { service in
            let headers = [HTTPField("Authorization", "Bearer \(service.key.text)")]
            let response = await service.send(
                HTTPRequest(method: .post, target: "/rpc", headers: headers, body: body.serialized())
            )
            #expect(response.status == .ok)
            #expect(response.bytes.isEmpty)
        }
    }
}
