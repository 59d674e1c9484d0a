import Glibc

/// Waits on a socket with a deadline.
enum SocketWait {
    enum Outcome: Equatable {
        /// The socket has one of the events, or an error to be read from it.
        case ready
        /// The second descriptor became readable first.
        case woken
        case timedOut
        /// poll itself failed, with this errno.
        case failed(Int32)
    }

    /// - Parameters:
    ///   - socket: the descriptor to wait for.
    ///   - events: `POLLIN`, `POLLOUT` or both.
    ///   - wake: a descriptor whose readability ends the wait; -1 for none.
    ///   - deadline: nil waits for ever.
    static func wait(
        _ socket: Int32,
        events: Int16,
        wake: Int32 = -1,
        deadline: ContinuousClock.Instant?
    ) -> Outcome {
        var descriptors: InlineArray<2, pollfd> = [
            pollfd(fd: socket, events: events, revents: 0),
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let milliseconds = deadline.map { remaining(until: $0) } ?? -1
            var span = descriptors.mutableSpan
            let count = unsafe span.withUnsafeMutableBufferPointer { unsafe poll($0.baseAddress, 2, milliseconds) }
            if count > 0 {
                return descriptors[0].revents != 0 ? .ready : .woken
            }
            if count == 0 {
                // A wait longer than poll can count in one go is taken up again.
                if let deadline, ContinuousClock.now < deadline { continue }
                return .timedOut
            }
            if errno != EINTR { return .failed(errno) }
        }
    }

    /// Milliseconds, rounded up so that a wait never ends before its deadline.
    private static func remaining(until deadline: ContinuousClock.Instant) -> Int32 {
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return 0 }
        let (seconds, attoseconds) = left.components
        guard seconds < 86_400 else { return 86_400_000 }
        return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
