import EventStore
import Postgres

/// The condition code that the server refused a statement with; nil when it did it.
func refusal(_ session: PostgresSession, _ sql: String) -> SQLState? {
    do {
        try session.execute(sql)
        return nil
    } catch {
        return error.sqlState
    }
}

/// The store's error that work ended with; nil when it succeeded.
func storeError<Value>(_ body: () async throws -> Value) async throws -> StoreError? {
    do {
        _ = try await body()
        return nil
    } catch let error as StoreError {
        return error
    }
}
