import EntitlementDomain
import Postgres

/// The row of table `catalog_walk`: which catalog the rows of projection `entitlements` follow, and how far.
struct CatalogWalk: Equatable {
    /// Of the catalog that the rows are brought to.
    var catalogPosition: Int64
    /// Of the last catalog that all rows followed.
    var previousPosition: Int64
    /// The last line that was looked at, as the parameters of the statements.
    var place: [PostgresValue]
    var isDone: Bool

    private static let placeColumns = "line_id, environment, bundle_id, store, ownership"

    private static let read = PreparedStatement(
        "SELECT \(placeColumns), catalog_position, previous_position, is_done FROM entitled.catalog_walk"
    )

    /// $1 position of the new catalog.
    static let begin = PreparedStatement(
        """
        UPDATE entitled.catalog_walk SET
            previous_position = CASE WHEN is_done THEN catalog_position ELSE previous_position END,
            catalog_position = $1::bigint, is_done = false,
            line_id = '', environment = '', bundle_id = '', store = '', ownership = ''
        """
    )

    /// $1 and $2 positions of the first and the last catalog -> the positions of those after the first.
    static let catalogs = PreparedStatement(
        """
        SELECT position FROM entitled.catalogs WHERE position > $1::bigint AND position <= $2::bigint ORDER BY position
        """
    )

    /// $1...$5 the line to start behind, $6 product ids in UTF-8, $7 the most lines -> the next lines, and whether a
    /// line's purchases are of one of the products.
    ///
    /// A state holds the ids of its products as they are, and the head of a long line those of all its products; one that
    /// holds the same bytes elsewhere is looked at in vain.
    static let page = PreparedStatement(
        """
        SELECT \(placeColumns),
            EXISTS (SELECT FROM unnest($6::bytea[]) AS p (id) WHERE position(p.id IN l.state) > 0)
        FROM entitled.lines l WHERE (\(placeColumns)) > ($1::text, $2::text, $3::text, $4::text, $5::text)
        ORDER BY \(placeColumns) LIMIT $7::bigint
        """
    )

    /// $1...$5 line keys (`LineKeys`) -> the lines' rows.
    static let rows = PreparedStatement(
        """
        SELECT \(placeColumns), \(EntitlementInterval.columns)
        FROM unnest(\(LineKeys.types)) AS k (\(LineKeys.columns))
        JOIN entitled.entitlements e USING (\(LineKeys.columns))
        """
    )

    /// $1...$5 the last line of the page, $6 whether it was the last page; $7 catalog and $8...$12 place as they were read.
    static let advance = PreparedStatement(
        """
        UPDATE entitled.catalog_walk SET line_id = $1::text, environment = $2::text, bundle_id = $3::text,
            store = $4::text, ownership = $5::text, is_done = $6::boolean
        WHERE catalog_position = $7::bigint AND NOT is_done
            AND (\(placeColumns)) = ($8::text, $9::text, $10::text, $11::text, $12::text)
        """
    )

    init(_ session: PostgresSession) throws {
        let row = try session.query(Self.read, [])
        guard !row.isEmpty else { throw StoreError.failed("table catalog_walk has no row; the database is damaged") }
        place = try (0..<5).map { .text(try row.text(0, $0)) }
        catalogPosition = try row.int64(0, 5)
        previousPosition = try row.int64(0, 6)
        isDone = try row.bool(0, 7)
    }

    /// A line as a place; the start without one.
    static func place(of line: LineID?) -> [PostgresValue] {
        guard let line else { return Array(repeating: .text(""), count: 5) }
        return [
            .text(line.originalTransactionID), .text(line.environment.rawValue), .text(line.bundleID),
            .text(line.store.rawValue), .text(line.ownership.rawValue),
        ]
    }
}
