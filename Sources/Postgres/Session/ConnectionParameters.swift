import CLibpq

/// A connection string taken apart, with this package's own defaults put under it.
struct ConnectionParameters {
    private(set) var values: [String: String]
    /// How many hosts the string names; at least one.
    let hostCount: Int
    /// `connect_timeout` of the string, else the configuration's.
    let connectTimeout: Duration

    /// Words that hold one entry per host, so that have to be turned together.
    private static let hostLists = ["host", "hostaddr", "port"]

    /// - Throws: `PostgresError` of kind `protocol` for a string libpq cannot read.
    init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        var values = try Self.parse(configuration.connectionString)
        let defaults = [
            "fallback_application_name": configuration.applicationName,
            // A peer that vanished without a word is noticed within half a minute instead of the system's two hours.
            "keepalives_idle": "15",
            "keepalives_interval": "5",
            "keepalives_count": "3",
            "tcp_user_timeout": "30000",
        ]
        values.merge(defaults) { given, _ in given }
        values["client_encoding"] = "UTF8"
        if !configuration.settings.isEmpty {
            let words = configuration.settings.sorted { $0.key < $1.key }
                .map { "-c \(Self.escape($0.key))=\(Self.escape($0.value))" }
            values["options"] = ([values["options"] ?? ""] + words).filter { !$0.isEmpty }.joined(separator: " ")
        }
        if configuration.settings["default_transaction_read_only"] == "on",
            values["target_session_attrs"] == "read-write"
        {
            // The session itself would make libpq take every host for one that is read-only.
            values["target_session_attrs"] = "primary"
        }
        hostCount = Self.hostLists.map { Self.entries(values[$0]).count }.max() ?? 1
        if let seconds = values["connect_timeout"].flatMap({ Int64($0) }), seconds > 0 {
            connectTimeout = .seconds(seconds)
        } else {
            connectTimeout = configuration.connectTimeout
        }
        self.values = values
    }

    /// The same parameters with the host list turned by `count` places, so that the host that did not answer is tried
    /// last.
    func rotated(by count: Int) -> [String: String] {
        var turned = values
        for key in Self.hostLists {
            let entries = Self.entries(values[key])
            guard entries.count > 1 else { continue }
            let shift = count % entries.count
            turned[key] = (entries[shift...] + entries[..<shift]).joined(separator: ",")
        }
        return turned
    }

    private static func entries(_ list: String?) -> [Substring] {
        guard let list, !list.isEmpty else { return [""] }
        return list.split(separator: ",", omittingEmptySubsequences: false)
    }

    /// In `options`, white space separates words and a backslash escapes.
    private static func escape(_ text: String) -> String {
        var escaped = ""
        for character in text {
            if character == "\\" || character.isWhitespace { escaped.append("\\") }
            escaped.append(character)
        }
        return escaped
    }

    static func parse(_ text: String) throws(PostgresError) -> [String: String] {
        guard !text.utf8.contains(0) else {
            throw PostgresError(.protocol, "the connection string contains a NUL character")
        }
        var message: UnsafeMutablePointer<CChar>?
        guard let options = unsafe PQconninfoParse(text, &message) else {
            // libpq's message can quote the string and with it a password.
            unsafe PQfreemem(message)
            throw PostgresError(.protocol, "the connection string is not one libpq can read: check its syntax")
        }
        defer { unsafe PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = unsafe options
        while let keyword = unsafe option.pointee.keyword {
            if let value = unsafe option.pointee.val {
                unsafe values[String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe option += 1
        }
        return values
    }
}
