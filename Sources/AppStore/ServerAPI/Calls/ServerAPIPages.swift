/// Walks the pages of an answer, and notices when they do not end.
package struct ServerAPIPages<Page: ServerAPIPage>: Sendable {
    /// More than a customer's purchases or a company's notifications of 180 days can fill is a fault.
    private let maximumPages: Int
    private let fetch: @Sendable (String?) async throws(ServerAPIError) -> Page
    private var continuation: String?
    private var seen: Set<String> = []
    private var count = 0
    private var isAtEnd = false

    init(
        from continuation: String?,
        maximumPages: Int = 1_000_000,
        fetch: @escaping @Sendable (String?) async throws(ServerAPIError) -> Page
    ) {
        self.continuation = continuation
        self.maximumPages = maximumPages
        self.fetch = fetch
        if let continuation { seen.insert(continuation) }
    }

    /// The next page; nil after the last one. After an error the same page is asked for again.
    package mutating func next() async throws(ServerAPIError) -> Page? {
        guard !isAtEnd else { return nil }
        let page = try await fetch(continuation)
        count += 1
        guard page.hasMore else {
            isAtEnd = true
            return page
        }
        guard let next = page.continuation, !next.isEmpty else {
            throw .malformedResponse("hasMore is true, but nothing says where the next page is")
        }
        guard seen.insert(next).inserted, count < maximumPages else { throw .endlessPaging(pages: count) }
        continuation = next
        return page
    }
}
