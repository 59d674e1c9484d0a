import AppStore
import EntitlementDomain
import Foundation
import Synchronization

/// Notes what the App Store takes for now, from the header of its last response.
final class ClockWitness: ServerAPITransport {
    private let transport: any ServerAPITransport
    private let seen = Mutex<Instant?>(nil)

    init(_ transport: any ServerAPITransport) {
        self.transport = transport
    }

    /// The time of the last response.
    var instant: Instant? { seen.withLock { $0 } }

    func send(_ call: ServerAPICall) async throws(ServerAPITransportFailure) -> ServerAPIReply {
        let reply = try await transport.send(call)
        if let instant = reply.date.flatMap(Self.instant(httpDate:)) { seen.withLock { $0 = instant } }
        return reply
    }

    /// A date as HTTP writes it (RFC 9110 section 5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
    private static func instant(httpDate text: String) -> Instant? {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: text).map { Instant(milliseconds: Int64($0.timeIntervalSince1970) * 1_000) }
    }
}
