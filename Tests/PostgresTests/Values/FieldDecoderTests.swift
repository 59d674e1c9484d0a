import TestKit
import Testing

@testable import Postgres

@Suite struct FieldDecoderTests {
    private func decode(_ bytes: [UInt8]) -> [Int64?]? {
        unsafe bytes.withUnsafeBytes { buffer in
            let field = unsafe FieldBytes(start: buffer.baseAddress, count: buffer.count, type: .int8Array)
            return unsafe FieldDecoder.array(field) { unsafe FieldDecoder.int64($0) }
        }
    }

    private func encode(_ elements: [Int64?]) -> [UInt8] {
        let buffer = WireBuffer()
        _ = PostgresValue.int8Array(elements).encode(into: buffer)
        return unsafe buffer.withBytes { unsafe Array($0) }
    }

    @Test func anArrayCutOffAnywhereIsRefused() {
        let whole = encode([1, nil, 3])
        #expect(decode(whole) == [1, nil, 3])
        for length in 0..<whole.count { #expect(decode(Array(whole[..<length])) == nil) }
        #expect(decode(whole + [0]) == nil)
    }

    @Test func changedBytesNeverReadOutsideTheField() {
        var generator = SeededGenerator(seed: SeededGenerator.seedOfThisRun("FieldDecoderTests"))
        let whole = encode([1, nil, 3, 4])
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
            }
            // Whatever comes out, it cannot have more elements than the field has room for.
            if let elements = decode(bytes) { #expect(elements.count <= bytes.count / 4) }
        }
    }

    @Test func twoDimensionsAreRefused() {
        var bytes = encode([1])
        bytes[3] = 2
        #expect(decode(bytes) == nil)
    }

    @Test func aBufferKeepsItsContentsWhileItGrows() {
        let buffer = WireBuffer(capacity: 16)
        for number in 0..<10_000 { buffer.append(UInt32(number)) }
        let bytes = unsafe buffer.withBytes { unsafe Array($0) }
        #expect(bytes.count == 40_000)
        for number in stride(from: 0, to: 10_000, by: 997) {
            let word = bytes[(number * 4)..<(number * 4 + 4)].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            #expect(word == UInt32(number))
        }
        buffer.removeAll(keeping: 1024)
        #expect(buffer.count == 0)
        buffer.append("after")
        #expect(unsafe buffer.withBytes { unsafe Array($0) } == Array("after".utf8))
    }
}
