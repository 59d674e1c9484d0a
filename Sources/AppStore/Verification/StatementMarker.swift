/// The extensions by which Apple marks the certificates above a signed App Store statement.
///
/// They matter as much as the root: every developer's certificate chains to an Apple root, only these two are the App
/// Store's own. Presence is what counts; the value is not looked at.
package enum StatementMarker {
    /// On the leaf: signer of App Store receipts and statements.
    package static let leaf = "1.2.840.113635.100.6.11.1"
    /// On the intermediate: Apple Worldwide Developer Relations.
    package static let intermediate = "1.2.840.113635.100.6.2.1"
}
