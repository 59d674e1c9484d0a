import AppStore
import EntitlementAPI
import EntitlementDomain
import EventStore
import JSON
import JSONRPC

extension MethodTable {
    /// Every method of the service, and `rpc.discover` over them.
    static func all(
        reader: StatementReader,
        receipts: ReceiptReader,
        receiptService: ReceiptService?,
        receiptCompletion: (any ReceiptCompletion)?,
        reads: AccountReads,
        metrics: ServiceMetrics,
        signingKeys: SigningKeyRing,
        tokenIssuer: String,
        clients: AppStoreClients,
        checkpoints: CheckpointKeeper,
        clock: @escaping @Sendable () -> Instant
    ) -> MethodTable {
        let store = reads.store
        let lookups = Lookups(reads: reads)
        let purchases = PurchaseLookups(store: store, clock: clock)
        let submissions = Submissions(reader: reader, store: store, metrics: metrics, clock: clock)
        let completion = LineCompletion(intake: StatementIntake(store: store, metrics: metrics, clock: clock))
        let receiptSubmissions = ReceiptSubmissions(
            reader: receipts,
            service: receiptService,
            store: store,
            metrics: metrics,
            completion: receiptCompletion
                ?? HistoryReceiptCompletion(clients: clients, completion: completion),
            clock: clock
        )
        let commands = Commands(store: store, lookups: lookups, metrics: metrics)
        let storeActions = StoreActions(
            clients: clients,
            completion: completion,
            store: store,
            commands: commands,
            clock: clock
        )
        let changes = Changes(store: store)
        let catalogs = Catalogs(store: store, metrics: metrics)
        let tokens = Tokens(lookups: lookups, keys: signingKeys, issuer: tokenIssuer, clock: clock) { duration in
            try? await Task.sleep(for: duration)
        }
        let audits = Audits(
            store: store,
            signatures: EvidenceSignatures(verifier: reader.verifier, receipts: receipts.verifier),
            checkpoints: checkpoints,
            clock: clock
        )
        var table = MethodTable()
        table.add(EntitlementsGet.self, bytes: lookups.entitlementsJSON)
        table.add(EntitlementsCheck.self, bytes: lookups.checkJSON)
        table.add(EntitlementsExplain.self, lookups.explain)
        table.add(EntitlementsToken.self, tokens.issue)
        table.add(EntitlementsGetMany.self, bytes: lookups.manyJSON)
        table.add(SubscriptionsStatus.self, purchases.subscriptions)
        table.add(PurchasesList.self, purchases.purchases)
        table.add(TransactionsSubmit.self, submissions.transaction)
        table.add(TransactionsSubmitMany.self, submissions.transactions)
        table.add(AppTransactionsSubmit.self, submissions.appTransaction)
        table.add(ReceiptsSubmit.self, receiptSubmissions.receipt)
        table.add(PurchasesRestore.self, storeActions.restore)
        table.add(AccountsSetAppAccountToken.self, storeActions.setAppAccountToken)
        table.add(AccountsLink.self, commands.link)
        table.add(AccountsTransfer.self, commands.transfer)
        table.add(AccountsErase.self, commands.erase)
        table.add(GrantsIssue.self, commands.issue)
        table.add(GrantsRevoke.self, commands.revoke)
        table.add(HoldsPlace.self, commands.place)
        table.add(HoldsLift.self, commands.lift)
        table.add(BalancesGet.self, lookups.balances)
        table.add(BalancesSpend.self, commands.spend)
        table.add(EventsList.self, lookups.events)
        table.add(ChangesList.self, changes.list)
        table.add(CatalogGet.self, catalogs.get)
        table.add(CatalogPut.self, catalogs.put)
        table.add(AuditVerify.self, audits.verify)
        table.add(AuditReplay.self, audits.replay)
        table.add(AuditCheckpoint.self, audits.checkpoint)
        table.addDiscovery()
        return table
    }

    /// Adds `rpc.discover`, which describes all methods added before and itself.
    private mutating func addDiscovery() {
        let document = OpenRPCDocument.make(
            methods: declarations + [RPCDiscover.self],
            version: EntitlementServer.version
        )
        self.document = document
        add(RPCDiscover.self) { _ in RPCDiscover.Response(document: document) }
    }
}
