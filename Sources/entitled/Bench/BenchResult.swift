import JSON

/// One work measured against its reference, in the same rounds.
struct BenchResult {
    /// Its name among the ratios, for example `lookupWarm`.
    var name: String
    var work: String
    var reference: String
    /// Per second, one for each round.
    var rates: [Double]
    var referenceRates: [Double]
    /// What the ratio is at least to be.
    var budget: Double
    /// Latencies in milliseconds, of the median round; nil where there are none.
    var latency: (p50: Double, p99: Double)?
    var referenceLatency: (p50: Double, p99: Double)?

    var rate: Double { Self.median(rates) }
    var referenceRate: Double { Self.median(referenceRates) }
    /// The median of the rounds' ratios would mix noise of two measurements; this is the ratio of the medians.
    var ratio: Double { referenceRate > 0 ? rate / referenceRate : 0 }

    var json: JSONValue {
        var object: JSONObject = [
            "work": .string(work), "reference": .string(reference), "perSecond": Self.number(rate),
            "referencePerSecond": Self.number(referenceRate), "ratio": Self.number(ratio),
            "budget": Self.number(budget),
            "rounds": .array(rates.map(Self.number)), "referenceRounds": .array(referenceRates.map(Self.number)),
        ]
        if let latency { object["latencyMs"] = ["p50": Self.number(latency.p50), "p99": Self.number(latency.p99)] }
        if let referenceLatency {
            object["referenceLatencyMs"] = [
                "p50": Self.number(referenceLatency.p50), "p99": Self.number(referenceLatency.p99),
            ]
        }
        return .object(object)
    }

    static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        if sorted.isEmpty { return 0 }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }

    /// A number as JSON, to three places.
    static func number(_ value: Double) -> JSONValue {
        JSONValue((value * 1_000).rounded() / 1_000)
    }
}
