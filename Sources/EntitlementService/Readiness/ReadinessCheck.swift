/// One of the things that must be in order for a service to be ready.
struct ReadinessCheck: Sendable, Hashable {
    let name: String
    /// What is wrong; nil: nothing.
    let problem: String?

    init(_ name: String, _ problem: String? = nil) {
        self.name = name
        self.problem = problem
    }

    var isPassed: Bool { problem == nil }
}
