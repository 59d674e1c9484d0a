import TestKit
import Testing

@testable import X509

@Suite struct P256OrderTests {
    private func inverse(_ number: [UInt8]) -> [UInt8]? {
        unsafe number.withUnsafeBytes { unsafe P256Order.inverse(of: $0) }
    }

    /// a + b modulo the order, both below it.
    private func sum(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var (carry, result) = (0, [UInt8](repeating: 0, count: 32))
        for index in (0..<32).reversed() {
            carry += Int(a[index]) + Int(b[index])
            result[index] = UInt8(carry & 255)
            carry >>= 8
        }
        if carry == 0, result.lexicographicallyPrecedes(P256Tests.order) { return result }
        var borrow = 0
        for index in (0..<32).reversed() {
            let difference = Int(result[index]) - Int(P256Tests.order[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            result[index] = UInt8(difference & 255)
        }
        return result
    }

    /// a * b modulo the order, by doubling and adding.
    private func product(_ a: [UInt8], _ b: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        for byte in a {
            for bit in (0..<8).reversed() {
                result = sum(result, result)
                if byte >> bit & 1 == 1 { result = sum(result, b) }
            }
        }
        return result
    }

    private static let one = [UInt8](repeating: 0, count: 31) + [1]

    /// 2^exponent, below 2^256.
    private static func power(_ exponent: Int) -> [UInt8] {
        var number = [UInt8](repeating: 0, count: 32)
        number[31 - exponent / 8] = 1 << UInt8(exponent % 8)
        return number
    }

    /// The order minus a number below it.
    private func negative(_ number: [UInt8]) -> [UInt8] {
        var (borrow, result) = (0, P256Tests.order)
        for index in (0..<32).reversed() {
            let difference = Int(P256Tests.order[index]) - Int(number[index]) - borrow
            borrow = difference < 0 ? 1 : 0
            result[index] = UInt8(difference & 255)
        }
        return result
    }

    /// Numbers of every length, and sparse ones: of few bits that are set, or few that are not, or few that are not the
    /// order's. Of the last, many make the algorithm take the smaller number for the larger.
    private func numbers(using random: inout SeededGenerator) -> [[UInt8]] {
        var numbers = (0..<256).map { bits in
            let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) }
            return [UInt8](repeating: 0, count: bits / 8) + bytes.dropLast(bits / 8)
        }
        for exponent in 0..<256 {
            let power = Self.power(exponent)
            let other = Self.power(Int.random(in: 0..<256, using: &random))
            numbers += [power, negative(power), sum(power, other), sum(power, negative(other))]
            numbers.append(negative(sum(power, other)))
            numbers.append(zip(power, other).map { ~($0 | $1) })
        }
        return numbers.filter { $0.lexicographicallyPrecedes(P256Tests.order) && $0.contains { $0 != 0 } }
    }

    @Test func anInverseTimesItsNumberIsOne() throws {
        let seed = SeededGenerator.seedOfThisRun("anInverseTimesItsNumberIsOne")
        var random = SeededGenerator(seed: seed)
        // A product takes milliseconds here.
        for number in numbers(using: &random).shuffled(using: &random).prefix(400) {
            let found = try #require(inverse(number), "seed \(seed)")
            #expect(product(number, found) == Self.one, "\(number), seed \(seed)")
        }
    }

    @Test func theInverseOfAnInverseIsTheNumber() throws {
        let seed = SeededGenerator.seedOfThisRun("theInverseOfAnInverseIsTheNumber")
        var random = SeededGenerator(seed: seed)
        for number in (0..<8).flatMap({ _ in numbers(using: &random) }) {
            let found = try #require(inverse(number), "\(number), seed \(seed)")
            #expect(inverse(found) == number, "\(number), seed \(seed)")
        }
    }

    /// Computed by Python's pow(number, -1, order).
    private static let known = [
        (
            // The smaller number is taken for the larger twice.
            "FFFFFFFF00000000FFDFFFFFFFFFFFFFBCF6FAADA7179E84F3B9CAC2FC632551",
            "90D2A64EA081C841DDC746FAA51E7036171FE56C89B1566A27E4CB2E25EE3743"
        ),
        (
            "F666666570000000F66666666666666625D1847A5739EEF990FC6CC212EC3A51",
            "3B13B13AD89D89D8D89D89D89D89D89D7A5CB000B067E981248D562CFF2A926F"
        ),
        (
            // Takes nine batches, which is more than usual.
            "8000000000000000000000000000000000000000000000000000000000000000",
            "C1A0CC66920B83D20FF16C083CC0EE4B75BDE7C486ACDF5F9C3791EF3832F8F2"
        ),
        (
            "0000000000000000000000000000000000000000000000000000000000000002",
            "7FFFFFFF800000007FFFFFFFFFFFFFFFDE737D56D38BCF4279DCE5617E3192A9"
        ),
    ]

    @Test(arguments: known) func findsTheKnownInverse(number: String, inverse: String) {
        #expect(self.inverse(bytes(hex: number)) == bytes(hex: inverse))
        #expect(self.inverse(bytes(hex: inverse)) == bytes(hex: number))
    }

    @Test func whatHasNoInverseHasNone() {
        #expect(inverse([UInt8](repeating: 0, count: 32)) == nil)
        #expect(inverse(P256Tests.order) == nil)
        #expect(inverse(P256Tests.order.dropLast() + [P256Tests.order[31] + 1]) == nil)
        #expect(inverse([UInt8](repeating: 255, count: 32)) == nil)
        #expect(inverse([1]) == nil)
        #expect(inverse(Self.one) == Self.one)
    }
}
