import Dispatch
import EntitlementDomain
import EventStore
import Foundation
import Synchronization
import X509

/// Signs the log's last hash now and then, keeps the newest checkpoint and publishes each as a file.
final class CheckpointKeeper: Sendable {
    private let store: PostgresEventStore
    private let keys: SigningKeyRing
    private let issuer: String
    private let directory: URL?
    private let clock: @Sendable () -> Instant
    private let newest = Mutex<SignedCheckpoint?>(nil)
    /// Files are written here: a network's file system may take its time.
    private let queue = DispatchQueue(label: "entitled.checkpoints")

    init(
        store: PostgresEventStore,
        keys: SigningKeyRing,
        issuer: String,
        directory: String?,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.store = store
        self.keys = keys
        self.issuer = issuer
        self.directory = directory.map { URL(filePath: $0, directoryHint: .isDirectory) }
        self.clock = clock
    }

    var isConfigured: Bool { keys.isConfigured }

    /// The newest checkpoint; made when there is none yet.
    ///
    /// - Returns: nil without a key, or with an empty log.
    func current() async throws(StoreError) -> SignedCheckpoint? {
        if let known = newest.withLock({ $0 }) { return known }
        return try await sign()
    }

    /// Signs a new checkpoint when the log has grown.
    @discardableResult
    func sign() async throws(StoreError) -> SignedCheckpoint? {
        guard keys.isConfigured else { return nil }
        let head = try await store.head()
        if head.position == 0 { return nil }
        if let known = newest.withLock({ $0 }), known.checkpoint.hash == head.hash { return known }
        let checkpoint = Checkpoint(position: head.logPosition, hash: head.hash, signedAt: clock())
        guard let key = keys.signer(at: checkpoint.signedAt),
            let token = try? key.sign(claims: checkpoint.claims(issuer: issuer), type: Checkpoint.type)
        else { return nil }
        let signed = SignedCheckpoint(checkpoint: checkpoint, keyID: key.keyID, token: token)
        newest.withLock { $0 = signed }
        await publish(signed)
        return signed
    }

    /// Writes the file, at no time only half of it. Failing that, the next checkpoint tries again: each covers all that
    /// came before.
    private func publish(_ signed: SignedCheckpoint) async {
        guard let directory else { return }
        let position = signed.checkpoint.position
        let file = directory.appendingPathComponent("checkpoint-\(position.epoch)-\(position.number).json")
        let bytes = signed.checkpoint.file(signed)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async {
                try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                try? Data(bytes).write(to: file, options: .atomic)
                continuation.resume()
            }
        }
    }
}
