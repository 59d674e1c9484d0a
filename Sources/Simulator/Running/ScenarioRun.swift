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
    var failures: [ScenarioFailure] = []
    private var pass = 1
    /// The latest `at` delivered so far: the clock of deliveries never runs backwards.
    private var clock = Instant.distantPast

    init(_ scenario: PreparedScenario, order: [Int], target: any ScenarioTarget) {
        self.scenario = scenario
        self.order = order
        self.target = target
    }

    var isListed: Bool { order == Array(order.indices) }

    /// Plays it; afterwards `failures` holds what went wrong.
    mutating func play() async {
        // The catalog is put in place before anything happens, or it would not hold for the first instants.
        await target.setClock(scenario.start)
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

    // MARK: Failures

    mutating func contain(_ expected: JSONValue, _ found: JSONValue, at place: String) {
        guard let difference = Containment.difference(expected, in: found) else { return }
        var failure = failure(place, expected: expected.description, got: found.description)
        failure.differsAt = difference.pointer.isEmpty ? nil : difference.pointer
        failures.append(failure)
    }

    private mutating func fail(_ delivery: SignedDelivery, expected: String, got: String) {
        fail("delivery \(delivery.id)", expected: expected, got: got)
    }

    mutating func fail(_ place: String, expected: String, got: String) {
        failures.append(failure(place, expected: expected, got: got))
    }

    func failure(_ place: String, expected: String, got: String) -> ScenarioFailure {
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
