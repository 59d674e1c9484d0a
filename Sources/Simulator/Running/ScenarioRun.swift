import EntitlementDomain
import JSON

/// One scenario played in one order against one target.
struct ScenarioRun {
    /// Refusals that depend on what came before: in another order, or the second time, an accepted call may rightly
    /// meet them.
    private static let orderDependentReasons: Set<String> = ["ownershipConflict", "insufficientBalance", "notFound"]

    let scenario: PreparedScenario
    let order: [Int]
    let target: any ScenarioTarget
    private(set) var failures: [ScenarioFailure] = []
    private var pass = 1
    /// The latest `at` delivered so far: the clock of deliveries never runs backwards.
    private var clock = Instant.distantPast

    init(_ scenario: PreparedScenario, order: [Int], target: any ScenarioTarget) {
        self.scenario = scenario
        self.order = order
        self.target = target
    }

    private var isListed: Bool { order == Array(order.indices) }

    /// Plays it; afterwards `failures` holds what went wrong.
    mutating func play() async {
        do {
            try await target.reset(scenario.setup)
        } catch {
            fail("the service", expected: "to start with the file's catalog and policy", got: "\(error)")
            return
        }
        for number in 1...(scenario.file.repeats ? 2 : 1) {
            pass = number
            for index in order {
                let delivery = scenario.deliveries[index]
                await deliver(delivery)
                guard isListed, pass == 1 else { continue }
                for expectation in scenario.file.expectations where expectation.after == delivery.id {
                    await ask(expectation)
                }
            }
            for expectation in scenario.file.expectations where expectation.after == nil {
                await ask(expectation)
            }
        }
    }

    // MARK: Deliveries

    private mutating func deliver(_ delivery: SignedDelivery) async {
        clock = max(clock, delivery.at)
        await target.setClock(clock)
        do {
            let before = delivery.answer.isRefused ? try await target.eventCount() : 0
            switch delivery.request {
            case .notification(let body): check(try await target.notify(body), delivery)
            case .call(let call): check(try await target.call(call.method, .object(call.params)), delivery)
            }
            guard delivery.answer.isRefused else { return }
            let after = try await target.eventCount()
            if after != before {
                fail(delivery, expected: "nothing appended", got: "\(after - before) more events in the log")
            }
        } catch {
            fail(delivery, expected: "an answer", got: "\(error)")
        }
    }

    private mutating func check(_ status: Int, _ delivery: SignedDelivery) {
        let answer = delivery.answer
        if let expected = answer.http ?? (answer.isRefused ? nil : 200) {
            if status != expected { fail(delivery, expected: "HTTP \(expected)", got: "HTTP \(status)") }
        } else if !(400...499).contains(status) {
            fail(delivery, expected: "a refusal (HTTP 4xx)", got: "HTTP \(status)")
        }
    }

    private mutating func check(_ result: ScenarioCallResult, _ delivery: SignedDelivery) {
        let answer = delivery.answer
        switch result {
        case .result(let value):
            if answer.isRefused {
                fail(delivery, expected: "a refusal (any error)", got: value.description)
            } else if let reason = answer.error {
                if isListed { fail(delivery, expected: "the error \(reason)", got: value.description) }
            } else if let expected = answer.result, isListed, pass == 1 {
                contain(expected, value, at: "delivery \(delivery.id)")
            }
        case .failure(let code, let reason, let message):
            let name = ScenarioCallResult.reason(code: code, reason: reason)
            let got = "the error \(name): \(message)"
            if let expected = answer.error {
                if isListed && name != expected { fail(delivery, expected: "the error \(expected)", got: got) }
            } else if !answer.isRefused {
                let isExcused = !(isListed && pass == 1) && Self.orderDependentReasons.contains(name)
                if !isExcused { fail(delivery, expected: "no error", got: got) }
            }
        }
    }

    // MARK: Expectations

    private mutating func ask(_ expectation: ScenarioExpectation) async {
        await target.setClock(expectation.at)
        for check in expectation.checks {
            let place = expectation.place(of: check)
            do {
                switch check {
                case .entitlement(let id, let values):
                    let result = try await result(of: expectation.question, at: place)
                    let entries = try Self.entries(of: result, at: place)
                    let none: JSONValue = ["active": false, "state": "none"]
                    contain(.object(values), entries.first { $0["entitlement"]?.stringValue == id } ?? none, at: place)
                case .balances(let balances):
                    let result = try await result(of: expectation.question, at: place)
                    contain(.object(balances), Self.balances(of: result, asked: balances), at: place)
                case .result(let call, let values):
                    contain(values, try await result(of: call, at: place), at: place)
                case .failure(let call, let expected):
                    try await demand(expected, of: call, at: place)
                case .eventTypes(let types):
                    guard isListed else { continue }
                    let result = try await result(of: expectation.logQuestion, at: place)
                    let found = (result["events"]?.arrayValue ?? []).map { $0["type"] ?? .null }
                    contain(.array(types.map(JSONValue.string)), .array(found), at: place)
                }
            } catch let failure as ScenarioFailure {
                failures.append(failure)
            } catch {
                fail(place, expected: "an answer", got: "\(error)")
            }
        }
    }

    private func result(of call: ScenarioCall, at place: String) async throws -> JSONValue {
        switch try await target.call(call.method, .object(call.params)) {
        case .result(let value): return value
        case .failure(let code, let reason, let message):
            let name = ScenarioCallResult.reason(code: code, reason: reason)
            throw failure(place, expected: "a result of \(call.method)", got: "the error \(name): \(message)")
        }
    }

    private mutating func demand(_ expected: String, of call: ScenarioCall, at place: String) async throws {
        switch try await target.call(call.method, .object(call.params)) {
        case .result(let value):
            fail(place, expected: "the error \(expected)", got: value.description)
        case .failure(let code, let reason, let message):
            let name = ScenarioCallResult.reason(code: code, reason: reason)
            if name != expected {
                fail(place, expected: "the error \(expected)", got: "the error \(name): \(message)")
            }
        }
    }

    private static func entries(of result: JSONValue, at place: String) throws -> [JSONValue] {
        guard let entries = result["entitlements"]?.arrayValue else {
            throw WrongShape(expected: "a member \"entitlements\" that is an array", got: result)
        }
        return entries
    }

    /// The balances of an answer, with 0 for those that were asked for and never credited.
    private static func balances(of result: JSONValue, asked: JSONObject) -> JSONValue {
        var balances = result["balances"]?.objectValue ?? JSONObject()
        for key in asked.keys { balances.setDefault(key, 0) }
        return .object(balances)
    }

    /// An answer that cannot be compared at all.
    private struct WrongShape: Error, CustomStringConvertible {
        let expected: String
        let got: JSONValue

        var description: String { "\(got), where \(expected) was expected" }
    }

    // MARK: Failures

    private mutating func contain(_ expected: JSONValue, _ found: JSONValue, at place: String) {
        guard let difference = Containment.difference(expected, in: found) else { return }
        var failure = failure(place, expected: expected.description, got: found.description)
        failure.differsAt = difference.pointer.isEmpty ? nil : difference.pointer
        failures.append(failure)
    }

    private mutating func fail(_ delivery: SignedDelivery, expected: String, got: String) {
        fail("delivery \(delivery.id)", expected: expected, got: got)
    }

    private mutating func fail(_ place: String, expected: String, got: String) {
        failures.append(failure(place, expected: expected, got: got))
    }

    private func failure(_ place: String, expected: String, got: String) -> ScenarioFailure {
        ScenarioFailure(
            order: order.map { scenario.deliveries[$0].id },
            isListedOrder: isListed,
            pass: pass,
            place: place,
            expected: expected,
            got: got
        )
    }
}
