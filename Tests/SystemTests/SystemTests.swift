import Testing

extension Tag {
    /// Takes seconds rather than milliseconds: `swift test --skip SystemTests` leaves these out.
    @Tag static var slow: Self
}

/// The program as a process, with a real PostgreSQL behind it and HTTP in front. One test after the other: each of them
/// keeps the machine busy.
@Suite(.serialized, .tags(.slow)) enum SystemTests {}
