/// The statements that are on their way: new ones come in the order of the plan, are taken in any order, and stay until they
/// are acknowledged. Some are in it twice, and some come back.
struct TrafficPool: Sendable {
    /// One delivery to be made.
    struct Delivery: Sendable {
        /// The statement's place in the plan.
        var index: Int
        /// How often to deliver it again once it is acknowledged.
        var repetitions: Int
    }

    private var waiting: [Delivery] = []
    private var nextStatement = 0
    private var random: SeededRandom
    private let window: Int
    private let duplicateEvery: Int
    /// Whether no new statements come.
    var isClosing = false

    init(_ options: TrafficOptions) {
        random = SeededRandom(seed: options.seed ^ 0x5EED)
        window = options.window
        duplicateEvery = max(options.duplicateEvery, 1)
    }

    /// Takes any of them.
    mutating func take(_ plan: LoadPlan) -> Delivery? {
        while !isClosing, waiting.count < window {
            // One account's periods come near each other, so that their order is often wrong.
            let (number, period) = nextStatement.quotientAndRemainder(dividingBy: plan.periods)
            let index = period * plan.accounts + number % plan.accounts
            let isDuplicate = nextStatement % duplicateEvery == 0
            waiting.append(Delivery(index: index, repetitions: isDuplicate ? 1 : 0))
            if isDuplicate { waiting.append(Delivery(index: index, repetitions: 0)) }
            nextStatement += 1
        }
        if waiting.isEmpty { return nil }
        // Both of a pair are next to each other for a while: two workers often have them at once.
        let place = Int.random(in: 0..<waiting.count, using: &random)
        return waiting.remove(at: place)
    }

    /// Gives one back that was not acknowledged.
    mutating func giveBack(_ delivery: Delivery) {
        waiting.append(delivery)
    }

    /// Notes that one was acknowledged.
    mutating func finish(_ delivery: Delivery) {
        if delivery.repetitions > 0 {
            waiting.append(Delivery(index: delivery.index, repetitions: delivery.repetitions - 1))
        }
    }
}
