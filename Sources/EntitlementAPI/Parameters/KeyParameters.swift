package import EntitlementDomain
package import JSONRPC

/// The key that a read is about: an account, or the line under an original transaction id; and where to look.
package struct KeyParameters: Sendable, Hashable {
    /// Whom the question is about.
    package enum Subject: Sendable, Hashable {
        case account(AccountID)
        case originalTransactionID(String)
    }

    package var subject: Subject
    package var environment: StoreEnvironment
    /// The cut through the log to answer from; nil: all of it.
    package var knownAt: KnownAt?
    /// The position that the answer must have reached.
    package var minPosition: LogPosition?
    /// How long to wait for it, in milliseconds.
    package var waitMilliseconds: Int64

    package static let declared = [
        CommonParameters.account.described, CommonParameters.originalTransactionID.described,
        CommonParameters.environment.described, CommonParameters.knownAt.described,
        CommonParameters.minPosition.described, CommonParameters.waitMilliseconds.described,
    ]

    package init(
        subject: Subject,
        environment: StoreEnvironment = .production,
        knownAt: KnownAt? = nil,
        minPosition: LogPosition? = nil,
        waitMilliseconds: Int64 = 0
    ) {
        self.subject = subject
        self.environment = environment
        self.knownAt = knownAt
        self.minPosition = minPosition
        self.waitMilliseconds = waitMilliseconds
    }

    package init(_ reader: ParameterReader) throws(JSONRPCError) {
        let account = try reader.optional(CommonParameters.account)
        let original = try reader.optional(CommonParameters.originalTransactionID)
        switch (account, original) {
        case (let account?, nil): subject = .account(account)
        case (nil, let original?): subject = .originalTransactionID(original)
        case (nil, nil):
            throw ParameterReader.invalid(
                "account",
                "account is missing; either it or originalTransactionId must be given"
            )
        case (_?, _?):
            throw ParameterReader.invalid("account", "either account or originalTransactionId must be given, not both")
        }
        environment = try reader.optional(CommonParameters.environment) ?? .production
        knownAt = try reader.optional(CommonParameters.knownAt)
        minPosition = try reader.optional(CommonParameters.minPosition)
        waitMilliseconds = try reader.optional(CommonParameters.waitMilliseconds) ?? 0
    }
}
