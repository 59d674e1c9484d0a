/// How a service ends.
package struct ShutdownConfiguration: Sendable, Hashable {
    /// How long to go on serving while `readyz` says that the end is near, so that load balancers send nobody any more.
    package var notice: Duration = .zero
    /// How long the requests that were accepted may take after that.
    package var timeLimit: Duration = .seconds(10)

    package init() {}
}
