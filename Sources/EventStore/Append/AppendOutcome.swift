package import EntitlementDomain

/// What became of one append request, once it is durable.
package struct AppendOutcome: Sendable, Hashable {
    /// An event that the request brought.
    package struct Event: Sendable, Hashable {
        package var position: Int64
        package var id: AccountID
        package var type: EventType

        package init(position: Int64, id: AccountID, type: EventType) {
            self.position = position
            self.id = id
            self.type = type
        }
    }

    /// Why nothing was appended although the request was new.
    package enum Refusal: Sendable, Hashable {
        /// Another account owns the line and keeps it.
        case ownershipConflict
        /// The balance is smaller than the amount.
        case insufficientBalance(available: Int64)
        /// The idempotency key was used before with other parameters.
        case idempotencyMismatch
        /// There is no such line, grant or hold, or it is over already.
        case notFound
        /// The account that the request names was erased, and stays so.
        case accountErased
    }

    /// What was erased of one environment.
    package struct Erasure: Sendable, Hashable {
        package var environment: StoreEnvironment
        /// The lines of purchases that belong to nobody since then.
        package var lineCount: Int

        package init(environment: StoreEnvironment, lineCount: Int) {
            self.environment = environment
            self.lineCount = lineCount
        }
    }

    /// The events it brought; empty: it was known and had its effect before, or it was refused.
    package var events: [Event] = []
    package var refusal: Refusal?
    /// The owner of the statement's line now, when it is an account that the request names.
    package var owner: AccountID?
    /// What an erasure has done, by environment.
    package var erasures: [Erasure] = []
    /// The grant or hold that a command made, now or when it was given the first time.
    package var commandID: AccountID?
    /// The product of the statement that was appended, when the catalog in force does not map it.
    package var unmappedProductID: String?
    /// The log's head after the group.
    package var head = LogPosition(epoch: 0, number: 0)

    /// The facts of the account that claims, as they are after the group: the latest ones of long lines, as answers for now
    /// need them. Nil: nobody asked, no account claims, the request was refused, or they have to be read in another way (the
    /// account was erased behind the request, or this version cannot read all of it).
    package var claimant: Snapshot?

    package init() {}

    /// Whether another account owns the line and keeps it. Nothing was appended then.
    package var isOwnershipConflict: Bool { refusal == .ownershipConflict }

    /// Whether the request changed nothing because the log had it already.
    package var isDuplicate: Bool { events.isEmpty && refusal == nil }
}
