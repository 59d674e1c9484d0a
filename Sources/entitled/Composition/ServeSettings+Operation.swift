import EntitlementDomain
import EntitlementService
import Foundation
import Glibc
import JSON

/// How the service is watched and how it ends: `log`, `readiness` and `shutdown`.
extension ServeSettings {
    /// What is not given keeps the default.
    struct Operation: Sendable, Hashable {
        var level: LogLevel? = .info
        /// Nil: text on a terminal, JSON everywhere else.
        var format: LogFormat?
        var readiness = ReadinessLimits()
        var shutdown = ShutdownConfiguration()

        func apply(to configuration: inout ServiceConfiguration) {
            configuration.readiness = readiness
            configuration.shutdown = shutdown
            configuration.log = Self.log(level, format)
        }

        /// A log on standard error.
        static func log(_ level: LogLevel?, _ format: LogFormat?) -> ServiceLog {
            let format = format ?? (isatty(STDERR_FILENO) == 1 ? .text : .json)
            // Who closed the other end reads no line about it either.
            let sink = LogSink { try? FileHandle.standardError.write(contentsOf: Data($0)) }
            return ServiceLog(level: level, format: format, sink: sink, clock: SystemClock.now)
        }
    }

    private static let levels = ["off"] + LogLevel.allCases.map(\.rawValue)
    private static let formats = ["auto"] + LogFormat.allCases.map(\.rawValue)

    mutating func read(log value: JSONValue) {
        guard let object = object(value, "log", known: ["level", "format"]) else { return }
        if let value = object["level"] { read(level: value.stringValue, "log.level") }
        if let value = object["format"] { read(format: value.stringValue, "log.format") }
    }

    mutating func read(readiness value: JSONValue) {
        guard let object = object(value, "readiness", known: ["databaseTime", "feedLag", "writerTime"]) else { return }
        if let value = object["databaseTime"] {
            set(\.readiness.databaseTime, value, "readiness.databaseTime", in: 100...60_000)
        }
        if let value = object["feedLag"] { set(\.readiness.feedLag, value, "readiness.feedLag", in: 1_000...3_600_000) }
        if let value = object["writerTime"] {
            set(\.readiness.writerTime, value, "readiness.writerTime", in: 1_000...3_600_000)
        }
    }

    mutating func read(shutdown value: JSONValue) {
        guard let object = object(value, "shutdown", known: ["notice", "timeLimit"]) else { return }
        if let value = object["notice"] { set(\.shutdown.notice, value, "shutdown.notice", in: 0...600_000) }
        if let value = object["timeLimit"] {
            set(\.shutdown.timeLimit, value, "shutdown.timeLimit", in: 1_000...600_000)
        }
    }

    mutating func read(operationVariables environment: [String: String]) {
        if let value = environment["ENTITLED_LOG_LEVEL"] { read(level: value, "ENTITLED_LOG_LEVEL") }
        if let value = environment["ENTITLED_LOG_FORMAT"] { read(format: value, "ENTITLED_LOG_FORMAT") }
        if let value = environment["ENTITLED_SHUTDOWN_NOTICE"] {
            set(\.shutdown.notice, .string(value), "ENTITLED_SHUTDOWN_NOTICE", in: 0...600_000)
        }
    }

    private mutating func read(level text: String?, _ name: String) {
        guard let text, Self.levels.contains(text) else {
            problems.append("\(name) must be one of \(Self.levels.joined(separator: ", "))")
            return
        }
        operation.level = LogLevel(rawValue: text)
    }

    private mutating func read(format text: String?, _ name: String) {
        guard let text, Self.formats.contains(text) else {
            problems.append("\(name) must be one of \(Self.formats.joined(separator: ", "))")
            return
        }
        operation.format = LogFormat(rawValue: text)
    }

    /// - Parameter bounds: in milliseconds.
    private mutating func set(
        _ path: WritableKeyPath<Operation, Duration>,
        _ value: JSONValue,
        _ name: String,
        in bounds: ClosedRange<Int64>
    ) {
        let span = value.stringValue.flatMap { CalendarDuration(iso8601: $0) }
        guard let span, span.months == 0, bounds.contains(span.milliseconds) else {
            let (low, high) = (Double(bounds.lowerBound) / 1_000, bounds.upperBound / 1_000)
            problems.append("\(name) must be an ISO 8601 duration of \(low) to \(high) seconds, such as \"PT5S\"")
            return
        }
        operation[keyPath: path] = .milliseconds(span.milliseconds)
    }
}
