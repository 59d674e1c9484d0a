import Dispatch
import EntitlementDomain
import JSON
import Synchronization

/// The signing keys in memory, read again every few seconds, so that a new key is published and an old one withdrawn
/// without a restart.
final class SigningKeyRing: Sendable {
    /// How long whoever verifies may keep the key set, in seconds.
    static let keySetLifetime = 300

    private struct State: Sendable {
        var keys: [SigningKey] = []
        var keySet = SigningKeyRing.keySet(of: [])
    }

    private let directory: SigningKeyDirectory?
    private let state = Mutex(State())
    /// Files are read here: a network's file system may take its time.
    private let queue = DispatchQueue(label: "entitled.signingkeys")

    /// - Parameter directory: nil when none is configured.
    init(_ directory: SigningKeyDirectory?) {
        self.directory = directory
    }

    var isConfigured: Bool { directory != nil }

    /// Reads the directory. When it cannot be read at all, what was read before stays.
    func refresh() async {
        guard let directory else { return }
        let contents = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: directory.read()) }
        }
        if contents.keys.isEmpty, !contents.problems.isEmpty { return }
        let fresh = State(keys: contents.keys, keySet: Self.keySet(of: contents.keys))
        state.withLock { $0 = fresh }
    }

    /// The key that signs at an instant: the newest whose time has come, else the first; nil without any.
    func signer(at instant: Instant) -> SigningKey? {
        let keys = state.withLock { $0.keys }
        return keys.last { $0.signsFrom <= instant } ?? keys.first
    }

    /// All public keys as a JWK set (RFC 7517 section 5).
    var keySet: [UInt8] { state.withLock { $0.keySet } }

    private static func keySet(of keys: [SigningKey]) -> [UInt8] {
        let set: JSONValue = ["keys": .array(keys.map(\.jwk))]
        return set.serialized()
    }
}
