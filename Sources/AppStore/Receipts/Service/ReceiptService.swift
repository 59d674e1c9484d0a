package import EntitlementDomain
import JSON

/// Asks verifyReceipt, which the App Store still answers though it is deprecated: the way out for receipts that cannot be
/// verified here, such as those of single transactions that iOS 6 made.
///
/// Production is asked first; the service itself says when a receipt is of the other one (21007, 21008). Each is asked
/// for a receipt once, and once more after a passing trouble.
package struct ReceiptService: Sendable {
    private let transport: any ServerAPITransport
    private let hosts: ReceiptServiceHosts
    private let sharedSecret: String?
    private let pause: @Sendable () async -> Void

    private static let tries = 2

    /// - Parameters:
    ///   - sharedSecret: the app's or the account's; needed for subscriptions.
    ///   - pause: the wait before the second try.
    package init(
        transport: any ServerAPITransport,
        hosts: ReceiptServiceHosts = ReceiptServiceHosts(),
        sharedSecret: String?,
        pause: @escaping @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(1)) }
    ) {
        self.transport = transport
        self.hosts = hosts
        self.sharedSecret = sharedSecret
        self.pause = pause
    }

    /// What the App Store says of a receipt.
    ///
    /// - Parameter text: the receipt in base64.
    /// - Throws: ``ReceiptServiceError``.
    package func verify(_ text: String, now: Instant) async throws(ReceiptServiceError) -> ReceiptServiceAnswer {
        let first = try await ask(hosts.production, text)
        if first.status.kind != .ofSandbox { return try answer(first, isSandbox: false, now: now) }
        let second = try await ask(hosts.sandbox, text)
        if second.status.kind != .ofProduction { return try answer(second, isSandbox: true, now: now) }
        // Each says that it is the other's: the last word is production's.
        return try answer(try await ask(hosts.production, text), isSandbox: false, now: now)
    }

    private typealias Reply = (status: ReceiptServiceStatus, body: JSONObject)

    private func answer(
        _ reply: Reply,
        isSandbox: Bool,
        now: Instant
    ) throws(ReceiptServiceError) -> ReceiptServiceAnswer {
        guard reply.status.hasReceipt else { throw .refused(reply.status) }
        return try ReceiptServiceAnswer(reply.body, isSandbox: isSandbox, now: now)
    }

    private func ask(_ host: String, _ text: String) async throws(ReceiptServiceError) -> Reply {
        for _ in 1..<Self.tries {
            do throws(ReceiptServiceError) {
                let reply = try await askOnce(host, text)
                if !reply.status.isRetryable { return reply }
            } catch {
                guard error.isRetryable else { throw error }
            }
            await pause()
        }
        return try await askOnce(host, text)
    }

    private func askOnce(_ host: String, _ text: String) async throws(ReceiptServiceError) -> Reply {
        var body: JSONObject = ["receipt-data": .string(text), "exclude-old-transactions": false]
        if let sharedSecret { body["password"] = .string(sharedSecret) }
        let reply: ServerAPIReply
        do throws(ServerAPITransportFailure) {
            reply = try await transport.send(
                ServerAPICall(
                    method: "POST",
                    url: host + "/verifyReceipt",
                    headers: ["Content-Type": "application/json", "Accept": "application/json"],
                    body: JSONValue.object(body).serialized()
                )
            )
        } catch {
            if case .tooLarge = error { throw .malformedAnswer(error.description) }
            throw .unreachable(error.description)
        }
        switch reply.status {
        case 200: break
        case 429, 500...599: throw .unreachable("HTTP status \(reply.status)")
        default: throw .malformedAnswer("HTTP status \(reply.status)")
        }
        guard let object = (try? JSONParser.parse(reply.body))?.objectValue else {
            throw .malformedAnswer("it is no JSON object")
        }
        guard let code = object["status"]?.int64Value ?? object["status"]?.stringValue.flatMap({ Int64($0) }) else {
            throw .malformedAnswer("it has no status")
        }
        let stated = object["is-retryable"] ?? object["is_retryable"]
        let retryable = stated?.boolValue ?? stated?.stringValue.map { $0 == "true" || $0 == "1" }
        return (ReceiptServiceStatus(code, statedRetryable: retryable), object)
    }
}
