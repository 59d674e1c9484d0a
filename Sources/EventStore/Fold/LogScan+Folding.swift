import EntitlementDomain
import Postgres

extension LogScan {
    /// Folds the lines of one bucket and lends one after the other.
    ///
    /// - Returns: the number of events.
    @discardableResult
    func foldLines(inBucket bucket: Int, _ body: (FoldedLine) throws -> Void) throws -> Int64 {
        let rows = try lines.rows(of: bucket)
        var order: [(hash: UInt64, position: Int64, offset: Int)] = []
        try rows.readAll { offset, row in
            guard let hash = try KeyHash.of([6, 4], row) else { return }
            order.append((hash, try row.int64(0), offset))
        }
        order.sort { ($0.hash, $0.position) < ($1.hash, $1.position) }
        // One group is the events of one original transaction id; of more only where two ids have the same hash.
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, order[end].hash == order[start].hash { end += 1 }
            for line in try Self.fold(rows, order[start..<end].lazy.map(\.offset)) {
                try note(line)
                try body(line)
            }
            start = end
        }
        lines.drop(bucket)
        return Int64(order.count)
    }

    private static func fold(_ rows: EncodedRows, _ offsets: some Sequence<Int>) throws -> [FoldedLine] {
        var folded: [FoldedLine] = []
        try rows.read(at: offsets) { row in
            let event = try EventRecord(row)
            guard let id = event.line else { return }
            let index = folded.firstIndex { $0.state.id == id } ?? folded.count
            if index == folded.count { folded.append(FoldedLine(id)) }
            folded[index].apply(event)
        }
        return folded
    }

    private func note(_ line: FoldedLine) throws {
        for account in line.owners {
            let key = LogFold.AccountKey(environment: line.state.id.environment, account: account)
            try touches.append(AccountTouch(key: key).encoded, hash: KeyHash.of(account))
        }
    }

    /// Folds the accounts of one bucket, once all lines are folded.
    func foldAccounts(inBucket bucket: Int) throws -> [LogFold.AccountKey: FoldedAccount] {
        var accounts: [LogFold.AccountKey: FoldedAccount] = [:]
        try touches.rows(of: bucket).readAll { _, row in
            let key = try AccountTouch(row).key
            if accounts[key] == nil { accounts[key] = FoldedAccount() }
        }
        let rows = try self.accounts.rows(of: bucket)
        var order: [(position: Int64, offset: Int)] = []
        try rows.readAll { offset, row in order.append((try row.int64(0), offset)) }
        order.sort { $0.position < $1.position }
        try rows.read(at: order.lazy.map(\.offset)) { row in
            let event = try EventRecord(row)
            guard let account = event.account, let command = event.accountCommand else { return }
            let key = LogFold.AccountKey(environment: event.environment, account: account)
            accounts[key, default: FoldedAccount()].apply(event, command)
        }
        touches.drop(bucket)
        self.accounts.drop(bucket)
        return accounts
    }
}
