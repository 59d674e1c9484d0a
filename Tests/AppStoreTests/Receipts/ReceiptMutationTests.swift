import AppStore
import EntitlementDomain
import Simulator
import TestKit
import Testing
import X509

/// Receipts come from anybody: whatever the bytes are, the answer is a reading or a typed refusal.
@Suite struct ReceiptMutationTests {
    private let desk: ReceiptDesk
    private let reader: ReceiptReader

    init() throws {
        desk = try ReceiptDesk()
        reader = try desk.reader()
    }

    private static let receipt = ReceiptDesk.receipt(
        ReceiptDesk.period("1001", from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z"),
        ReceiptDesk.period("1002", "max.monthly", from: "2026-03-10T00:00:00Z", to: "2026-04-10T00:00:00Z"),
        ReceiptDesk.single("1003", "coins.100", at: "2026-03-11T00:00:00Z", quantity: 2)
    )

    private static func mutate(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let place = Int.random(in: 0..<max(bytes.count, 1), using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0 where !bytes.isEmpty: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1 where !bytes.isEmpty:
                bytes[place] = [0x00, 0x80, 0xFF, 0x84, 0x30, 0x24].randomElement(using: &random)!
            case 2: bytes = Array(bytes.prefix(place))
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: min(place, bytes.count))
            case 4 where !bytes.isEmpty: bytes.remove(at: place)
            case 5:
                let length = Int.random(in: 0...min(40, bytes.count - min(place, bytes.count)), using: &random)
                let piece = Array(bytes.dropFirst(place).prefix(length))
                bytes.insert(contentsOf: piece, at: min(place, bytes.count))
            default: bytes += (0..<Int.random(in: 1...8, using: &random)).map { _ in 0 }
            }
        }
        return bytes
    }

    @Test func aChangedReceiptIsNeverTakenForAnotherOne() throws {
        let seed = SeededGenerator.seedOfThisRun("aChangedReceiptIsNeverTakenForAnotherOne")
        let signer = [
            desk.desk.chain.receiptSigner(), desk.desk.chain.receiptSigner(digest: .sha1, encoding: .indefinite),
        ]
        let originals = try signer.map { try $0.sign(Self.receipt) }
        let genuine = try reader.read(originals[0], now: ReceiptDesk.now)
        var refusals: [StatementError.Reason: Int] = [:]
        for round in 0..<3_000 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let bytes = try #require(Base64.decode(originals[round % 2].utf8))
            let text = String(decoding: Base64.encode(Self.mutate(bytes, &random)), as: UTF8.self)
            do throws(StatementError) {
                // Bytes that do not matter may have changed; what was signed may not.
                let reading = try reader.read(text, now: ReceiptDesk.now)
                #expect(reading.receipt == genuine.receipt, "seed \(random.seed)")
            } catch {
                refusals[error.reason, default: 0] += 1
            }
        }
        #expect(refusals[.malformedStatement, default: 0] > 100)
        #expect(refusals[.invalidSignature, default: 0] > 20)
    }

    @Test func aSignedPayloadOfAnyBytesIsReadOrRefused() throws {
        let seed = SeededGenerator.seedOfThisRun("aSignedPayloadOfAnyBytesIsReadOrRefused")
        let signer = desk.desk.chain.receiptSigner()
        let payload = ReceiptSigner.payload(of: Self.receipt)
        var (read, refused) = (0, 0)
        for round in 0..<3_000 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let text = try signer.sign(payload: Self.mutate(payload, &random))
            do throws(StatementError) {
                let reading = try reader.read(text, now: ReceiptDesk.now)
                read += 1
                #expect(!reading.statements.isEmpty, "seed \(random.seed)")
            } catch {
                refused += 1
            }
        }
        #expect(read > 100)
        #expect(refused > 100)
    }

    @Test func depthAndSizeAreBounded() throws {
        let signer = desk.desk.chain.receiptSigner()
        // Sets of no stated length within each other, without an end, and with one.
        let open: [UInt8] = [0x31, 0x80]
        let deep = Array(repeatElement(open, count: 100_000).joined())
        let closed = deep + [UInt8](repeating: 0, count: 200_000)
        for payload in [deep, closed] {
            let error = #expect(throws: StatementError.self) {
                try reader.read(try signer.sign(payload: payload), now: ReceiptDesk.now)
            }
            #expect(error?.reason == .malformedStatement)
        }
        var many = Self.receipt
        many.purchases = Array(repeating: Self.receipt.purchases[2], count: 5_001)
        let error = #expect(throws: StatementError.self) {
            try reader.read(try signer.sign(many), now: ReceiptDesk.now)
        }
        #expect(error?.message.contains("5000 purchases") == true)
    }
}
