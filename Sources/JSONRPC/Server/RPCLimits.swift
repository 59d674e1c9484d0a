/// What one body may ask for.
package struct RPCLimits: Sendable, Hashable {
    /// The most requests in one batch.
    package var maximumBatch = 100
    /// The most arrays and objects inside each other; the request object, and the array of a batch, count.
    package var maximumDepth = 64
    /// Once the response of a batch has this many bytes, errors included, the calls that follow are not run.
    package var maximumResponseBytes = 8 * 1024 * 1024

    package init() {}
}
