/// What goes back over HTTP.
struct FakeReply: Sendable {
    var answer: FakeAnswer
    /// Whether the connection is cut in the middle of the body.
    var isCut = false
    /// The header `Location`.
    var location: String?

    init(_ answer: FakeAnswer) {
        self.answer = answer
    }
}
