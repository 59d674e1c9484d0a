package import EntitlementDomain
import JSON
import X509

/// Tells the believable life of an account to a running service, and shows what the service makes of it.
package struct Story: Sendable {
    /// What is left when it is told.
    package struct Outcome: Sendable, Hashable {
        package let account: AccountID
        /// The number of statements sent.
        package let statements: Int
        /// What the service says at the end: `entitlements.get`, without white space.
        package let answer: String
    }

    private let service: any StoryService
    private let signer: StatementSigner
    private let setting: StorySetting
    private let cast: StoryCast?

    /// A story for a service that trusts the root of the signer's chain.
    ///
    /// - Parameter cast: the products; nil: they are chosen from the catalog of the service.
    package init(
        service: any StoryService,
        signer: StatementSigner,
        setting: StorySetting,
        cast: StoryCast? = nil
    ) {
        self.service = service
        self.signer = signer
        self.setting = setting
        self.cast = cast
    }

    /// Tells it.
    ///
    /// - Parameter say: takes the lines for people: what happens, and after it the service's answer for that day.
    /// - Throws: `StoryError`, and whatever reaching the service throws.
    package func play(say: (String) -> Void) async throws -> Outcome {
        let script = StoryScript(setting, cast: try await chosenCast())
        say("account \(setting.account)")
        for step in script.steps {
            try await send(step)
            say("\(day(step.at))  \(step.words)")
            say("            " + StoryAnswer(try await ask(at: step.at)).text)
        }
        let answer = try await ask(at: nil)
        say("today       " + StoryAnswer(answer).text)
        return Outcome(account: setting.account, statements: script.steps.count, answer: answer.description)
    }

    private func chosenCast() async throws -> StoryCast {
        if let cast { return cast }
        let result = try await call("catalog.get", JSONObject())
        guard let cast = StoryCast(catalog: result["catalog"] ?? result) else { throw StoryError.noMonthlyPlan }
        return cast
    }

    private func send(_ step: StoryStep) async throws {
        switch step.statement {
        case .upload(let upload):
            _ = try await call(
                "transactions.submit",
                [
                    "signedTransaction": .string(try signer.sign(upload.transaction)),
                    "account": .string(setting.account.description),
                ]
            )
        case .notification(let notification):
            let body = try notification.body(signInner: signer.sign)
            let (status, _) = try await service.post(body, to: "/appstore/notifications")
            guard status == 200 else { throw StoryError.notificationRefused(status: status, step: step.words) }
        }
    }

    private func ask(at instant: Instant?) async throws -> JSONValue {
        var params: JSONObject = ["account": .string(setting.account.description)]
        if setting.environment != .production { params["environment"] = .string(setting.environment.rawValue) }
        if let instant { params["at"] = .string(instant.iso8601) }
        return try await call("entitlements.get", params)
    }

    private func call(_ method: String, _ params: JSONObject) async throws -> JSONValue {
        let body = ScenarioCall(method: method, params: params).body()
        let (status, response) = try await service.post(body, to: "/rpc")
        guard let response = try? JSONParser.parse(response) else {
            throw StoryError.strangeResponse(method: method, status: status)
        }
        if let error = response["error"] {
            throw StoryError.callFailed(method: method, message: error["message"]?.stringValue ?? error.description)
        }
        guard let result = response["result"] else {
            throw StoryError.strangeResponse(method: method, status: status)
        }
        return result
    }

    private func day(_ instant: Instant) -> String {
        String(instant.iso8601.prefix(10))
    }
}
