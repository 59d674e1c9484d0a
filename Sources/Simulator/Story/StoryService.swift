/// The service that a story is told to.
package protocol StoryService: Sendable {
    /// Posts a body and gives status and body of the response; throws when there is none.
    ///
    /// - Parameter path: `/rpc`, with the caller's key, or `/appstore/notifications`, without one.
    func post(_ body: [UInt8], to path: String) async throws -> (status: Int, body: [UInt8])
}
