/// How often a call is tried, and how long is waited between the tries.
package struct ServerAPIRetries: Sendable, Hashable {
    /// All tries of one call together.
    package var attempts: Int
    /// The wait before the second try; each further one is twice as long.
    package var firstWait: Duration
    /// The longest wait.
    package var longestWait: Duration
    /// The longest wait for the end of a rate limit; when it is further away, the call fails and says when that is.
    package var longestRateLimitWait: Duration

    package init(
        attempts: Int = 5,
        firstWait: Duration = .milliseconds(500),
        longestWait: Duration = .seconds(30),
        longestRateLimitWait: Duration = .seconds(60)
    ) {
        self.attempts = attempts
        self.firstWait = firstWait
        self.longestWait = longestWait
        self.longestRateLimitWait = longestRateLimitWait
    }

    /// The wait after so many failed tries, at least one: doubled each time up to the longest, of which chance takes up to
    /// a half, so that clients which failed together do not come back together.
    ///
    /// - Parameter random: from 0 up to, not including, 1.
    package func wait(after failures: Int, random: Double) -> Duration {
        // Past 2^20 every first wait in use is over the longest one.
        let doubled = firstWait * (1 << min(max(failures, 1) - 1, 20))
        return min(doubled, longestWait) * (1 - random / 2)
    }
}
