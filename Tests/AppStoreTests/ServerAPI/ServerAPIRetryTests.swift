import AppStore
import EntitlementDomain
import JSON
import Testing

/// What is repeated, when, and when it is given up.
struct ServerAPIRetryTests {
    private static let good = ServerAPIReply.json(["testNotificationToken": "token"])

    private func call(_ desk: APIDesk) async -> ServerAPIError? {
        await serverAPIError { () async throws(ServerAPIError) in
            _ = try await desk.client.requestTestNotification(in: .production)
        }
    }

    @Test(arguments: ServerAPIErrorCode.allCases)
    func everyCodeIsRepeatedOrNotAsItSays(code: ServerAPIErrorCode) async throws {
        let desk = try APIDesk(ScriptedTransport(.error(code.rawValue), Self.good))
        let error = await call(desk)
        if code.isRetryable {
            #expect(error == nil)
            #expect(desk.transport.calls.count == 2)
            #expect(desk.time.waits == [.milliseconds(500)])
        } else {
            #expect(error?.code == code)
            #expect(desk.transport.calls.count == 1)
            #expect(error?.isTemporary == false)
        }
    }

    @Test func anUnknownCodeIsKeptWithItsMessage() async throws {
        let desk = try APIDesk(ScriptedTransport(.error(4_009_999)))
        guard case .refused(let refusal) = await call(desk) else {
            Issue.record("not refused")
            return
        }
        #expect(refusal == ServerAPIRefusal(status: 400, code: 4_009_999, message: "words"))
        #expect(refusal.known == nil)
        #expect(!refusal.isRetryable)
    }

    @Test(arguments: [500, 502, 503, 504])
    func aFailureOfTheServerWithoutACodeIsRepeated(status: Int) async throws {
        let desk = try APIDesk(ScriptedTransport(ServerAPIReply(status: status, body: Array("<html>".utf8)), Self.good))
        #expect(await call(desk) == nil)
        #expect(desk.transport.calls.count == 2)
    }

    @Test(arguments: [400, 403, 404, 302])
    func anotherStatusWithoutACodeIsNot(status: Int) async throws {
        let desk = try APIDesk(ScriptedTransport(ServerAPIReply(status: status)))
        #expect(await call(desk) == .refused(ServerAPIRefusal(status: status)))
        #expect(desk.transport.calls.count == 1)
    }

    @Test func waitsGrowToTheirLimitAndThenTheCallFails() async throws {
        let desk = try APIDesk(ScriptedTransport([.failure(.unreachable("no network"))]))
        #expect(await call(desk) == .unreachable("no network"))
        #expect(desk.time.waits == [500, 1_000, 2_000, 4_000].map { .milliseconds($0) })
    }

    @Test func chanceTakesUpToHalfOfAWait() {
        let retries = ServerAPIRetries(firstWait: .seconds(1), longestWait: .seconds(8))
        #expect(retries.wait(after: 1, random: 0) == .seconds(1))
        #expect(retries.wait(after: 1, random: 0.5) == .milliseconds(750))
        #expect(retries.wait(after: 3, random: 0) == .seconds(4))
        #expect(retries.wait(after: 4, random: 0) == .seconds(8))
        #expect(retries.wait(after: 1_000, random: 0) == .seconds(8))
        #expect(retries.wait(after: 9, random: 0.999) > .seconds(4))
    }

    // MARK: Rate limits

    @Test func retryAfterIsAnInstantInMilliseconds() async throws {
        let until = SigningDesk.now.advanced(byMilliseconds: 7_250)
        let limited = ServerAPIReply(status: 429, retryAfter: "\(until.milliseconds)", body: Self.good.body)
        let desk = try APIDesk(ScriptedTransport(limited, Self.good))
        #expect(await call(desk) == nil)
        #expect(desk.time.waits == [.milliseconds(7_250)])
    }

    @Test func aLimitFarAwayIsReportedAndNotWaitedFor() async throws {
        let until = SigningDesk.now.advanced(byMilliseconds: 3_600_000)
        let desk = try APIDesk(ScriptedTransport(ServerAPIReply(status: 429, retryAfter: "\(until.milliseconds)")))
        #expect(await call(desk) == .rateLimited(until: until))
        #expect(desk.time.waits.isEmpty)
    }

    @Test(arguments: [nil, "soon", "Wed, 21 Oct 2026 07:28:00 GMT"])
    func withoutAUsableInstantTheUsualWaitsHold(text: String?) async throws {
        let desk = try APIDesk(ScriptedTransport(ServerAPIReply(status: 429, retryAfter: text), Self.good))
        #expect(await call(desk) == nil)
        #expect(desk.time.waits == [.milliseconds(500)])
    }

    @Test func anInstantInThePastIsNotWaitedFor() async throws {
        let desk = try APIDesk(ScriptedTransport(ServerAPIReply(status: 429, retryAfter: "120"), Self.good))
        #expect(await call(desk) == nil)
        #expect(desk.time.waits == [.zero])
    }

    // MARK: Tokens

    @Test func aRefusedTokenIsReplacedOnce() async throws {
        let desk = try APIDesk(ScriptedTransport(ServerAPIReply(status: 401), Self.good))
        #expect(await call(desk) == nil)
        let tokens = desk.transport.calls.map { $0.headers["Authorization"] }
        #expect(tokens.count == 2)
        #expect(tokens[0] != tokens[1])
    }

    @Test func twoRefusedTokensAreAnAnswer() async throws {
        let desk = try APIDesk(ScriptedTransport(ServerAPIReply(status: 401)))
        #expect(await call(desk) == .unauthorized)
        #expect(desk.transport.calls.count == 2)
    }

    // MARK: Calls that must not happen twice

    private func extend(_ desk: APIDesk) async -> ServerAPIError? {
        await serverAPIError { () async throws(ServerAPIError) in
            let wish = RenewalExtension(days: 3, reason: .serviceIssue, requestIdentifier: "request")
            _ = try await desk.client.extendRenewalDate(of: "1001", wish, in: .production)
        }
    }

    @Test func anExtensionIsNotRepeatedWhenItsFateIsUnknown() async throws {
        let lost = try APIDesk(ScriptedTransport([.failure(.unreachable("cut"))]))
        #expect(await extend(lost) == .unreachable("cut"))
        #expect(lost.transport.calls.count == 1)
        let broken = try APIDesk(ScriptedTransport(ServerAPIReply(status: 502)))
        #expect(await extend(broken) == .refused(ServerAPIRefusal(status: 502)))
        #expect(broken.transport.calls.count == 1)
    }

    @Test func anExtensionIsRepeatedWhenItCertainlyHadNoEffect() async throws {
        let until = SigningDesk.now.advanced(byMilliseconds: 1_000)
        let desk = try APIDesk(
            ScriptedTransport(
                ServerAPIReply(status: 429, retryAfter: "\(until.milliseconds)"),
                .error(4_040_006),
                .json(["success": true, "originalTransactionId": "1001", "effectiveDate": 1_775_260_800_000])
            )
        )
        #expect(await extend(desk) == nil)
        #expect(desk.transport.calls.count == 3)
    }

    @Test func cancellingEndsTheWaiting() async throws {
        let desk = try APIDesk(ScriptedTransport([.failure(.cancelled)]))
        #expect(await call(desk) == .cancelled)
        #expect(desk.transport.calls.count == 1)
    }
}
