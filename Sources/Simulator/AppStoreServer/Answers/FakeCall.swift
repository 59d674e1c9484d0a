import AppStore
import EntitlementDomain
import JSON

/// A call as a fake App Store reads it.
struct FakeCall: Sendable {
    var route: FakeRoute
    var environment: StoreEnvironment
    var query: [(name: String, value: String)]
    var body: JSONObject?

    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
    func values(_ name: String) -> [String] { query.filter { $0.name == name }.map(\.value) }

    /// A time in the query, in milliseconds.
    func milliseconds(_ name: String, else code: ServerAPIErrorCode) throws(FakeStoreError) -> Int64? {
        guard let text = value(name) else { return nil }
        guard let number = Int64(text) else { throw .refused(code) }
        return number
    }

    /// One of the values that a parameter may have; nil when it is not there.
    func choice(_ name: String, of choices: [String], else code: ServerAPIErrorCode) throws(FakeStoreError) -> String? {
        guard let text = value(name) else { return nil }
        guard choices.contains(text) else { throw .refused(code) }
        return text
    }
}
