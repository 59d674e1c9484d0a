/// How far a long piece of work has come.
package struct AuditProgress: Sendable, Hashable {
    /// What is being done, for people.
    package var phase: String
    /// Units done, and all of them: events, or lines.
    package var done: Int64
    package var total: Int64

    /// Whether people should hear of the phase at once, because nothing goes on meanwhile.
    package var isWait: Bool

    package init(phase: String, done: Int64, total: Int64, isWait: Bool = false) {
        self.isWait = isWait
        self.phase = phase
        self.done = done
        self.total = total
    }
}
