import EntitlementDomain
import EntitlementService
import HTTPServer
import JSON

/// What one request and all of them together may ask for: `limits`.
extension ServeSettings {
    /// What is not given keeps the default of `ServiceConfiguration`.
    struct Limits: Sendable, Hashable {
        var maximumBatch: Int?
        var maximumBodyBytes: Int?
        var maximumDepth: Int?
        var requestTimeLimit: Duration?
        var maximumConnections: Int?
        var maximumConnectionsPerAddress: Int?

        func apply(to configuration: inout ServiceConfiguration) {
            configuration.limitCalls(maximumBatch: maximumBatch, maximumDepth: maximumDepth)
            if let maximumBodyBytes { configuration.http.maximumBodyBytes = maximumBodyBytes }
            if let requestTimeLimit { configuration.http.requestTimeLimit = requestTimeLimit }
            if let maximumConnections { configuration.http.maximumConnections = maximumConnections }
            if let maximumConnectionsPerAddress {
                configuration.http.maximumConnectionsPerAddress = maximumConnectionsPerAddress
            }
        }
    }

    private static let knownOfLimits = [
        "maximumBatch", "maximumBodyBytes", "maximumDepth", "requestTimeLimit", "maximumConnections",
        "maximumConnectionsPerAddress",
    ]

    mutating func read(limits: JSONValue) {
        guard let object = object(limits, "limits", known: Self.knownOfLimits) else { return }
        for member in object.members {
            let (value, name) = (member.value, "limits.\(member.key)")
            switch member.key {
            case "maximumBatch": self.limits.maximumBatch = integer(value, name, in: 1...10_000)
            // A notification with its three certificates is some 20 KiB, a legacy receipt can have several hundred.
            case "maximumBodyBytes": self.limits.maximumBodyBytes = integer(value, name, in: 65_536...67_108_864)
            case "maximumDepth": self.limits.maximumDepth = integer(value, name, in: 16...512)
            case "maximumConnections": self.limits.maximumConnections = integer(value, name, in: 1...65_536)
            case "maximumConnectionsPerAddress":
                self.limits.maximumConnectionsPerAddress = integer(value, name, in: 0...65_536)
            case "requestTimeLimit": self.limits.requestTimeLimit = duration(value, name, in: 1...600)
            default: break
            }
        }
    }

    private mutating func duration(_ value: JSONValue, _ name: String, in seconds: ClosedRange<Int64>) -> Duration? {
        let span = value.stringValue.flatMap { CalendarDuration(iso8601: $0) }
        guard let span, span.months == 0, seconds.contains(span.milliseconds / 1_000) else {
            problems.append(
                "\(name) must be an ISO 8601 duration of \(seconds.lowerBound) to \(seconds.upperBound) seconds, "
                    + "such as \"PT30S\""
            )
            return nil
        }
        return .milliseconds(span.milliseconds)
    }
}
