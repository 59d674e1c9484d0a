import Postgres

/// Everything about the projections' tables but their rows: columns, constraints, indexes, owner, grants, settings.
struct TableShape: Equatable {
    let lines: [String]

    init(_ session: PostgresSession) throws {
        let found = try session.query(
            """
            WITH tables AS (
                SELECT * FROM pg_class WHERE relnamespace = 'entitled'::regnamespace AND relkind = 'r'
            )
            SELECT format('%s owner %s, rights %s, options %s', relname, relowner::regrole,
                (SELECT string_agg(a::text, ' ' ORDER BY a::text) FROM unnest(relacl) a), reloptions) AS line FROM tables
            UNION ALL
            SELECT format('%s.%s %s %s %s', t.relname, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
                a.attnotnull) FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0
            UNION ALL
            SELECT format('%s %s %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
            FROM tables t JOIN pg_constraint c ON c.conrelid = t.oid
            UNION ALL
            SELECT pg_get_indexdef(i.indexrelid) FROM tables t JOIN pg_index i ON i.indrelid = t.oid
            UNION ALL
            SELECT pg_get_triggerdef(g.oid) FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal
            ORDER BY line
            """
        )
        lines = try found.rows.map { try found.text($0, 0) }
    }
}
