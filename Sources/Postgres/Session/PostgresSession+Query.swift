import CLibpq

extension PostgresSession {
    /// Runs SQL text by the simple protocol: any number of commands separated by semicolons, in one implicit
    /// transaction unless the text has its own. For schema files and settings; rows are dropped.
    package func execute(_ sql: String) throws(PostgresError) {
        _ = try simple(sql)
    }

    func simple(_ sql: String, whenInterrupted: Bool = false) throws(PostgresError) -> ResultHandle {
        try Self.checkText(sql)
        return try command(whenInterrupted: whenInterrupted) { () throws(PostgresError) in
            guard unsafe PQsendQuery(connection.pointer, sql) == 1 else { throw connectionError() }
            return try finishCommand()
        }
    }

    /// Runs a prepared statement, preparing it first if this session has not yet. Parameters and rows travel in binary
    /// form.
    ///
    /// - Throws: `PostgresError`; of kind `protocol` when number or types of the parameters do not fit the statement.
    @discardableResult
    package func query(
        _ statement: PreparedStatement,
        _ parameters: [PostgresValue] = []
    ) throws(PostgresError) -> PostgresResult {
        let mayRepeat = isIdle
        do {
            return try runPrepared(statement, parameters)
        } catch {
            guard isOutdated(statement, error), mayRepeat, !isBroken else { throw error }
            return try runPrepared(statement, parameters)
        }
    }

    /// Runs a statement once, without keeping it prepared.
    @discardableResult
    package func query(_ sql: String, _ parameters: [PostgresValue] = []) throws(PostgresError) -> PostgresResult {
        try Self.checkText(sql)
        let types = parameters.map { $0.type.rawValue }
        return try command { () throws(PostgresError) in
            let sent = try unsafe parameterBuffer.withEncoded(parameters) { count, values, lengths, formats in
                unsafe PQsendQueryParams(connection.pointer, sql, count, types, values, lengths, formats, 1)
            }
            guard sent == 1 else { throw connectionError() }
            return PostgresResult(try finishCommand())
        }
    }

    private func runPrepared(
        _ statement: PreparedStatement,
        _ parameters: [PostgresValue]
    ) throws(PostgresError) -> PostgresResult {
        try prepare(statement, for: parameters)
        return try command { () throws(PostgresError) in
            guard try send(statement, parameters) else { throw connectionError() }
            return PostgresResult(try finishCommand())
        }
    }

    func send(_ statement: PreparedStatement, _ parameters: [PostgresValue]) throws(PostgresError) -> Bool {
        try unsafe parameterBuffer.withEncoded(parameters) { count, values, lengths, formats in
            unsafe PQsendQueryPrepared(connection.pointer, statement.name, count, values, lengths, formats, 1)
        } == 1
    }

    /// Makes sure that the server holds `statement` and that `parameters` fit it.
    func prepare(_ statement: PreparedStatement, for parameters: [PostgresValue]) throws(PostgresError) {
        let known: Prepared
        if let found = prepared[statement.name] {
            guard found.statement.sql == statement.sql else {
                throw PostgresError(.protocol, "two statements share the name \(statement.name)")
            }
            known = found
        } else {
            known = try prepare(statement)
        }
        guard parameters.count == known.types.count else {
            throw PostgresError(
                .protocol,
                "statement \(statement.name) takes \(known.types.count) parameters, got \(parameters.count)"
            )
        }
        for (index, type) in known.types.enumerated() where !parameters[index].fits(type) {
            throw PostgresError(
                .protocol,
                "parameter $\(index + 1) of statement \(statement.name) is \(type), got \(parameters[index].type)"
            )
        }
    }

    private func prepare(_ statement: PreparedStatement) throws(PostgresError) -> Prepared {
        try Self.checkText(statement.sql)
        try Self.checkText(statement.name)
        if outdated.contains(statement.name) {
            _ = try simple("DEALLOCATE " + Self.quoteIdentifier(statement.name))
            outdated.remove(statement.name)
        }
        let given = statement.parameterTypes.map { $0.rawValue }
        try command { () throws(PostgresError) in
            let sent = unsafe PQsendPrepare(
                connection.pointer,
                statement.name,
                statement.sql,
                Int32(given.count),
                given
            )
            guard sent == 1 else { throw connectionError() }
            _ = try finishCommand()
        }
        // The server's own view of the parameters, so that a wrong one is found before it is sent.
        let types = try command { () throws(PostgresError) in
            guard unsafe PQsendDescribePrepared(connection.pointer, statement.name) == 1 else {
                throw connectionError()
            }
            let description = try finishCommand()
            return unsafe (0..<PQnparams(description.pointer)).map {
                unsafe PostgresType(rawValue: PQparamtype(description.pointer, $0))
            }
        }
        let made = Prepared(statement: statement, types: types)
        prepared[statement.name] = made
        return made
    }

    /// Notices that the server no longer runs a prepared statement: the columns it returns were changed by a
    /// migration, or somebody deallocated it. It is prepared anew on its next use.
    @discardableResult
    func isOutdated(_ statement: PreparedStatement, _ error: PostgresError) -> Bool {
        guard prepared[statement.name] != nil else { return false }
        switch error.sqlState {
        case .featureNotSupported: outdated.insert(statement.name)
        case .invalidStatementName: break
        default: return false
        }
        prepared[statement.name] = nil
        return true
    }

    /// Whether the next use of a statement prepares it.
    func mustPrepareAgain(_ statement: PreparedStatement) -> Bool { prepared[statement.name] == nil }

    /// libpq takes C strings: a NUL would cut the text short without a word.
    static func checkText(_ text: String) throws(PostgresError) {
        guard !text.utf8.contains(0) else {
            throw PostgresError(.protocol, "SQL text contains a NUL character")
        }
    }
}
