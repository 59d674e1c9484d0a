import EntitlementDomain
import Glibc

/// The time of day.
enum SystemClock {
    static let now: @Sendable () -> Instant = {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Instant(milliseconds: Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
