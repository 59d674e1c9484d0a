import EntitlementDomain
import Foundation
import JSON
import Synchronization

/// One of those who send a traffic's load; it blocks its thread.
struct TrafficWorker {
    let traffic: Traffic
    var random: SeededRandom
    private var connections: [TrafficOptions.Target: RawConnection] = [:]

    var options: TrafficOptions { traffic.options }

    init(_ traffic: Traffic, number: Int) {
        self.traffic = traffic
        random = SeededRandom(seed: traffic.options.seed &+ UInt64(number) &* 7_919)
    }

    /// Does one piece of work of the mix.
    mutating func work() {
        let start = traffic.state.withLock { $0.pace.take() }
        let wait = start - .now
        if wait > .zero { usleep(UInt32(wait / .microseconds(1))) }
        let mix = options.mix
        var choice = Int.random(
            in: 0..<(mix.statements + mix.lookups + mix.many + mix.polls + mix.spends),
            using: &random
        )
        func takes(_ share: Int) -> Bool {
            defer { choice -= share }
            return (0..<share).contains(choice)
        }
        if takes(mix.lookups) { return lookUp() }
        if takes(mix.many) { return lookUpMany() }
        if takes(mix.polls) { return poll() }
        if takes(mix.spends) { return spend() }
        deliver()
    }

    /// Sends one thing that is not acknowledged yet.
    ///
    /// - Returns: false when nothing is left, with nobody.
    mutating func finishOne() -> Bool {
        let (hasSpend, isWorking) = traffic.state.withLock { (!$0.openSpends.isEmpty, $0.working > 0) }
        if hasSpend {
            spend()
            return true
        }
        if deliver() { return true }
        // Another worker may give one back.
        if isWorking { usleep(5_000) }
        return isWorking
    }

    // MARK: Statements

    /// - Returns: whether there was one.
    @discardableResult
    private mutating func deliver() -> Bool {
        let plan = traffic.plan
        let taken = traffic.state.withLock { state in
            let delivery = state.pool.take(plan)
            if delivery != nil { state.working += 1 }
            return delivery
        }
        guard let delivery = taken else { return false }
        let kind: LoadKind = delivery.index % 4 == 3 ? .upload : .notification
        var answer: Answer?
        if let request = try? plan.request(delivery.index, as: kind, signedBy: traffic.signer) {
            answer = post(request.body, to: kind.path, as: kind.rawValue)
        }
        let isLastPeriod = delivery.index / plan.accounts == plan.periods - 1
        traffic.state.withLock { state in
            state.working -= 1
            guard let answer, answer.isGood else {
                state.pool.giveBack(delivery)
                return
            }
            let now = ContinuousClock.now
            state.record.noteAcknowledged(at: now)
            if !state.record.acknowledged.insert(delivery.index).inserted { state.record.repetitions += 1 }
            state.pool.finish(delivery)
            if isLastPeriod {
                state.remember(
                    TrafficRecord.Acknowledgement(
                        index: delivery.index,
                        at: now,
                        position: answer.json["result"]?["position"]?.stringValue
                    )
                )
            }
        }
        return true
    }

    // MARK: Requests

    /// What came back.
    struct Answer {
        var isGood: Bool
        var json: JSONValue
    }

    /// Makes a call; errors are counted.
    mutating func call(_ method: String, _ parameters: JSONObject) -> Answer? {
        let body: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": .object(parameters)]
        return post(body.serialized(), to: "/rpc", as: method)
    }

    /// - Returns: nil when no answer came.
    private mutating func post(_ body: [UInt8], to path: String, as kind: String) -> Answer? {
        let targets = traffic.targets()
        guard let target = targets.randomElement(using: &random) else {
            pause()
            return nil
        }
        // Connections to instances that are gone.
        if connections.count > 2 * targets.count { connections = connections.filter { targets.contains($0.key) } }
        let start = ContinuousClock.now
        let response: RawConnection.Response
        do {
            let open =
                try connections[target]
                ?? RawConnection(port: target.port, address: target.address, patience: options.patience)
            connections[target] = open
            var headers = ["Content-Type": "application/json"]
            if path == "/rpc" { headers["Authorization"] = "Bearer \(options.key)" }
            try open.send("POST", path, headers: headers, body: body)
            response = try open.receive()
        } catch {
            connections[target] = nil
            traffic.state.withLock { $0.record.answers["broken", default: 0] += 1 }
            pause()
            return nil
        }
        if response.headers["connection"]?.lowercased() == "close" { connections[target] = nil }
        return note(response, kind, took: .now - start)
    }

    private func note(_ response: RawConnection.Response, _ kind: String, took time: Duration) -> Answer {
        let json = response.json
        let reason =
            json["error"]?["reason"]?.stringValue ?? json["error"]?["data"]?["reason"]?.stringValue
            ?? json["error"]?["code"].map { "\($0)" }
        let isGood = response.status == 200 && reason == nil
        // An epoch that changed makes positions of before useless, which is what it is for.
        let isTemporary =
            response.status == 503 && reason != "parked" || reason == "unavailable" || reason == "positionNotReached"
        traffic.state.withLock { state in
            state.record.answers[reason.map { "\(response.status) \($0)" } ?? "\(response.status)", default: 0] += 1
            if isGood {
                state.record.done[kind, default: 0] += 1
                state.record.slowest = max(state.record.slowest, time)
            } else if !isTemporary {
                state.record.fault(
                    "\(kind): \(response.status) \(String(decoding: response.body.prefix(300), as: UTF8.self))"
                )
            }
        }
        if !isGood { pause() }
        return Answer(isGood: isGood, json: json)
    }

    func pause() {
        usleep(UInt32(options.pauseMilliseconds) * 1_000)
    }
}

extension Traffic.State {
    /// Keeps an acknowledgement for look-ups.
    mutating func remember(_ acknowledgement: TrafficRecord.Acknowledgement) {
        if recent.count < Traffic.remembered {
            recent.append(acknowledgement)
        } else {
            // Strides through, so that old and new ones are there side by side.
            recent[recentPlace] = acknowledgement
            recentPlace = (recentPlace + 1_237) % Traffic.remembered
        }
    }
}
