package import EntitlementDomain
import JSON

/// Parameters that many methods share.
package enum CommonParameters {
    package static let account = Parameter<AccountID>(
        "account",
        "The account: the UUID that apps set as appAccountToken. Either this or originalTransactionId.",
        expectation: "a UUID such as \"11111111-1111-4111-8111-111111111111\"",
        schema: ["type": "string", "format": "uuid"],
        read: { $0.stringValue.flatMap { AccountID($0) } }
    )

    package static let originalTransactionID = Parameter<String>(
        "originalTransactionId",
        "The line of purchases under this id, whoever owns it. Either this or account.",
        expectation: "text of 1 to 64 characters (ids are never numbers)",
        schema: ["type": "string", "minLength": 1, "maxLength": 64],
        read: { $0.parameterText(maximumBytes: 64) }
    )

    package static let environment = Parameter<StoreEnvironment>(
        "environment",
        "The App Store environment; environments never mix. Default Production.",
        expectation: "\"Production\", \"Sandbox\" or \"Xcode\"",
        schema: ["type": "string", "enum": ["Production", "Sandbox", "Xcode"], "default": "Production"],
        read: { value in
            let environment = value.stringValue.map { StoreEnvironment(rawValue: $0) }
            return environment.flatMap { [.production, .sandbox, .xcode].contains($0) ? $0 : nil }
        }
    )

    package static let at = time("at", "The instant asked about; default now.")

    package static let knownAt = Parameter<KnownAt>(
        "knownAt",
        "Answer from what had been recorded by then: a time, or a position of the log; default all.",
        expectation: "a position such as \"1:42\", ISO 8601 text or epoch milliseconds",
        schema: [
            "anyOf": [
                SchemaComponent.position.reference, ["type": "string", "format": "date-time"], ["type": "integer"],
            ]
        ],
        read: { value in
            if let position = value.stringValue.flatMap({ LogPosition($0) }) { return .position(position) }
            return at.read(value).map { .time($0) }
        }
    )

    package static let minPosition = position(
        "minPosition",
        "Answer only from a log that has reached this position (read your writes)."
    )

    package static let waitMilliseconds = integer(
        "waitMs",
        "How long to wait for minPosition, in milliseconds; default 0.",
        in: 0...30_000
    )

    /// A point in time: ISO 8601 text or epoch milliseconds.
    package static func time(_ name: String, _ summary: String) -> Parameter<Instant> {
        Parameter(
            name,
            summary,
            expectation: "ISO 8601 text such as \"2026-04-01T00:00:00.000Z\" or epoch milliseconds",
            schema: ["anyOf": [["type": "string", "format": "date-time"], ["type": "integer"]]],
            read: { value in
                if let text = value.stringValue { return Instant(iso8601: text) }
                guard let number = value.int64Value else { return nil }
                let instant = Instant(milliseconds: number)
                return instant >= .distantPast && instant <= .distantFuture ? instant : nil
            }
        )
    }

    /// An id that this service made.
    package static func uuid(_ name: String, _ summary: String) -> Parameter<AccountID> {
        Parameter(
            name,
            summary,
            expectation: "a UUID",
            schema: ["type": "string", "format": "uuid"],
            read: { $0.stringValue.flatMap { AccountID($0) } }
        )
    }

    /// A position of the log. A place in the change feed names one too.
    package static func position(_ name: String, _ summary: String) -> Parameter<LogPosition> {
        let place = feedPosition(name, summary)
        return Parameter(
            name,
            summary,
            expectation: place.expectation,
            schema: place.schema,
            read: { place.read($0)?.log }
        )
    }

    /// A place in the change feed. A position of the log is one.
    package static func feedPosition(_ name: String, _ summary: String) -> Parameter<FeedPosition> {
        Parameter(
            name,
            summary,
            expectation: "a position such as \"1:42\"",
            schema: ["type": "string", "pattern": "^[0-9]+:[0-9]+(\\.[0-9]+)?$"],
            read: { $0.stringValue.flatMap { FeedPosition($0) } }
        )
    }

    /// A whole number within bounds.
    package static func integer(_ name: String, _ summary: String, in bounds: ClosedRange<Int64>) -> Parameter<Int64> {
        Parameter(
            name,
            summary,
            expectation: "a whole number from \(bounds.lowerBound) to \(bounds.upperBound)",
            schema: [
                "type": "integer", "minimum": .number(JSONNumber(bounds.lowerBound)),
                "maximum": .number(JSONNumber(bounds.upperBound)),
            ],
            read: { $0.int64Value.flatMap { bounds.contains($0) ? $0 : nil } }
        )
    }

    /// Text within bounds of bytes.
    package static func text(_ name: String, _ summary: String, maximumBytes: Int) -> Parameter<String> {
        Parameter(
            name,
            summary,
            expectation: "text of 1 to \(maximumBytes) bytes without U+0000",
            schema: ["type": "string", "minLength": 1, "maxLength": .number(JSONNumber(Int64(maximumBytes)))],
            read: { $0.parameterText(maximumBytes: maximumBytes) }
        )
    }
}
