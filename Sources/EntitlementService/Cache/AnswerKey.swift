import EntitlementDomain

/// What an answer is kept under: an account in one of the environments that can be asked for.
struct AnswerKey: Sendable, Hashable {
    /// The environments, by the number that stands for them.
    private static let environments: [StoreEnvironment] = [.production, .sandbox, .xcode]

    let account: AccountID
    /// The place in the list of environments.
    let environment: UInt8

    /// An account in Production.
    init(_ account: AccountID) {
        self.account = account
        environment = 0
    }

    /// Nil for an environment that nobody can ask for.
    init?(_ account: AccountID, in environment: StoreEnvironment) {
        guard let index = Self.environments.firstIndex(of: environment) else { return nil }
        self.account = account
        self.environment = UInt8(index)
    }

    /// - Parameter environment: the number that stands for it.
    init(_ account: AccountID, environment: UInt8) {
        self.account = account
        self.environment = environment
    }

    /// The environment that the number stands for.
    var storeEnvironment: StoreEnvironment { Self.environments[Int(environment)] }

    /// Spread evenly over all 64 bits.
    ///
    /// - Parameter seed: a number that nobody outside knows, so that nobody can choose accounts that meet in one place.
    func hash(_ seed: UInt64) -> UInt64 {
        var mixed = account.high ^ seed
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed ^= account.low &+ UInt64(environment) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
