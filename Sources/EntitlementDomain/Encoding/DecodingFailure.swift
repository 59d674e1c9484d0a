/// Stored bytes that cannot be read back: they were cut, or written by another version of the product.
package enum DecodingFailure: Error, Sendable, Hashable {
    /// The bytes end before the value does.
    case truncated
    /// A byte has a value that this version never writes.
    case invalidValue
    /// The layout's version number is not one that this version reads.
    case unknownVersion(Int)
}
