import AppStore
import EntitlementDomain
import EntitlementService
import Foundation
import JSON
import X509

/// Access to the App Store Server API: `appStore`.
extension ServeSettings {
    /// What stands in the configuration; the key is read when the service's configuration is made.
    struct AppStore: Sendable {
        var issuerID: String?
        var keyID: String?
        var keyFile: String?
        var bundleIDs: Set<String> = []
        var hosts = ServerAPIHosts()
        var reconciliation = ReconcileSettings()
        var consumption: ConsumptionAnswer?
    }

    private static let knownOfAppStore = [
        "issuerId", "keyId", "keyFile", "bundleIds", "productionURL", "sandboxURL", "callsPerHour", "interval",
        "everythingInterval", "consumption",
    ]

    mutating func read(appStore value: JSONValue) {
        guard let object = object(value, "appStore", known: Self.knownOfAppStore) else { return }
        var settings = AppStore()
        settings.issuerID = appStoreText(object, "issuerId")
        settings.keyID = appStoreText(object, "keyId")
        settings.keyFile = appStoreText(object, "keyFile")
        if let value = object["bundleIds"] {
            let names = (value.arrayValue ?? []).compactMap(\.stringValue)
            if names.isEmpty || names.count != value.arrayValue?.count {
                problems.append("appStore.bundleIds must be an array of bundle ids; left out: all apps")
            }
            settings.bundleIDs = Set(names)
        }
        if let url = url(object, "productionURL") { settings.hosts.production = url }
        if let url = url(object, "sandboxURL") { settings.hosts.sandbox = url }
        if let value = object["callsPerHour"],
            let count = integer(value, "appStore.callsPerHour", in: 1...180_000)
        {
            settings.reconciliation.callsPerHour = Int64(count)
        }
        if let value = object["interval"], let duration = interval(value, "interval") {
            settings.reconciliation.interval = duration
        }
        if let value = object["everythingInterval"], let duration = interval(value, "everythingInterval") {
            settings.reconciliation.everythingInterval = duration
        }
        if let value = object["consumption"] { settings.consumption = consumption(value) }
        appStore = settings
    }

    private mutating func appStoreText(_ object: JSONObject, _ name: String) -> String? {
        if let text = object[name]?.stringValue, !text.isEmpty { return text }
        problems.append("appStore.\(name) must be text: App Store Connect shows it with the In-App Purchase key")
        return nil
    }

    /// Another host than Apple's. Tokens cross the network to it, so plain HTTP stays on this machine.
    private mutating func url(_ object: JSONObject, _ name: String) -> String? {
        guard let value = object[name] else { return nil }
        guard let text = value.stringValue, let url = URL(string: text), let host = url.host,
            url.scheme == "https" || (url.scheme == "http" && Self.isLoopback(host))
        else {
            problems.append("appStore.\(name) must be an https address, or an http address of this machine")
            return nil
        }
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    private mutating func interval(_ value: JSONValue, _ name: String) -> Duration? {
        let span = value.stringValue.flatMap { CalendarDuration(iso8601: $0) }
        guard let span, span.months == 0, span.isZero || span.milliseconds >= 60_000 else {
            problems.append(
                "appStore.\(name) must be an ISO 8601 duration of at least a minute, such as \"PT15M\"; PT0S: never"
            )
            return nil
        }
        return .milliseconds(span.milliseconds)
    }

    private mutating func consumption(_ value: JSONValue) -> ConsumptionAnswer? {
        let name = "appStore.consumption"
        let known = ["customerConsented", "deliveryStatus", "sampleContentProvided", "refundPreference"]
        guard let object = object(value, name, known: known) else { return nil }
        guard object["customerConsented"] == true else {
            problems.append(
                "\(name).customerConsented must be true: information about customers is sent with their consent only; "
                    + "leave consumption out where there is none"
            )
            return nil
        }
        let preferences = ConsumptionInformation.RefundPreference.allCases.map(\.rawValue)
        let preference = object["refundPreference"]
        if let preference, !preferences.contains(preference.stringValue ?? "") {
            problems.append("\(name).refundPreference must be one of \(preferences.joined(separator: ", "))")
        }
        guard let status = object["deliveryStatus"]?.stringValue, !status.isEmpty,
            let sample = object["sampleContentProvided"]?.boolValue
        else {
            problems.append(
                "\(name) must have deliveryStatus (such as \"DELIVERED\") and sampleContentProvided (true or false)"
            )
            return nil
        }
        return ConsumptionAnswer(
            deliveryStatus: ConsumptionInformation.DeliveryStatus(rawValue: status),
            sampleContentProvided: sample,
            refundPreference: preference?.stringValue.flatMap { ConsumptionInformation.RefundPreference(rawValue: $0) }
        )
    }

    /// The access that the settings describe; nil when there are none, or, with a problem noted, when they are not good.
    mutating func appStoreAccess() -> AppStoreAccess? {
        guard let appStore, let issuerID = appStore.issuerID, let keyID = appStore.keyID,
            let keyFile = appStore.keyFile
        else { return nil }
        for bundleID in appStore.bundleIDs.sorted() where apps[bundleID] == nil {
            problems.append("appStore.bundleIds names \(bundleID), which is not among the apps")
        }
        guard let data = try? Data(contentsOf: URL(filePath: keyFile)) else {
            problems.append("appStore.keyFile: \(keyFile) cannot be read")
            return nil
        }
        do {
            var access = AppStoreAccess(
                credentials: try ServerAPICredentials(
                    issuerID: issuerID,
                    keyID: keyID,
                    p8: String(decoding: data, as: UTF8.self)
                )
            )
            access.hosts = appStore.hosts
            access.bundleIDs = appStore.bundleIDs
            access.reconciliation = appStore.reconciliation
            access.consumption = appStore.consumption
            return access
        } catch {
            problems.append("appStore.keyFile: \(keyFile) holds no unencrypted private key on P-256 (\(error))")
            return nil
        }
    }
}
