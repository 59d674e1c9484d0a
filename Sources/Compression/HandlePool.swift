import Synchronization

/// Keeps a few handles between calls; as many are made as calls run at once.
final class HandlePool<Handle: AnyObject & Sendable>: Sendable {
    private let idle = Mutex<[Handle]>([])
    private let limit = 16
    private let make: @Sendable () throws(ZstandardError) -> Handle

    init(_ make: @escaping @Sendable () throws(ZstandardError) -> Handle) {
        self.make = make
    }

    func with<Result>(
        _ body: (Handle) throws(ZstandardError) -> Result
    ) throws(ZstandardError) -> Result {
        let handle: Handle
        if let kept = idle.withLock({ $0.popLast() }) { handle = kept } else { handle = try make() }
        defer {
            idle.withLock { kept in
                if kept.count < limit { kept.append(handle) }
            }
        }
        return try body(handle)
    }
}
