/// Decides who gets which session of a pool. Free of I/O and of clocks: the caller performs the actions it answers with.
///
/// Waiters are served strictly in the order they came. Among free sessions the one used last is taken, so that the
/// others can stay closed in quiet times. `Waiter` stands for whatever waits, `Instant` for a time.
struct PoolStateMachine<Waiter, Instant: Comparable> {
    enum AcquireAction {
        /// The session of this slot is the caller's.
        case lease(slot: Int)
        /// The waiter is kept. The id names it in `cancel`; the timer has to be set to `timer`, where given.
        case wait(id: UInt64, timer: Instant?)
        /// The pool is closed.
        case refuse
    }

    enum ReleaseAction {
        /// The session goes straight to this waiter.
        case handOver(Waiter, slot: Int)
        /// The session is free now.
        case park
        /// The pool is closed, and the session is not given out again.
        case retire(isLast: Bool)
    }

    private struct Entry {
        var waiter: Waiter
        var deadline: Instant
    }

    /// The most sessions there may be.
    let limit: Int
    private var idle: [Int] = []
    private var createdCount = 0
    private var leased: Set<Int> = []
    private var waiting: [UInt64: Entry] = [:]
    /// Ids in order of arrival; those no longer in `waiting` are skipped.
    private var order: [UInt64] = []
    private var orderStart = 0
    private var nextID: UInt64 = 0
    private var timer: Instant?
    private(set) var isClosed = false

    init(limit: Int) {
        precondition(limit > 0, "a pool needs at least one session")
        self.limit = limit
    }

    var idleCount: Int { limit - leased.count }
    var leasedCount: Int { leased.count }
    var waitingCount: Int { waiting.count }
    /// How many slots have ever been used.
    var usedCount: Int { createdCount }

    /// Takes a free session without waiting; nil when there is none or the pool is closed.
    mutating func leaseFree() -> Int? {
        // Nobody waits while a session is free, so this overtakes no one.
        guard !isClosed, let slot = takeFreeSlot() else { return nil }
        leased.insert(slot)
        return slot
    }

    /// Asks for a session. `waiter` is called for only when there is none.
    mutating func acquire(deadline: Instant, _ waiter: @autoclosure () -> Waiter) -> AcquireAction {
        if isClosed { return .refuse }
        if let slot = leaseFree() { return .lease(slot: slot) }
        let id = nextID
        nextID += 1
        waiting[id] = Entry(waiter: waiter(), deadline: deadline)
        order.append(id)
        // One timer serves all: it only has to be moved when somebody's time ends before it.
        if let timer, timer <= deadline { return .wait(id: id, timer: nil) }
        timer = deadline
        return .wait(id: id, timer: deadline)
    }

    private mutating func takeFreeSlot() -> Int? {
        if let slot = idle.popLast() { return slot }
        guard createdCount < limit else { return nil }
        createdCount += 1
        return createdCount - 1
    }

    /// Gives a session back.
    mutating func release(slot: Int) -> ReleaseAction {
        precondition(leased.contains(slot), "slot \(slot) is not leased")
        if let waiter = popFirstWaiter() { return .handOver(waiter, slot: slot) }
        leased.remove(slot)
        if isClosed { return .retire(isLast: leased.isEmpty) }
        idle.append(slot)
        return .park
    }

    private mutating func popFirstWaiter() -> Waiter? {
        while orderStart < order.count {
            let id = order[orderStart]
            orderStart += 1
            compactOrder()
            if let entry = waiting.removeValue(forKey: id) { return entry.waiter }
        }
        return nil
    }

    private mutating func compactOrder() {
        if orderStart > 64, orderStart * 2 > order.count {
            order.removeFirst(orderStart)
            orderStart = 0
        }
    }

    /// Takes a waiter out, who is to be told that it was cancelled; nil when it has been served already.
    mutating func cancel(id: UInt64) -> Waiter? {
        waiting.removeValue(forKey: id)?.waiter
    }

    /// The timer went off.
    ///
    /// - Returns: the waiters whose time is over, in the order they came, and when the timer has to go off next.
    mutating func expire(now: Instant) -> (expired: [Waiter], timer: Instant?) {
        let due = waiting.filter { $0.value.deadline <= now }.sorted { $0.key < $1.key }
        for (id, _) in due { waiting[id] = nil }
        timer = waiting.values.map { $0.deadline }.min()
        return (due.map { $0.value.waiter }, timer)
    }

    /// Closes the pool: nobody gets a session any more; those who have one keep it until they give it back.
    ///
    /// - Returns: the waiters, to be refused, in the order they came.
    mutating func close() -> [Waiter] {
        isClosed = true
        let refused = waiting.sorted { $0.key < $1.key }.map { $0.value.waiter }
        waiting = [:]
        return refused
    }
}
