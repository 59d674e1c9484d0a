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

    @Test func anInverseTimesItsNumberIsOne() throws {
        let seed = SeededGenerator.seedOfThisRun("anInverseTimesItsNumberIsOne")
        var random = SeededGenerator(seed: seed)
        var numbers = (0..<300).map { _ in (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) } }
        // Sparse ones, and those beside the order.
        numbers += (0..<255).map { bit in
            var number = [UInt8](repeating: 0, count: 32)
            number[31 - bit / 8] = 1 << UInt8(bit % 8)
            return number
        }
        numbers += (1...5).map { P256Tests.order.dropLast() + [P256Tests.order[31] - $0] }
        for number in numbers where number.lexicographicallyPrecedes(P256Tests.order) {
            let found = try #require(inverse(number), "seed \(seed)")
            #expect(product(number, found) == Self.one, "\(number), seed \(seed)")
        }
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
