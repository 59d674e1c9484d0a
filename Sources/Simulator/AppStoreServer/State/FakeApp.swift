/// The app whose purchases a fake App Store sells.
package struct FakeApp: Sendable, Hashable {
    package var bundleID: String
    package var appAppleID: Int64

    package init(bundleID: String = StatementDefaults.bundleID, appAppleID: Int64 = StatementDefaults.appAppleID) {
        self.bundleID = bundleID
        self.appAppleID = appAppleID
    }
}
