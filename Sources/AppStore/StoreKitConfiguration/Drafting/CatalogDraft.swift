import JSON

/// A catalog of this service, made from a StoreKit configuration, for the operator to complete.
///
/// The App Store's file says what is sold, not what it opens, so the draft guesses:
///
/// - Each subscription group is one entitlement, named after the group and granted by all its products.
/// - Each non-consumable and each pass is an entitlement of its own, with the product's id.
/// - Each consumable credits 1 unit of a currency of its own, with the product's id.
/// - A pass has `"duration": null`, which no check of a catalog accepts: the file does not say how long it lasts, and a
///   guess would give or take access that was paid for.
///
/// Levels, periods, Family Sharing, billing plans and offers are taken over. The subscription group is the id that
/// signed transactions carry, see `StoreKitSubscriptionGroup.id`.
package struct CatalogDraft: Sendable {
    /// Something for the operator to do in the draft.
    package struct Task: Sendable, Hashable, CustomStringConvertible {
        /// Line in the draft, from 1.
        package var line: Int
        /// Where in the draft, for example `products[2].duration`.
        package var path: String
        package var message: String
        /// Whether the draft is refused until it is done.
        package var isRequired: Bool

        package var description: String { "line \(line): \(path): \(message)" }
    }

    /// The catalog as JSON for people, ended by a line feed. The same configuration always gives the same bytes.
    package let bytes: [UInt8]
    /// What to look at before the catalog is put into force, in the order of the lines.
    package let tasks: [Task]

    /// Drafts the catalog.
    package init(_ configuration: StoreKitConfiguration) {
        var builder = CatalogDraftBuilder()
        builder.add(configuration)
        bytes = builder.document.prettySerialized() + [UInt8(ascii: "\n")]
        let map = try? JSONSourceMap(bytes)
        tasks = builder.notes.enumerated()
            .map { (offset, note) in
                let line = map?.nearestPosition(to: note.path).line ?? 1
                return (offset, Task(line: line, path: note.place, message: note.message, isRequired: note.isRequired))
            }
            .sorted { ($0.1.line, $0.0) < ($1.1.line, $1.0) }
            .map(\.1)
    }
}
