/// What many answers have in common: their text with places for what differs (times, ids, amounts). A million subscribers
/// of one product share one pattern, so that each of them costs a few numbers instead of a page of JSON.
///
/// In `bytes`, a byte below 0x20 (which JSON text never has) marks a place, and the byte behind it says which value goes
/// there where that is needed.
final class AnswerPattern: Sendable {
    /// What goes into a place.
    enum Mark: UInt8 {
        /// The position of the log that the answer is right for.
        case position = 1
        /// The account asked about.
        case account = 2
        /// The instant asked about.
        case instant = 3
        /// A time, kept in milliseconds.
        case time = 4
        /// Digits without a leading zero.
        case digits = 5
        /// A UUID in lower case, kept in two words.
        case uuid = 6

        /// Whether the number of a value follows.
        var hasIndex: Bool { rawValue >= Mark.time.rawValue }
    }

    /// A piece of text and what comes behind it.
    struct Piece: Sendable {
        var text: Range<Int>
        /// Nil behind the last piece.
        var mark: Mark?
        /// Which value goes there.
        var index = 0
    }

    /// The number under which records name the pattern.
    let id: Int
    let bytes: [UInt8]
    let pieces: [Piece]
    /// About how long the answers are.
    let capacity: Int

    init(id: Int, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
        var pieces: [Piece] = []
        var start = 0
        var index = 0
        while index < bytes.count {
            guard bytes[index] < 0x20, let mark = Mark(rawValue: bytes[index]) else {
                index += 1
                continue
            }
            var piece = Piece(text: start..<index, mark: mark)
            index += 1
            if mark.hasIndex {
                piece.index = Int(bytes[index])
                index += 1
            }
            start = index
            pieces.append(piece)
        }
        pieces.append(Piece(text: start..<index))
        self.pieces = pieces
        capacity = bytes.count + pieces.count * 36
    }
}
