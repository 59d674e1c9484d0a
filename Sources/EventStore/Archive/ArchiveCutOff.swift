/// What a source of an archive's lines throws when it ends before the archive does, or cannot be read on. Whoever takes the
/// lines says at which one.
package struct ArchiveCutOff: Error, Sendable, Hashable {
    /// What was found, for people.
    package var message: String

    package init(_ message: String) {
        self.message = message
    }
}
