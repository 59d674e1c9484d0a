import EntitlementDomain
import EntitlementService
import JSON

/// How much of the answers is kept in memory: `cache`.
extension ServeSettings {
    private static let megabyte = 1_024 * 1_024
    private static let knownOfCache = ["maximumBytes", "maximumLag"]

    mutating func read(cache value: JSONValue) {
        guard let object = object(value, "cache", known: Self.knownOfCache) else { return }
        if let value = object["maximumBytes"] {
            if let bytes = value.int64Value.map({ Int($0) }), Self.isSensible(bytes) {
                cache.maximumBytes = bytes
            } else {
                problems.append(Self.problem("cache.maximumBytes"))
            }
        }
        if let value = object["maximumLag"] {
            let span = value.stringValue.flatMap { CalendarDuration(iso8601: $0) }
            if let span, span.months == 0, (1_000...60_000).contains(span.milliseconds) {
                cache.maximumLag = .milliseconds(span.milliseconds)
            } else {
                problems.append("cache.maximumLag must be an ISO 8601 duration of 1 to 60 seconds, such as \"PT1S\"")
            }
        }
    }

    mutating func read(cacheVariables environment: [String: String]) {
        guard let value = environment["ENTITLED_CACHE_BYTES"] else { return }
        if let bytes = Int(value), Self.isSensible(bytes) {
            cache.maximumBytes = bytes
        } else {
            problems.append(Self.problem("ENTITLED_CACHE_BYTES"))
        }
    }

    private static func isSensible(_ bytes: Int) -> Bool {
        bytes == 0 || (megabyte...65_536 * megabyte).contains(bytes)
    }

    private static func problem(_ name: String) -> String {
        "\(name) must be 0, or a whole number of bytes from \(megabyte) to \(65_536 * megabyte)"
    }
}
