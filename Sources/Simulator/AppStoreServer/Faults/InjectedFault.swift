/// A failure that a fake App Store was told to show.
package struct InjectedFault: Sendable, Hashable {
    package enum Effect: Sendable, Hashable {
        /// Refuses with a code and the status that belongs to it.
        case code(Int64)
        /// Answers with a status and a body that is none of the API's.
        case status(Int)
        /// Limits the rate until so many milliseconds from now; nil: without saying until when.
        case rateLimit(milliseconds: Int64?)
        /// Cuts the connection in the middle of the response.
        case cut
        /// Answers 200 with a body that is no JSON.
        case garbage
        /// Answers with a signature of an authority that nobody trusts.
        case forgery
        /// Says at every page that there are more, and always where the same one is.
        case endlessPages
        /// Refuses the token.
        case unauthorized
        /// Redirects to another address.
        case redirect(String)
    }

    /// Part of the path; empty: every call.
    package var path: String
    /// How many calls it meets; nil: all.
    package var times: Int?
    package var effect: Effect

    package init(_ effect: Effect, path: String = "", times: Int? = 1) {
        self.effect = effect
        self.path = path
        self.times = times
    }
}
