import EntitlementAPI
import EntitlementDomain
import EventStore
import JSON
import JSONRPC
import X509

/// The methods that append a command of the company: spends, grants, holds, ownership.
struct Commands: Sendable {
    let store: PostgresEventStore
    let lookups: Lookups
    let metrics: ServiceMetrics

    // MARK: Balances

    func spend(_ parameters: BalancesSpend.Parameters) async throws(JSONRPCError) -> BalancesResponse {
        try await checkCatalog { catalog in
            catalog.currencies.contains(parameters.currency)
                ? nil : ParameterReader.invalid("currency", "currency must be one that the catalog lists")
        }
        let outcome = try await append(
            .spend(currency: parameters.currency, units: parameters.amount),
            BalancesSpend.name,
            subject: .account(parameters.account),
            parameters.command,
            ["currency": .string(parameters.currency), "amount": .number(JSONNumber(parameters.amount))]
        )
        let key = KeyParameters(
            subject: .account(parameters.account),
            environment: parameters.command.environment
        )
        let balances = try await lookups.balances(EntitlementsGet.Parameters(key: key, at: nil))
        return BalancesResponse(
            balances: balances.balances,
            position: balances.position,
            isRepetition: outcome.events.isEmpty
        )
    }

    // MARK: Grants and holds

    func issue(_ parameters: GrantsIssue.Parameters) async throws(JSONRPCError) -> CommandResponse {
        try await checkCatalog { catalog in
            catalog.entitlements.contains(parameters.entitlement)
                ? nil : ParameterReader.invalid("entitlement", "entitlement must be one that the catalog lists")
        }
        let outcome = try await append(
            .issueGrant(
                entitlement: parameters.entitlement,
                startsAt: parameters.startsAt,
                endsAt: parameters.expiresAt
            ),
            GrantsIssue.name,
            subject: .account(parameters.account),
            parameters.command,
            [
                "entitlement": .string(parameters.entitlement),
                "startsAt": parameters.startsAt.map { .string($0.iso8601) } ?? .null,
                "expiresAt": parameters.expiresAt.map { .string($0.iso8601) } ?? .null,
            ]
        )
        return response(outcome, idName: "grantId")
    }

    func revoke(_ parameters: GrantsRevoke.Parameters) async throws(JSONRPCError) -> CommandResponse {
        let outcome = try await append(
            .revokeGrant(parameters.grantID),
            GrantsRevoke.name,
            subject: .account(parameters.account),
            parameters.command,
            ["grantId": .string(parameters.grantID.description)]
        )
        return response(outcome, idName: "grantId")
    }

    func place(_ parameters: HoldsPlace.Parameters) async throws(JSONRPCError) -> CommandResponse {
        let outcome = try await append(
            .placeHold(entitlement: parameters.entitlement),
            HoldsPlace.name,
            subject: parameters.subject,
            parameters.command,
            [
                "entitlement": parameters.entitlement.map { .string($0) } ?? .null,
                "owner": .string(parameters.owner),
            ]
        )
        return response(outcome, idName: "holdId")
    }

    func lift(_ parameters: HoldsLift.Parameters) async throws(JSONRPCError) -> CommandResponse {
        let outcome = try await append(
            .liftHold(parameters.holdID),
            HoldsLift.name,
            subject: parameters.subject,
            parameters.command,
            ["holdId": .string(parameters.holdID.description)]
        )
        return response(outcome, idName: "holdId")
    }

    // MARK: Ownership

    func link(_ parameters: AccountsLink.Parameters) async throws(JSONRPCError) -> CommandResponse {
        let outcome = try await append(
            .link(to: parameters.account),
            AccountsLink.name,
            subject: .originalTransactionID(parameters.originalTransactionID),
            parameters.command,
            ["toAccount": .string(parameters.account.description)]
        )
        return response(outcome, idName: nil)
    }

    func transfer(_ parameters: AccountsTransfer.Parameters) async throws(JSONRPCError) -> CommandResponse {
        let outcome = try await append(
            .transfer(to: parameters.toAccount),
            AccountsTransfer.name,
            subject: parameters.subject,
            parameters.command,
            ["toAccount": .string(parameters.toAccount.description)]
        )
        return response(outcome, idName: nil)
    }

    func erase(_ parameters: AccountsErase.Parameters) async throws(JSONRPCError) -> AccountsErase.Response {
        var payload: JSONObject = [
            "method": .string(AccountsErase.name), "account": .string(parameters.account.description),
        ]
        if let reason = parameters.reason { payload.set("reason", .string(reason)) }
        if let key = parameters.idempotencyKey { payload.set("idempotencyKey", .string(key)) }
        let outcome = try await append(
            AccountCommand(
                action: .erase,
                subject: .account(parameters.account),
                environment: parameters.environment ?? StoreEnvironment(rawValue: ""),
                identity: nil,
                payload: JSONValue.object(payload).canonicalBytes()
            )
        )
        return AccountsErase.Response(
            position: outcome.head,
            erasures: outcome.erasures.map {
                AccountsErase.Erasure(environment: $0.environment, lineCount: $0.lineCount)
            }
        )
    }

    // MARK: Shared

    private func response(_ outcome: AppendOutcome, idName: String?) -> CommandResponse {
        CommandResponse(
            position: outcome.head,
            id: idName.flatMap { name in outcome.commandID.map { (name, $0) } },
            isRepetition: outcome.events.isEmpty
        )
    }

    private func append(
        _ action: AccountCommand.Action,
        _ method: String,
        subject: KeyParameters.Subject,
        _ parameters: CommandParameters,
        _ details: JSONObject
    ) async throws(JSONRPCError) -> AppendOutcome {
        var payload = details
        payload.set("method", .string(method))
        switch subject {
        case .account(let account): payload.set("account", .string(account.description))
        case .originalTransactionID(let id): payload.set("originalTransactionId", .string(id))
        }
        payload.set("environment", .string(parameters.environment.rawValue))
        if let reason = parameters.reason { payload.set("reason", .string(reason)) }
        if let key = parameters.idempotencyKey { payload.set("idempotencyKey", .string(key)) }
        let command = AccountCommand(
            action: action,
            subject: {
                switch subject {
                case .account(let account): .account(account)
                case .originalTransactionID(let id): .line(id)
                }
            }(),
            environment: parameters.environment,
            identity: parameters.idempotencyKey.map { Self.identity(method, parameters.environment, subject, key: $0) },
            payload: JSONValue.object(payload).canonicalBytes()
        )
        return try await append(command)
    }

    private func append(_ command: AccountCommand) async throws(JSONRPCError) -> AppendOutcome {
        let outcome: AppendOutcome
        do {
            outcome = try await store.append(.command(command))
        } catch {
            throw JSONRPCError(error)
        }
        metrics.count(outcome)
        switch outcome.refusal {
        case nil: return outcome
        case .ownershipConflict: throw ErrorReason.ownershipConflict.error("Another account owns this purchase.")
        case .insufficientBalance(let available):
            throw ErrorReason.insufficientBalance.error(
                "The balance is smaller than the amount.",
                details: ["available": .number(JSONNumber(available))]
            )
        case .idempotencyMismatch:
            throw ErrorReason.idempotencyMismatch.error(
                "This idempotency key was used before with other parameters; use a new key for a new call."
            )
        case .notFound:
            throw ErrorReason.notFound.error(
                command.action == .erase
                    ? "No purchase, grant or hold here names this account: there is nothing to erase."
                    : "There is no such purchase, grant or hold here, or it is over already."
            )
        case .accountErased: throw .accountErased
        }
    }

    /// The same for each repetition of a call: of one method, about one subject, under one key. What follows from an account
    /// the store adds, so that it goes with the account.
    private static func identity(
        _ method: String,
        _ environment: StoreEnvironment,
        _ subject: KeyParameters.Subject,
        key: String
    ) -> [UInt8] {
        let name: String
        switch subject {
        case .account: name = ""
        case .originalTransactionID(let id): name = id
        }
        let parts: JSONValue = [.string(method), .string(environment.rawValue), .string(name), .string(key)]
        return SHA256.hash(parts.canonicalBytes()).bytes
    }

    private func checkCatalog(_ problem: (Catalog) -> JSONRPCError?) async throws(JSONRPCError) {
        let catalog: Catalog
        do {
            catalog = try await store.catalog()
        } catch {
            throw JSONRPCError(error)
        }
        if let problem = problem(catalog) { throw problem }
    }
}
