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
    private let log: ServiceLog
    private let clock: @Sendable () -> Instant
    private let failures = Atomic<Int>(0)
    private let newest = Mutex<SignedCheckpoint?>(nil)
    /// Files are written here: a network's file system may take its time.
    private let queue = DispatchQueue(label: "entitled.checkpoints")

    init(
        store: PostgresEventStore,
        keys: SigningKeyRing,
        issuer: String,
        directory: String?,
        log: ServiceLog = .off,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.store = store
        self.keys = keys
        self.issuer = issuer
        self.directory = directory.map { URL(filePath: $0, directoryHint: .isDirectory) }
        self.log = log
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
        else {
            failures.add(1, ordering: .relaxed)
            log.note(.error, "checkpoint failed", [("reason", "no signing key is in force, or it cannot sign")])
            return nil
        }
        let signed = SignedCheckpoint(checkpoint: checkpoint, keyID: key.keyID, token: token)
        newest.withLock { $0 = signed }
        if await publish(signed) {
            log.note(.info, "checkpoint signed", [("position", checkpoint.position.description)])
        } else {
            failures.add(1, ordering: .relaxed)
            log.note(
                .error,
                "checkpoint failed",
                [("position", checkpoint.position.description), ("reason", "its file cannot be written")]
            )
        }
        return signed
    }

    /// Writes the file, at no time only half of it. Failing that, the next checkpoint tries again: each covers all that
    /// came before.
    ///
    /// - Returns: false when it could not be written.
    private func publish(_ signed: SignedCheckpoint) async -> Bool {
        guard let directory else { return true }
        let position = signed.checkpoint.position
        let file = directory.appendingPathComponent("checkpoint-\(position.epoch)-\(position.number).json")
        let bytes = signed.checkpoint.file(signed)
        return await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
            queue.async {
                do {
                    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
                    try Data(bytes).write(to: file, options: .atomic)
                    continuation.resume(returning: true)
                } catch {
                    continuation.resume(returning: false)
                }
            }
        }
    }

    /// Nothing where checkpoints are not configured.
    var families: [MetricFamily] {
        guard isConfigured else { return [] }
        var families = [
            MetricFamily(
                "entitled_checkpoint_failures_total",
                .counter,
                "Checkpoints that could not be signed, or whose file could not be written.",
                Double(failures.load(ordering: .relaxed))
            )
        ]
        if let newest = newest.withLock({ $0?.checkpoint }) {
            families += [
                MetricFamily(
                    "entitled_checkpoint_timestamp_seconds",
                    .gauge,
                    "When this instance last signed a checkpoint, in seconds since 1970.",
                    newest.signedAt.inSeconds
                ),
                MetricFamily(
                    "entitled_checkpoint_position",
                    .gauge,
                    "The position of that checkpoint.",
                    Double(newest.position.number)
                ),
            ]
        }
        return families
    }
}
