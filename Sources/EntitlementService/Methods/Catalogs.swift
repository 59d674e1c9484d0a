import EntitlementAPI
import EventStore
import JSON
import JSONRPC

/// The methods about the catalog.
struct Catalogs: Sendable {
    let store: PostgresEventStore
    let metrics: ServiceMetrics

    func get(_ parameters: CatalogGet.Parameters) async throws(JSONRPCError) -> CatalogGet.Response {
        do {
            return CatalogGet.Response(catalog: try await store.catalogJSON(), position: try await store.position())
        } catch {
            throw JSONRPCError(error)
        }
    }

    func put(_ parameters: CatalogPut.Parameters) async throws(JSONRPCError) -> CatalogPut.Response {
        let json: [UInt8]
        do {
            // Read from its own text, so that problems name a path; the lines would be those of the text, not the call's.
            json = try CatalogDocument.read(parameters.catalog.serialized()).canonicalJSON
        } catch {
            throw CatalogPut.invalid(error.problems.map { $0.path.isEmpty ? $0.message : "\($0.path): \($0.message)" })
        }
        do {
            let outcome = try await store.append(.catalog(json))
            metrics.count(outcome)
            // What this does not finish the background does.
            if !outcome.events.isEmpty { _ = try? await store.followCatalog(upTo: .seconds(2)) }
            return CatalogPut.Response(position: outcome.head, isChanged: !outcome.events.isEmpty)
        } catch {
            throw JSONRPCError(error)
        }
    }
}
