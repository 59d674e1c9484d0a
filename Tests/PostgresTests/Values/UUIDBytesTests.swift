import Foundation
import Postgres
import Testing

@Suite struct UUIDBytesTests {
    @Test func textAndBytesAgreeWithFoundation() throws {
        for _ in 0..<200 {
            let model = UUID()
            let bytes = unsafe withUnsafeBytes(of: model.uuid) { unsafe Array($0) }
            let value = try #require(UUIDBytes(bytes: bytes))
            #expect(value.description == model.uuidString.lowercased())
            #expect(value.bytes == bytes)
            #expect(UUIDBytes(model.uuidString) == value)
            #expect(UUIDBytes(model.uuidString.lowercased()) == value)
        }
    }

    @Test(arguments: [
        "", "00000000", "6BA7B8109DAD11D180B400C04FD430C8", "6ba7b810-9dad-11d1-80b4-00c04fd430c",
        "6ba7b810-9dad-11d1-80b4-00c04fd430c8a", "6ba7b810-9dad-11d1-80b4-00c04fd430cg",
        "6ba7b8109-dad-11d1-80b4-00c04fd430c8", "{6ba7b810-9dad-11d1-80b4-00c04fd430c8}",
    ])
    func refusesWhatIsNoUUID(text: String) {
        #expect(UUIDBytes(text) == nil)
    }

    @Test func refusesAnotherNumberOfBytes() {
        #expect(UUIDBytes(bytes: [UInt8](repeating: 0, count: 15)) == nil)
        #expect(UUIDBytes(bytes: [UInt8](repeating: 0, count: 17)) == nil)
    }

    @Test func isOrderedLikeItsBytes() {
        let ordered = [(0, 0), (0, UInt64.max), (1, 0), (UInt64.max, 0)].map { UUIDBytes(high: $0.0, low: $0.1) }
        #expect(ordered.shuffled().sorted() == ordered)
    }
}
