/// Why bytes are no BER value (ITU-T X.690) that is read here.
struct BERError: Error, Hashable, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
