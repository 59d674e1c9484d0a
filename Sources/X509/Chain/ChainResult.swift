/// What a ``ChainValidator`` found.
package enum ChainResult: Sendable {
    /// The chain is good.
    case valid(ValidatedChain)
    /// The chain is not good, and why.
    case invalid(ChainFailure)

    /// The failure, or nil for a good chain.
    package var failure: ChainFailure? {
        switch self {
        case .valid: nil
        case .invalid(let failure): failure
        }
    }
}
