/// An explicit statement of who owns a line: a link, a transfer or an erasure. The latest in the log counts, and it
/// wins over every token inside App Store statements.
package struct OwnerLink: Sendable, Hashable {
    /// The owner; nil after an erasure: the line belongs to nobody and no token gives it back, until a transfer.
    package var account: AccountID?
    /// The position of the event that said so.
    package var position: Int64

    package init(account: AccountID?, position: Int64) {
        self.account = account
        self.position = position
    }
}
