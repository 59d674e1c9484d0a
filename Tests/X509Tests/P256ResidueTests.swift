import Testing

@testable import X509

@Suite struct P256ResidueTests {
    private static let order = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551"
    private static let zero = String(repeating: "0", count: 64)

    /// What is left of low + high * 2^256 modulo the order, computed by Python. Those between the order and 2^256 are too
    /// rare to be met by chance.
    private static let known: [(low: String, high: UInt64, reduced: String)] = [
        (zero, 0, zero),
        ("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632550", 0, minusOne),
        (order, 0, zero),
        ("FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632556", 0, zero.dropLast() + "5"),
        (
            String(repeating: "F", count: 64), 1,
            "00000001FFFFFFFE000000000000000086320AA4B1D0C2F6188C6A7A0739B55D"
        ),
        (zero, 3, "00000002FFFFFFFD0000000000000000C94B0FF70AB9247124D29FB70AD6900D"),
        (minusOne, 7, "00000006FFFFFFF90000000000000001D5AF25406E5AAA5D55EB74AB1949FAC8"),
        (zero, 0x7fff_ffff, "7FFFFFFE8000000100000000218C82A8E95B2B6B2D3AB9237588381A7C632551"),
    ]
    private static let minusOne = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632550"

    private func residue(_ low: String, _ high: UInt64) -> P256Residue {
        P256Residue(words(low), high)
    }

    private func words(_ hex: String) -> Words256 {
        unsafe bytes(hex: hex).withUnsafeBytes { unsafe Words256($0) }
    }

    @Test(arguments: known) func isReducedBelowTheOrder(low: String, high: UInt64, reduced: String) {
        let residue = residue(low, high)
        #expect(residue.reduced.bytes == bytes(hex: reduced))
    }

    @Test(arguments: known) func andItsNegativeAddUpToNothing(low: String, high: UInt64, reduced: String) {
        let residue = residue(low, high)
        let sum = P256Residue.sum(1, residue, 1, residue.negated)
        #expect(sum.reduced.bytes == bytes(hex: Self.zero))
        #expect(residue.negated.negated.reduced.bytes == bytes(hex: reduced))
    }
}
