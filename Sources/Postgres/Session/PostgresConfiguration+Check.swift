extension PostgresConfiguration {
    /// What is wrong with a connection string that can be seen without connecting; nil when nothing is. The text quotes
    /// nothing of the string, which may hold a password.
    package static func problem(inConnectionString text: String) -> String? {
        let values: [String: String]
        do {
            values = try ConnectionParameters.parse(text)
        } catch {
            return error.message
        }
        // An @ or a / of a password that is not escaped ends the password early. The rest of it would be taken for a
        // host, a port or a database, and those are named in messages.
        let places = ["host", "port", "dbname"]
        let isURI = text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
        if isURI, places.contains(where: { values[$0]?.contains("@") ?? false }) {
            return "the connection string has an @ too many: write %40 for one, and %2F for a /, in a password"
        }
        let ports = (values["port"] ?? "").split(separator: ",")
        guard ports.allSatisfy({ UInt16($0) ?? 0 > 0 }) else {
            return "the connection string's port is no number from 1 to 65535"
        }
        return nil
    }
}
