/// A connection that is out of libmicrohttpd's hands until it is resumed.
struct Suspension: Sendable {
    enum Waiting: Sendable {
        /// For the work on its request.
        case work(Task<Void, Never>)
        /// For a call that cannot be cancelled.
        case call
        /// For the next piece of its response body.
        case stream(ResponseStream)
    }

    let connection: HTTPConnection
    let waiting: Waiting
    /// The client is known to have gone; the work was told.
    var isClientGone = false
}
