import Postgres

/// Everything that a migration makes, as PostgreSQL describes it: two equal descriptions are equal schemas.
struct SchemaDescription: Hashable {
    let objects: [String]

    init(_ session: PostgresSession) throws {
        let result = try session.query(
            """
            WITH relation AS (
                SELECT c.*, nspname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
                WHERE nspname !~ '^(pg_|information_schema)'
            )
            SELECT format('%s %s kind %s options %s rights %s partition %s', nspname, relname, relkind, reloptions, relacl,
                pg_get_expr(relpartbound, oid)) FROM relation
            UNION ALL
            SELECT format('column %s.%s %s not null %s default %s at %s', relname, attname,
                format_type(atttypid, atttypmod), attnotnull, pg_get_expr(adbin, adrelid), attnum)
            FROM relation JOIN pg_attribute a ON attrelid = relation.oid LEFT JOIN pg_attrdef d
                ON adrelid = attrelid AND adnum = attnum WHERE attnum > 0
            UNION ALL
            SELECT format('constraint %s of %s: %s', conname, relname, pg_get_constraintdef(c.oid))
            FROM relation JOIN pg_constraint c ON conrelid = relation.oid
            UNION ALL
            SELECT pg_get_indexdef(indexrelid) FROM relation JOIN pg_index ON indrelid = relation.oid
            UNION ALL
            SELECT pg_get_triggerdef(t.oid) FROM relation JOIN pg_trigger t ON tgrelid = relation.oid
            UNION ALL
            SELECT format('%s rights %s', pg_get_functiondef(p.oid), proacl) FROM pg_proc p
            JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname = 'entitled'
            UNION ALL
            SELECT format('schema %s rights %s', nspname, nspacl) FROM pg_namespace WHERE nspname !~ '^pg_'
            ORDER BY 1
            """
        )
        objects = try result.rows.map { try result.text($0, 0) }
    }
}
