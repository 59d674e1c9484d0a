/// One page of an answer that has several.
package protocol ServerAPIPage: Sendable {
    var hasMore: Bool { get }
    /// What the next page is asked for with: a revision or a pagination token.
    var continuation: String? { get }
}
