package import EntitlementDomain
import X509

/// A command of the company about an account or a line. It has its effect once: under one idempotency key a second call
/// answers as the first did.
package struct AccountCommand: Sendable {
    /// What is to be done.
    package enum Action: Sendable, Hashable {
        /// Spends credits; refused when the balance is smaller.
        case spend(currency: String, units: Int64)
        /// Gives an entitlement without a purchase; `startsAt` nil: now.
        case issueGrant(entitlement: String, startsAt: Instant?, endsAt: Instant?)
        case revokeGrant(AccountID)
        /// Suspends the subject, or one entitlement of it.
        case placeHold(entitlement: String?)
        case liftHold(AccountID)
        /// Makes an account the owner of a line that nobody owns.
        case link(to: AccountID)
        /// Makes an account the owner, whoever owned it: of a line, or of all lines of the account that is the subject.
        case transfer(to: AccountID)
        /// Destroys the link between the account that is the subject and what it has.
        case erase
    }

    /// Whom or what it is about.
    package enum Subject: Sendable, Hashable {
        case account(AccountID)
        /// All lines under an original transaction id.
        case line(String)
    }

    package var action: Action
    package var subject: Subject
    /// An erasure takes an empty one too: it stands for every environment.
    package var environment: StoreEnvironment
    /// 32 bytes that are the same for each repetition about the same subject; nil: every call is a new one. They are not to
    /// depend on an account that is the subject.
    package var identity: [UInt8]?
    /// The parameters as canonical JSON: what a repetition is compared with, and what the event carries.
    package var payload: [UInt8]

    package init(
        action: Action,
        subject: Subject,
        environment: StoreEnvironment,
        identity: [UInt8]?,
        payload: [UInt8]
    ) {
        self.action = action
        self.subject = subject
        self.environment = environment
        self.identity = identity
        self.payload = payload
    }

    /// The accounts that the command names.
    var namedAccounts: [AccountID] {
        var accounts: [AccountID] = []
        if case .account(let account) = subject { accounts.append(account) }
        switch action {
        case .link(let account), .transfer(let account): accounts.append(account)
        case .spend, .issueGrant, .revokeGrant, .placeHold, .liftHold, .erase: break
        }
        return accounts
    }

    /// The identity in the log. It is made of the pseudonym, so that nothing in the log follows from the account.
    func identity(for pseudonym: AccountID) -> [UInt8]? {
        guard let identity else { return nil }
        return SHA256.hash(identity + Array(pseudonym.description.utf8)).bytes
    }
}
