import EntitlementDomain

/// A call of `entitlements.get` or `entitlements.check` in its plain form, read straight from the body:
///
///     {"jsonrpc":"2.0","id":1,"method":"entitlements.get","params":{"account":"11111111-…"}}
///
/// Members may come in any order, with white space. Everything else (batches, notifications, escapes, parameters that ask
/// for another time, and whatever is wrong) gives nil: the general way knows what to do with it.
struct QuickCall {
    enum Method: Sendable {
        case get
        case check
    }

    let method: Method
    /// The id as it was sent, quotes included.
    let id: Range<Int>
    let key: AnswerKey
    /// The name of the entitlement, without its quotes; only for `check`.
    let entitlement: Range<Int>?
    let minimum: LogPosition?

    /// The parts that a request object may have here.
    private struct Members {
        var hasVersion = false
        var method: Method?
        var id: Range<Int>?
        var params: Params?
    }

    private struct Params {
        var account: AccountID?
        var environment: UInt8?
        var entitlement: Range<Int>?
        var minimum: LogPosition?
        var hasWait = false
    }

    init?(_ body: [UInt8]) {
        var cursor = ByteCursor(body)
        guard cursor.skip(UInt8(ascii: "{")) else { return nil }
        var members = Members()
        repeat {
            guard let name = cursor.string(), cursor.skip(UInt8(ascii: ":")), Self.read(name, &cursor, &members) else {
                return nil
            }
        } while cursor.skip(UInt8(ascii: ","))
        guard cursor.skip(UInt8(ascii: "}")), cursor.isAtEnd(), members.hasVersion, let method = members.method,
            let id = members.id, let params = members.params, let account = params.account,
            (method == .check) == (params.entitlement != nil)
        else { return nil }
        self.method = method
        self.id = id
        key = AnswerKey(account, environment: params.environment ?? 0)
        entitlement = params.entitlement
        minimum = params.minimum
    }

    /// Reads the member of this name; false for one that is not plain, or comes again.
    private static func read(_ name: Range<Int>, _ cursor: inout ByteCursor, _ members: inout Members) -> Bool {
        switch name.count {
        case 7 where holds(name, "jsonrpc", cursor):
            guard !members.hasVersion, let text = cursor.string(), holds(text, "2.0", cursor) else { return false }
            members.hasVersion = true
        case 2 where holds(name, "id", cursor):
            guard members.id == nil else { return false }
            if cursor.peek() == UInt8(ascii: "\"") {
                guard let text = cursor.string() else { return false }
                members.id = text.lowerBound - 1..<text.upperBound + 1
            } else {
                members.id = cursor.number()
            }
            return members.id != nil
        case 6 where holds(name, "method", cursor):
            guard members.method == nil, let text = cursor.string() else { return false }
            if holds(text, "entitlements.get", cursor) {
                members.method = .get
            } else if holds(text, "entitlements.check", cursor) {
                members.method = .check
            } else {
                return false
            }
        case 6 where holds(name, "params", cursor):
            guard members.params == nil else { return false }
            members.params = params(&cursor)
            return members.params != nil
        default: return false
        }
        return true
    }

    private static func params(_ cursor: inout ByteCursor) -> Params? {
        guard cursor.skip(UInt8(ascii: "{")) else { return nil }
        var params = Params()
        repeat {
            guard let name = cursor.string(), cursor.skip(UInt8(ascii: ":")), read(name, &cursor, &params) else {
                return nil
            }
        } while cursor.skip(UInt8(ascii: ","))
        return cursor.skip(UInt8(ascii: "}")) ? params : nil
    }

    private static func read(_ name: Range<Int>, _ cursor: inout ByteCursor, _ params: inout Params) -> Bool {
        switch name.count {
        case 7 where holds(name, "account", cursor):
            guard params.account == nil, let text = cursor.string() else { return false }
            params.account = AccountID(utf8: cursor.bytes.span.extracting(text))
            return params.account != nil
        case 11 where holds(name, "environment", cursor):
            guard params.environment == nil, let text = cursor.string() else { return false }
            if holds(text, "Production", cursor) {
                params.environment = 0
            } else if holds(text, "Sandbox", cursor) {
                params.environment = 1
            } else if holds(text, "Xcode", cursor) {
                params.environment = 2
            }
            return params.environment != nil
        case 11 where holds(name, "entitlement", cursor):
            guard params.entitlement == nil, let text = cursor.string(), (1...128).contains(text.count) else {
                return false
            }
            params.entitlement = text
        case 11 where holds(name, "minPosition", cursor):
            guard params.minimum == nil, let text = cursor.string() else { return false }
            params.minimum = position(text, cursor)
            return params.minimum != nil
        case 6 where holds(name, "waitMs", cursor):
            // Whoever is answered at once need not wait; the number must be a sound one all the same.
            guard !params.hasWait, let text = cursor.number(), let wait = value(text, cursor), wait <= 30_000 else {
                return false
            }
            params.hasWait = true
        default: return false
        }
        return true
    }

    // MARK: Values

    @inline(__always)
    private static func holds(_ range: Range<Int>, _ text: String, _ cursor: ByteCursor) -> Bool {
        guard range.count == text.utf8.count else { return false }
        return cursor.holds(text, at: range.lowerBound)
    }

    /// `epoch:number`.
    private static func position(_ range: Range<Int>, _ cursor: ByteCursor) -> LogPosition? {
        var colon = range.lowerBound
        while colon < range.upperBound, cursor.bytes[colon] != UInt8(ascii: ":") { colon += 1 }
        guard colon < range.upperBound, let epoch = value(range.lowerBound..<colon, cursor),
            let number = value(colon + 1..<range.upperBound, cursor)
        else { return nil }
        return LogPosition(epoch: Int(epoch), number: number)
    }

    /// The value of 1 to 18 digits; nil for anything else.
    private static func value(_ range: Range<Int>, _ cursor: ByteCursor) -> Int64? {
        guard (1...18).contains(range.count) else { return nil }
        var value: Int64 = 0
        for index in range {
            let digit = cursor.bytes[index] &- 48
            guard digit <= 9 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return value
    }
}
