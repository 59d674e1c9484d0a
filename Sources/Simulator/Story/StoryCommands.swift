import EntitlementDomain
package import Foundation
import JSON

/// Commands to paste into a shell after a story.
package enum StoryCommands {
    /// A `curl` line for each: what the account has now, what it had 60 days ago, why, and its log.
    ///
    /// The lines hold the API key, as it was given on the command line.
    package static func lines(url: URL, key: String, setting: StorySetting) -> [String] {
        var params: JSONObject = ["account": .string(setting.account.description)]
        if setting.environment != .production { params["environment"] = .string(setting.environment.rawValue) }
        var past = params
        past["at"] = .string(setting.now.advanced(byMilliseconds: -60 * 86_400_000).iso8601)
        return [
            ScenarioCall(method: "entitlements.get", params: params),
            ScenarioCall(method: "entitlements.get", params: past),
            ScenarioCall(method: "entitlements.explain", params: params),
            ScenarioCall(method: "events.list", params: params),
        ].map { line($0, url: url, key: key) }
    }

    private static func line(_ call: ScenarioCall, url: URL, key: String) -> String {
        let body = String(decoding: call.body(), as: UTF8.self)
        return "curl -s \(quoted(url.appending(path: "rpc").absoluteString))"
            + " -H \(quoted("Authorization: Bearer \(key)")) -H 'Content-Type: application/json' -d \(quoted(body))"
    }

    /// A text as one word of a POSIX shell.
    private static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
