import Foundation
import Postgres

/// Every value of every table, as whoever gets hold of the database sees it.
struct DatabaseDump {
    private var tables: [(name: String, text: String)] = []

    init(_ session: PostgresSession) throws {
        let found = try session.query(
            """
            SELECT c.relname::text FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname = 'entitled' AND c.relkind = 'r' ORDER BY 1
            """
        )
        for row in found.rows {
            let name = try found.text(row, 0)
            let rows = try session.query("SELECT t::text FROM entitled.\(name) t")
            tables.append((name, try rows.rows.map { try rows.text($0, 0) }.joined(separator: "\n")))
        }
    }

    /// The tables that name an account: as a text in either case, as its sixteen bytes, or inside what is encoded in
    /// base64, also twice.
    func tables(naming account: String) -> [String] {
        let needle = account.lowercased()
        let bytes = needle.filter { $0 != "-" }
        return tables.filter { table in
            var text = table.text
            for _ in 0..<3 {
                let lower = text.lowercased()
                if lower.contains(needle) || lower.contains(bytes) || lower.contains(Self.hex(of: needle)) {
                    return true
                }
                text = Self.decoded(text)
            }
            return false
        }.map(\.name)
    }

    private static func hex(of text: String) -> String {
        text.utf8.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// What the pieces of a text that may be base64 stand for. Values of type bytea are written in hexadecimal, so those are
    /// read first.
    private static func decoded(_ text: String) -> String {
        var pieces: [String] = []
        for piece in text.split(whereSeparator: { !($0.isASCII && ($0.isLetter || $0.isNumber || "-_+/".contains($0))) }
        )
        where piece.count >= 40 {
            if let data = bytes(hex: piece) { pieces.append(String(decoding: data, as: UTF8.self)) }
            var base64 = String(piece).replacing("-", with: "+").replacing("_", with: "/")
            base64 += String(repeating: "=", count: (4 - base64.count % 4) % 4)
            if let data = Data(base64Encoded: base64) { pieces.append(String(decoding: data, as: UTF8.self)) }
        }
        return pieces.joined(separator: "\n")
    }

    private static func bytes(hex text: Substring) -> [UInt8]? {
        var digits = Array((text.hasPrefix("x") ? text.dropFirst() : text).utf8)
        guard digits.count % 2 == 0 else { return nil }
        for index in digits.indices {
            switch digits[index] {
            case 48...57: digits[index] -= 48
            case 97...102: digits[index] -= 87
            default: return nil
            }
        }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
