/// Something that must not happen, whatever the input.
package struct FuzzFinding: Error, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}
