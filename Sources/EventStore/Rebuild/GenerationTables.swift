import Postgres

/// The tables of a new generation of the projections, in a schema of their own, and the SQL that makes them and puts them
/// into the place of the live ones.
///
/// Tables keep their names and so do their constraints and indexes: names are unique within a schema, and moving a table
/// to another schema takes them along. Owner, storage settings, triggers and grants are copied.
enum GenerationTables {
    /// Where the new generation grows.
    static let schema = "entitled_next"

    /// The projections that are made anew, by name.
    static let names = ["lines", "line_history", "former_owners", "accounts", "entitlements"]

    private static let array = "ARRAY[\(names.map { "'\($0)'" }.joined(separator: ", "))]"

    /// Makes empty tables without indexes, and drops what an earlier run left.
    static let create = """
        DROP SCHEMA IF EXISTS \(schema) CASCADE;
        CREATE SCHEMA \(schema);
        CREATE TABLE \(schema).rebuild (
            run_id uuid NOT NULL,           -- names the directory of the run's files
            fingerprint text NOT NULL,      -- of the program's rules: others start over
            epoch integer NOT NULL,
            position bigint NOT NULL,       -- the log's head as it was read
            hash bytea NOT NULL,
            catalogs bigint[] NOT NULL,     -- the positions of the catalogs up to there
            bucket_count integer NOT NULL,
            file_bytes bigint NOT NULL      -- of the run's files together
        );
        CREATE TABLE \(schema).rebuild_buckets (
            bucket integer NOT NULL         -- its lines are written
        );
        DO $$
        DECLARE
            name text;
            live regclass;
            found record;
        BEGIN
            FOREACH name IN ARRAY \(array) LOOP
                live := format('entitled.%I', name)::regclass;
                EXECUTE format('CREATE TABLE \(schema).%I (LIKE %s INCLUDING ALL EXCLUDING INDEXES)', name, live);
                FOR found IN SELECT unnest(reloptions) AS setting FROM pg_class WHERE oid = live LOOP
                    EXECUTE format('ALTER TABLE \(schema).%I SET (%s)', name, found.setting);
                END LOOP;
                FOR found IN
                    SELECT a.privilege_type, a.is_grantable, NULL AS attname,
                        CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END AS grantee
                    FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) a WHERE c.oid = live
                    UNION ALL
                    SELECT a.privilege_type, a.is_grantable, t.attname,
                        CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
                    FROM pg_attribute t CROSS JOIN LATERAL aclexplode(t.attacl) a
                    WHERE t.attrelid = live AND NOT t.attisdropped
                LOOP
                    EXECUTE format('GRANT %s%s ON \(schema).%I TO %s%s', found.privilege_type,
                        CASE WHEN found.attname IS NULL THEN '' ELSE format(' (%I)', found.attname) END, name,
                        found.grantee, CASE WHEN found.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END);
                END LOOP;
                EXECUTE format('ALTER TABLE \(schema).%I OWNER TO %s', name,
                    (SELECT relowner::regrole::text FROM pg_class WHERE oid = live));
            END LOOP;
        END
        $$
        """

    /// $1 tables -> the commands that make their constraints, indexes and triggers, each with its table.
    static let definitions = PreparedStatement(
        """
        SELECT c.relname::text,
            CASE WHEN k.oid IS NULL
                THEN replace(pg_get_indexdef(i.indexrelid), format(' ON entitled.%I ', c.relname),
                    format(' ON \(schema).%I ', c.relname))
                ELSE format('ALTER TABLE \(schema).%I ADD CONSTRAINT %I %s', c.relname, k.conname,
                    pg_get_constraintdef(k.oid))
            END
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
        LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.conrelid = c.oid AND k.contype IN ('p', 'u', 'x')
        WHERE c.relnamespace = 'entitled'::regnamespace AND c.relname = ANY($1::text[])
        UNION ALL
        SELECT c.relname::text, replace(pg_get_triggerdef(t.oid), format(' ON entitled.%I ', c.relname),
            format(' ON \(schema).%I ', c.relname))
        FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
        WHERE NOT t.tgisinternal AND c.relnamespace = 'entitled'::regnamespace AND c.relname = ANY($1::text[])
        """
    )

    /// Drops the indexes and triggers that an interrupted run has made.
    static let dropIndexes = """
        DO $$
        DECLARE
            command text;
        BEGIN
            FOR command IN
                SELECT CASE WHEN k.oid IS NULL THEN format('DROP INDEX %s', i.indexrelid::regclass)
                    ELSE format('ALTER TABLE %s DROP CONSTRAINT %I', i.indrelid::regclass, k.conname) END
                FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
                LEFT JOIN pg_constraint k ON k.conindid = i.indexrelid AND k.conrelid = c.oid
                WHERE c.relnamespace = '\(schema)'::regnamespace AND c.relname = ANY(\(array))
                UNION ALL
                SELECT format('DROP TRIGGER %I ON %s', t.tgname, c.oid::regclass)
                FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                WHERE NOT t.tgisinternal AND c.relnamespace = '\(schema)'::regnamespace
            LOOP
                EXECUTE command;
            END LOOP;
        END
        $$
        """

    /// $1 tables -> what depends on the live ones and cannot be moved to the new ones: everything but plain views.
    static let dependents = PreparedStatement(
        """
        WITH tables AS (
            SELECT oid FROM pg_class WHERE relnamespace = 'entitled'::regnamespace AND relname = ANY($1::text[])
        )
        SELECT DISTINCT CASE WHEN v.oid IS NULL THEN pg_describe_object(d.classid, d.objid, d.objsubid)
            ELSE pg_describe_object('pg_class'::regclass, v.oid, 0) END
        FROM pg_depend d
        LEFT JOIN pg_rewrite r ON d.classid = 'pg_rewrite'::regclass AND r.oid = d.objid
        LEFT JOIN pg_class v ON v.oid = r.ev_class
        WHERE d.refclassid = 'pg_class'::regclass AND d.refobjid IN (SELECT oid FROM tables) AND d.deptype = 'n'
            AND NOT coalesce(v.relkind = 'v' AND pg_has_role(v.relowner, 'USAGE'), false)
        UNION ALL
        SELECT format('publication %s', p.pubname) FROM pg_publication_rel l
        JOIN pg_publication p ON p.oid = l.prpubid WHERE l.prrelid IN (SELECT oid FROM tables)
        """
    )

    /// Puts the new generation into the place of the live one, and views with it. Belongs in the transaction that holds
    /// the log's lock.
    static let swap = """
        SET LOCAL search_path = pg_catalog;
        CREATE SCHEMA entitled_previous;
        DO $$
        DECLARE
            name text;
            views text[];
            command text;
        BEGIN
            SELECT array_agg(format('CREATE OR REPLACE VIEW %s%s AS %s', v.oid::regclass,
                    ' WITH (' || array_to_string(v.reloptions, ', ') || ')', pg_get_viewdef(v.oid)))
                INTO views
                FROM pg_class v
                WHERE v.relkind = 'v' AND v.oid IN (
                    SELECT r.ev_class FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
                    JOIN pg_class c ON c.oid = d.refobjid
                    WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass
                        AND c.relnamespace = 'entitled'::regnamespace AND c.relname = ANY(\(array)));
            FOREACH name IN ARRAY \(array) LOOP
                EXECUTE format('ALTER TABLE entitled.%I SET SCHEMA entitled_previous', name);
                EXECUTE format('ALTER TABLE \(schema).%I SET SCHEMA entitled', name);
            END LOOP;
            FOREACH command IN ARRAY coalesce(views, '{}') LOOP
                EXECUTE command;
            END LOOP;
            FOREACH name IN ARRAY \(array) LOOP
                EXECUTE format('DROP TABLE entitled_previous.%I', name);
            END LOOP;
        END
        $$;
        DROP SCHEMA entitled_previous;
        DROP TABLE \(schema).rebuild, \(schema).rebuild_buckets, \(schema).changed;
        DROP SCHEMA \(schema)
        """
}
