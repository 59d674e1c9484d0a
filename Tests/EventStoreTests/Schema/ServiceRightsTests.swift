import EventStore
import Postgres
import Testing

/// The service's role may do what the service needs and nothing else.
@Suite struct ServiceRightsTests {
    @Test func itsRightsOnTablesAreExactlyThese() async throws {
        let expected = [
            "account_names: DELETE INSERT SELECT",
            "accounts: INSERT SELECT UPDATE",
            "api_keys: SELECT UPDATE",
            "catalog_walk: SELECT UPDATE",
            "catalogs: INSERT SELECT",
            "certificate_chains: INSERT SELECT",
            "entitlements: DELETE INSERT SELECT UPDATE",
            "erased_accounts: INSERT SELECT",
            "erasure_secret: SELECT",
            "events: INSERT SELECT",
            "events_00000: INSERT SELECT",
            "evidence: INSERT SELECT",
            "feed: INSERT SELECT UPDATE",
            "feed_walk: SELECT UPDATE",
            "former_owners: INSERT SELECT",
            "line_history: DELETE INSERT SELECT UPDATE",
            "lines: INSERT SELECT UPDATE",
            "log_head: SELECT UPDATE",
            "quarantine: DELETE INSERT SELECT UPDATE",
            "reconcile_cursors: INSERT SELECT UPDATE",
            "reconcile_lease: INSERT SELECT UPDATE",
            "reconcile_lines: INSERT SELECT UPDATE",
            "schema_version: SELECT",
            "statements: INSERT SELECT",
        ]
        try await StoreDatabase.with { database in
            let granted = try await database.owner { session in
                try texts(
                    session,
                    """
                    SELECT table_name || ': ' || string_agg(privilege_type, ' ' ORDER BY privilege_type)
                    FROM information_schema.role_table_grants
                    WHERE grantee = 'entitled_service' AND table_schema NOT IN ('pg_catalog', 'information_schema')
                    GROUP BY table_name ORDER BY table_name
                    """
                )
            }
            // A right on one column is none on the table.
            #expect(granted == expected.map { $0 == "api_keys: SELECT UPDATE" ? "api_keys: SELECT" : $0 })
            // What it may do in the end, whoever the right comes from: PUBLIC, another role, a column grant.
            let effective = try await database.owner { session in
                try texts(
                    session,
                    """
                    SELECT c.relname || ': ' || string_agg(p, ' ' ORDER BY p)
                    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace,
                        unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) p
                    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname !~ '^(pg_|information_schema)'
                        AND CASE WHEN p IN ('DELETE', 'TRUNCATE', 'TRIGGER')
                            THEN has_table_privilege('entitled_service', c.oid, p)
                            ELSE has_any_column_privilege('entitled_service', c.oid, p) END
                    GROUP BY c.relname ORDER BY c.relname
                    """
                )
            }
            #expect(effective == expected)
        }
    }

    @Test func ofKeysItMayWriteTheLastUseAlone() async throws {
        try await StoreDatabase.with { database in
            let columns = try await database.owner { session in
                try texts(
                    session,
                    """
                    SELECT attname::text FROM pg_attribute
                    WHERE attrelid = 'entitled.api_keys'::regclass AND attnum > 0
                        AND has_column_privilege('entitled_service', attrelid, attnum, 'UPDATE')
                    """
                )
            }
            #expect(columns == ["last_used_at"])
            try await database.service { try $0.execute("UPDATE entitled.api_keys SET last_used_at = now()") }
        }
    }

    /// Databases that were made when the role had more rights are migrated to those of today.
    @Test func aMigrationTakesBackWhatWasGivenBeyond() async throws {
        try await StoreDatabase.with { database in
            let rights = """
                SELECT format('%s %s %s', c.relname, c.relacl, a.attacl) FROM pg_class c
                LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attacl IS NOT NULL
                WHERE c.relnamespace = 'entitled'::regnamespace AND c.relkind IN ('r', 'p')
                    AND c.relname NOT LIKE 'events\\_%' ORDER BY 1
                """
            let (before, given, after) = try await database.owner { session in
                let before = try texts(session, rights)
                let tables = try texts(
                    session,
                    "SELECT oid::regclass::text FROM pg_class WHERE relnamespace = 'entitled'::regnamespace AND relkind IN ('r', 'p')"
                )
                for table in tables where !table.contains("events_") {
                    try session.execute("GRANT ALL ON \(table) TO entitled_service")
                }
                try session.execute("GRANT UPDATE (revoked_at) ON entitled.api_keys TO entitled_service")
                let given = try texts(session, rights)
                try SchemaMigrator.migrate(session)
                return (before, given, try texts(session, rights))
            }
            #expect(before != given)
            #expect(before == after)
        }
    }

    @Test func itsOtherRightsAreExactlyThese() async throws {
        try await StoreDatabase.with { database in
            let (functions, schemas, sequences) = try await database.owner { session in
                (
                    try texts(
                        session,
                        """
                        SELECT proname::text FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
                        WHERE nspname !~ '^(pg_|information_schema)'
                            AND has_function_privilege('entitled_service', p.oid, 'EXECUTE')
                            AND prorettype <> 'trigger'::regtype
                        ORDER BY proname
                        """
                    ),
                    try texts(
                        session,
                        """
                        SELECT nspname || ' ' || p FROM pg_namespace n, unnest(ARRAY['CREATE', 'USAGE']) p
                        WHERE nspname !~ '^(pg_|information_schema)'
                            AND has_schema_privilege('entitled_service', n.oid, p)
                        ORDER BY 1
                        """
                    ),
                    try session.query("SELECT count(*) FROM pg_class WHERE relkind = 'S'").int64(0, 0)
                )
            }
            #expect(functions == ["ensure_events_partition"])
            #expect(schemas == ["entitled USAGE", "public USAGE"])
            #expect(sequences == 0)
        }
    }

    @Test func itIsAnOrdinaryRoleWithoutMemberships() async throws {
        try await StoreDatabase.with { database in
            let attributes = try await database.owner { session in
                try texts(
                    session,
                    """
                    SELECT format(
                        'super %s createrole %s createdb %s replication %s bypassrls %s memberships %s owns %s', rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
                        (SELECT count(*) FROM pg_auth_members WHERE member = r.oid),
                        (SELECT count(*) FROM pg_class WHERE relowner = r.oid))
                    FROM pg_roles r WHERE rolname = 'entitled_service'
                    """
                )
            }
            #expect(
                attributes == [
                    "super f createrole f createdb f replication f bypassrls f memberships 0 owns 0"
                ]
            )
        }
    }

    private static let forbidden = [
        "CREATE TABLE entitled.mine (number integer)",
        "CREATE TABLE public.mine (number integer)",
        "CREATE SCHEMA mine",
        "CREATE ROLE mine",
        "CREATE DATABASE mine",
        "ALTER ROLE entitled_service SUPERUSER",
        "ALTER ROLE entitled_service CREATEROLE",
        "ALTER TABLE entitled.events DISABLE TRIGGER events_append_only",
        "ALTER TABLE entitled.events DETACH PARTITION entitled.events_00000",
        "DROP TRIGGER events_append_only ON entitled.events",
        "DROP FUNCTION entitled.refuse_change() CASCADE",
        "SET session_replication_role = replica",
        "SELECT rolpassword FROM pg_authid",
        "SELECT pg_read_file('PG_VERSION')",
        "COPY entitled.events TO PROGRAM 'cat'",
        "COPY entitled.quarantine FROM '/etc/hostname'",
        "INSERT INTO entitled.schema_version (version) VALUES (2)",
        // To make itself a key, or to make more of one that there is.
        "INSERT INTO entitled.api_keys (key_id, digest, name, scopes) VALUES ('mine', '\\x00', 'mine', '{admin}')",
        """
        INSERT INTO entitled.api_keys (key_id, digest, name, scopes) VALUES ('mine', '\\x00', 'mine', '{admin}')
        ON CONFLICT (key_id) DO UPDATE SET last_used_at = now()
        """,
        "COPY entitled.api_keys FROM STDIN",
        "UPDATE entitled.api_keys SET revoked_at = NULL",
        "UPDATE entitled.api_keys SET revoked_at = now()",
        "UPDATE entitled.api_keys SET expires_at = NULL",
        "UPDATE entitled.api_keys SET scopes = '{read,submit,admin,audit}'",
        "UPDATE entitled.api_keys SET digest = digest",
        "UPDATE entitled.api_keys SET key_id = key_id",
        "UPDATE entitled.api_keys SET rate_limit = NULL",
        "UPDATE entitled.api_keys SET last_used_at = now(), revoked_at = NULL",
        "DELETE FROM entitled.api_keys",
        // To throw away or alter what only grows while the service runs.
        "DELETE FROM entitled.lines",
        "DELETE FROM entitled.accounts",
        "UPDATE entitled.catalogs SET position = position",
        "DELETE FROM entitled.catalogs",
        "UPDATE entitled.former_owners SET account = account",
        "DELETE FROM entitled.former_owners",
        "DELETE FROM entitled.feed",
        "DELETE FROM entitled.feed_walk",
        "INSERT INTO entitled.catalog_walk DEFAULT VALUES",
        "DELETE FROM entitled.catalog_walk",
        "DELETE FROM entitled.reconcile_lease",
        "DELETE FROM entitled.reconcile_cursors",
        "DELETE FROM entitled.reconcile_lines",
        "UPDATE entitled.erased_accounts SET environment = environment",
        "UPDATE entitled.erasure_secret SET secret = secret",
        "TRUNCATE entitled.lines, entitled.accounts, entitled.entitlements, entitled.line_history",
        "TRUNCATE entitled.account_names",
        "TRUNCATE entitled.feed",
        "TRUNCATE entitled.quarantine",
        "INSERT INTO entitled.log_head (position, hash, epoch, timeline) VALUES (0, '', 1, 1)",
        "DELETE FROM entitled.log_head",
        "DROP SCHEMA entitled CASCADE",
        // To alter history, directly, through a partition, or by locking it for that.
        "UPDATE entitled.events SET type = 'Purchased'",
        "DELETE FROM entitled.events",
        "TRUNCATE entitled.events",
        "UPDATE entitled.events_00000 SET hash = hash",
        "DELETE FROM entitled.events_00000",
        "TRUNCATE entitled.events_00000",
        "DROP TABLE entitled.events_00000",
        "SELECT FROM entitled.events FOR UPDATE",
        "UPDATE entitled.evidence SET digest = digest",
        "DELETE FROM entitled.evidence",
        "TRUNCATE entitled.evidence",
        "DROP TABLE entitled.evidence",
        "DELETE FROM entitled.certificate_chains",
        "TRUNCATE entitled.certificate_chains",
        "UPDATE entitled.statements SET position = 1",
        "DELETE FROM entitled.statements",
        "TRUNCATE entitled.statements",
        "DELETE FROM entitled.erased_accounts",
        "UPDATE entitled.account_names SET account = pseudonym",
        "INSERT INTO entitled.erasure_secret DEFAULT VALUES",
        "DELETE FROM entitled.erasure_secret",
        "TRUNCATE entitled.api_keys",
        "INSERT INTO entitled.feed_walk DEFAULT VALUES",
        "UPDATE entitled.schema_version SET version = 2",
        // To change what guards it.
        "ALTER TABLE entitled.events DISABLE TRIGGER ALL",
        "ALTER TABLE entitled.events ENABLE ROW LEVEL SECURITY",
        "ALTER TABLE entitled.events OWNER TO entitled_service",
        "ALTER TABLE entitled.events ADD COLUMN mine integer",
        "ALTER TABLE entitled.events DROP CONSTRAINT events_hash_length",
        "DROP INDEX entitled.events_line_idx",
        "CREATE INDEX mine ON entitled.events (type)",
        "CREATE TRIGGER mine BEFORE INSERT ON entitled.events EXECUTE FUNCTION entitled.refuse_change()",
        "CREATE RULE mine AS ON INSERT TO entitled.events DO INSTEAD NOTHING",
        "CREATE OR REPLACE FUNCTION entitled.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
        "ALTER FUNCTION entitled.ensure_events_partition(bigint) SECURITY INVOKER",
        "COMMENT ON TABLE entitled.events IS 'mine'",
        "CREATE FUNCTION public.mine() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
        "CREATE VIEW entitled.mine AS SELECT 1",
        "CREATE TYPE entitled.mine AS ENUM ('a')",
        // To become more than it is.
        "GRANT pg_read_server_files TO entitled_service",
        "ALTER ROLE entitled_service BYPASSRLS",
        "DROP ROLE entitled_service",
        "CREATE EXTENSION dblink",
        "ALTER SYSTEM SET fsync = off",
        "SELECT * FROM pg_hba_file_rules",
        "SELECT * FROM pg_shadow",
        "SELECT pg_reload_conf()",
        "CREATE PUBLICATION mine FOR TABLE entitled.events",
        // To reach the machine.
        "COPY entitled.quarantine FROM PROGRAM 'cat /etc/hostname'",
        "COPY (SELECT 1) TO '/tmp/mine'",
        "SELECT pg_ls_dir('.')",
        "SELECT pg_stat_file('PG_VERSION')",
        "SELECT lo_import('/etc/hostname')",
        "LOAD '/tmp/mine'",
    ]

    @Test func itMayDoNothingElse() async throws {
        try await StoreDatabase.with { database in
            let refusals = try await database.service { session in Self.forbidden.map { refusal(session, $0) } }
            for (statement, state) in zip(Self.forbidden, refusals) {
                #expect(state == .insufficientPrivilege, "\(statement)")
            }
        }
    }

    @Test func itCannotBecomeTheOwner() async throws {
        try await StoreDatabase.with { database in
            let owner = try await database.owner { try $0.query("SELECT quote_ident(current_user)").text(0, 0) }
            let statements = [
                "SET ROLE \(owner)", "SET SESSION AUTHORIZATION \(owner)", "REASSIGN OWNED BY \(owner) TO CURRENT_USER",
                "GRANT \(owner) TO entitled_service",
                "ALTER DEFAULT PRIVILEGES FOR ROLE \(owner) GRANT ALL ON TABLES TO PUBLIC",
            ]
            let refusals = try await database.service { session in statements.map { refusal(session, $0) } }
            for (statement, state) in zip(statements, refusals) {
                #expect(state == .insufficientPrivilege, "\(statement)")
            }
        }
    }

    /// The one function that runs with the owner's rights takes its tables from the schema, whatever the caller has put
    /// before it.
    @Test func itsTemporaryTablesDeceiveNobody() async throws {
        try await StoreDatabase.with { database in
            try await database.service { session in
                try session.execute(
                    """
                    CREATE TEMPORARY TABLE events (position bigint, mine text DEFAULT 'mine') PARTITION BY RANGE (position);
                    SET search_path = pg_temp, entitled;
                    SELECT entitled.ensure_events_partition(16777216)
                    """
                )
            }
            let parents = try await database.owner { session in
                try texts(
                    session,
                    """
                    SELECT format('%s.%s %s', relnamespace::regnamespace, relname, (SELECT count(*) FROM pg_attribute
                        WHERE attrelid = inhrelid AND attname = 'mine'))
                    FROM pg_inherits JOIN pg_class c ON c.oid = inhparent
                    WHERE inhrelid = 'entitled.events_00001'::regclass
                    """
                )
            }
            #expect(parents == ["entitled.events 0"])
        }
    }

    private func texts(_ session: PostgresSession, _ sql: String) throws -> [String] {
        let result = try session.query(sql)
        return try result.rows.map { try result.text($0, 0) }
    }
}
