import AppStore
import EventStore
import JSON

/// Files that people hand to the command line.
enum FuzzFiles {
    static func storekit(_ bytes: [UInt8]) throws(FuzzFinding) {
        _ = (try? JSONParser.parse(bytes)).map { StoreKitConfiguration.recognizes($0) }
        guard let (configuration, _) = try? StoreKitConfiguration.read(bytes) else { return }
        let draft = CatalogDraft(configuration)
        guard (try? JSONParser.parse(draft.bytes)) != nil else { throw FuzzFinding("the drafted catalog is not JSON") }
        _ = try? CatalogDocument.read(draft.bytes)
    }

    static func catalog(_ bytes: [UInt8]) throws(FuzzFinding) {
        guard let document = try? CatalogDocument.read(bytes) else { return }
        guard let again = try? CatalogDocument.read(document.canonicalJSON),
            again.canonicalJSON == document.canonicalJSON
        else { throw FuzzFinding("the canonical form of a catalog is no catalog, or another") }
    }

    static func archive(_ bytes: [UInt8]) {
        var check = ArchiveCheck()
        do {
            for line in bytes.split(separator: UInt8(ascii: "\n")) { try check.take(Array(line)) }
            _ = try check.finish()
        } catch {}
    }
}
