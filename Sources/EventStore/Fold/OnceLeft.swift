import Dispatch
import Synchronization

/// Leaves a group once, however often it is told to.
final class OnceLeft: Sendable {
    private let group: DispatchGroup
    private let hasLeft = Atomic(false)

    init(_ group: DispatchGroup) {
        self.group = group
    }

    func leave() {
        if !hasLeft.exchange(true, ordering: .relaxed) { group.leave() }
    }
}
