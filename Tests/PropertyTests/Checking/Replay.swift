import EntitlementDomain
import TestKit

/// The product's side of a history: its statements folded in some order.
struct Replay {
    var lines: [LineID: LineState] = [:]

    /// - Parameter order: indices of the history's statements, repetitions included.
    init(_ history: History, order: [Int]? = nil) {
        for index in order ?? Array(history.statements.indices) { deliver(history.statements[index]) }
        // Links come in log order, whichever statements lie between them.
        for link in history.links {
            lines[link.line, default: LineState(id: link.line)].apply(
                OwnerLink(account: link.account, position: link.position)
            )
        }
    }

    private mutating func deliver(_ statement: SignedStatement) {
        var line = lines[statement.line] ?? LineState(id: statement.line)
        let type = line.eventType(for: statement.facts, catalog: History.catalog)
        line.apply(
            statement.facts,
            announces: type.announces(statement.transaction, isNamed: statement.name != nil)
        )
        lines[statement.line] = line
    }

    func account(_ id: AccountID = History.account) -> Account {
        Account(lines: lines.values.filter { $0.owner == id })
    }

    /// The bytes of every line by id.
    var bytes: [LineID: [UInt8]] { lines.mapValues(\.encoded) }
}
