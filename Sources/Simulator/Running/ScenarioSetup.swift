package import JSON

/// What a target is to be like before the first delivery.
package struct ScenarioSetup: Sendable {
    package var catalog: JSONValue
    /// The settings that differ from the defaults, by the names of the scenario format: an object.
    package var policy: JSONValue
    /// The roots to be trusted in place of Apple's, DER.
    package var trustedRoots: [[UInt8]]
    /// The certificate to be trusted for the environment `Xcode` when the policy accepts it, DER.
    package var xcodeCertificate: [UInt8]
    package var bundleID = StatementDefaults.bundleID
    package var appAppleID = StatementDefaults.appAppleID
}
