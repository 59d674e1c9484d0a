/// What a ``ChainValidator`` found about a signer whose key may be of any accepted kind.
package enum PathResult: Sendable {
    /// The path is good, apart from dates.
    case valid(CertificatePath)
    /// The path is not good, and why.
    case invalid(ChainFailure)
}
