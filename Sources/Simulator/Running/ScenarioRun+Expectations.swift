import EntitlementDomain
import JSON

extension ScenarioRun {
    /// Asks the service and compares.
    mutating func ask(_ expectation: ScenarioExpectation) async {
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
}
