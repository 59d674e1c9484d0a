import EntitlementDomain
import JSON

/// Takes a response apart, and verifies the signed texts in it.
struct ResponseReader {
    let object: JSONObject
    let environment: StoreEnvironment
    let reader: StatementReader
    let now: Instant

    /// Throws ``ServerAPIError/malformedResponse(_:)`` when the body is no JSON object.
    init(
        _ body: [UInt8],
        environment: StoreEnvironment,
        reader: StatementReader,
        now: Instant
    ) throws(ServerAPIError) {
        guard let object = (try? JSONParser.parse(body))?.objectValue else {
            throw .malformedResponse("the body is no JSON object")
        }
        self.object = object
        self.environment = environment
        self.reader = reader
        self.now = now
    }

    /// A member that the documentation promises.
    func text(_ key: String) throws(ServerAPIError) -> String {
        guard let text = object[key]?.stringValue else { throw .malformedResponse("\(key) is missing or no text") }
        return text
    }

    /// A list; absent counts as empty.
    func list(_ key: String) throws(ServerAPIError) -> [JSONValue] {
        guard let value = object[key], !value.isNull else { return [] }
        guard let list = value.arrayValue else { throw .malformedResponse("\(key) is no array") }
        return list
    }

    /// A signed transaction that has to be good, with the renewal info beside it.
    func statement(_ text: String, renewalInfo: String? = nil) throws(ServerAPIError) -> Statement {
        do {
            return try checked(text, renewalInfo: renewalInfo)
        } catch {
            throw .untrusted(error)
        }
    }

    /// One entry of a list: a bad one spoils none of the others.
    func part(_ text: String, renewalInfo: String? = nil) -> SignedResponsePart {
        do {
            return SignedResponsePart(text: text, result: .success(try checked(text, renewalInfo: renewalInfo)))
        } catch {
            return SignedResponsePart(text: text, result: .failure(error))
        }
    }

    /// The signed transactions of a page.
    func transactions() throws(ServerAPIError) -> [SignedResponsePart] {
        var parts: [SignedResponsePart] = []
        for value in try list("signedTransactions") {
            guard let text = value.stringValue else { throw .malformedResponse("a signed transaction is no text") }
            parts.append(part(text))
        }
        return parts
    }

    /// A notification as it was sent the first time.
    func notification(_ text: String) -> SignedResponsePart {
        do {
            let statement = try reader.readNotification(signedPayload: text, source: .api, now: now)
            return SignedResponsePart(text: text, result: .success(statement))
        } catch {
            return SignedResponsePart(text: text, result: .failure(error))
        }
    }

    /// How Apple tried to deliver a notification.
    static func attempts(_ value: JSONValue?) -> [SendAttempt] {
        (value?.arrayValue ?? []).compactMap { attempt in
            attempt.objectValue.map { object in
                var members = MemberReader(object)
                return SendAttempt(at: members.instant("attemptDate"), result: members.text("sendAttemptResult") ?? "")
            }
        }
    }

    private func checked(_ text: String, renewalInfo: String?) throws(StatementError) -> Statement {
        let statement = try reader.readUpload(
            signedTransaction: text,
            signedRenewalInfo: renewalInfo,
            source: .api,
            now: now
        )
        guard statement.environment == environment else {
            throw StatementError(
                .wrongEnvironment,
                "The API of \(environment.rawValue) answered with a transaction of \(statement.environment.rawValue)."
            )
        }
        return statement
    }
}
