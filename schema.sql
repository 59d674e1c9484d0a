-- The whole database of entitled, version 1. `entitled migrate` runs this file as the database's owner; it is
-- idempotent and may be run with psql as well.
--
-- Kinds of tables:
--   the log          events, evidence, certificate_chains, statements
--                    append-only: the service's role may INSERT and SELECT, no more
--   its head         log_head                       one row: the next append's place in order and in the hash chain
--   the names        account_names                  the only link between log and accounts; a row goes with an erasure
--   the projections  lines, accounts, entitlements  thrown away and rebuilt from the log at will
--                    (and line_history, former_owners, catalogs)
--
-- Global order. A sequence is no commit order: two transactions can commit in another order than they drew their
-- numbers, and a reader would find a new row behind its cursor. So an append takes the row lock of log_head, numbers
-- its events from there and holds the lock to the commit: positions are 1, 2, 3 ... without holes, in commit order.
--
-- Evidence is kept byte for byte: jsonb does not keep bytes, and a signature is over bytes.

BEGIN;

-- One run at a time; two instances that start together wait for each other here.
SELECT pg_advisory_xact_lock(6171850254017011);

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'entitled_service') THEN
        BEGIN
            CREATE ROLE entitled_service LOGIN;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN
            NULL; -- roles belong to the whole server: another database's migration was faster
        END;
    END IF;
END
$$;

CREATE SCHEMA IF NOT EXISTS entitled;
SET LOCAL search_path = entitled, pg_catalog;

CREATE TABLE IF NOT EXISTS schema_version (
    version integer NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT schema_version_pkey PRIMARY KEY (version)
);

-- The log ------------------------------------------------------------------------------------------------------

-- The signed texts exactly as received, each once, in a compact form from which the text comes back byte for byte
-- (Sources/EventStore/README.md).
CREATE TABLE IF NOT EXISTS evidence (
    digest bytea NOT NULL,              -- SHA-256 of the text
    content bytea NOT NULL,             -- of a JWS in compact serialization, or of a base64 receipt
    CONSTRAINT evidence_pkey PRIMARY KEY (digest),
    CONSTRAINT evidence_digest_length CHECK (octet_length(digest) = 32)
);
-- As for partitions of events: shorter texts would go to old pages.
ALTER TABLE evidence SET (autovacuum_vacuum_insert_threshold = -1);

-- The certificate chains of signed texts, which repeat in every one: taken out of the texts, each stored once.
CREATE TABLE IF NOT EXISTS certificate_chains (
    chain_id bytea NOT NULL,            -- the first 16 bytes of the SHA-256 of the content
    content bytea NOT NULL,             -- the JSON array x5c as headers spell it
    CONSTRAINT certificate_chains_pkey PRIMARY KEY (chain_id),
    CONSTRAINT certificate_chains_id_length CHECK (octet_length(chain_id) = 16)
);

-- What accounts are called in the log. Events and projections never hold the UUID of an account but a pseudonym;
-- the row that links the two is the only personal link, and an erasure destroys it. It is no projection: lost with its
-- table, no account can be found any more. The key seals the signed texts that name the account.
CREATE TABLE IF NOT EXISTS account_names (
    account uuid NOT NULL,
    environment text NOT NULL,
    pseudonym uuid NOT NULL,            -- random behind the time; another one in each environment
    evidence_key bytea NOT NULL,        -- random
    CONSTRAINT account_names_pkey PRIMARY KEY (account, environment),
    CONSTRAINT account_names_pseudonym_key UNIQUE (pseudonym),
    CONSTRAINT account_names_key_length CHECK (octet_length(evidence_key) = 32)
);

-- Which accounts were erased, so that what comes for them later gives no access to anybody: SHA-256 over the secret and the
-- 16 bytes of the account, and nothing that leads to its pseudonym.
CREATE TABLE IF NOT EXISTS erased_accounts (
    digest bytea NOT NULL,
    environment text NOT NULL,          -- '': every one
    CONSTRAINT erased_accounts_pkey PRIMARY KEY (digest, environment),
    CONSTRAINT erased_accounts_digest_length CHECK (octet_length(digest) = 32)
);

CREATE TABLE IF NOT EXISTS erasure_secret (
    singleton boolean NOT NULL DEFAULT true,
    secret bytea NOT NULL,
    CONSTRAINT erasure_secret_pkey PRIMARY KEY (singleton),
    CONSTRAINT erasure_secret_singleton CHECK (singleton),
    CONSTRAINT erasure_secret_length CHECK (octet_length(secret) = 32)
);

INSERT INTO erasure_secret (secret)
    SELECT decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex') ON CONFLICT DO NOTHING;

-- What has happened. The column order is a format: `hash` covers all columns before it, in this order, in
-- PostgreSQL's binary form (Sources/EventStore/README.md).
CREATE TABLE IF NOT EXISTS events (
    position bigint NOT NULL,           -- 1, 2, 3 ... in commit order, without holes
    event_id uuid NOT NULL,
    type text NOT NULL,                 -- past tense; a label, access never follows from it
    store text NOT NULL,                -- 'appstore', 'grant'
    environment text NOT NULL,          -- as the statement names it; part of every key
    bundle_id text,
    line_id text,                       -- originalTransactionId; null: the event concerns no line
    transaction_id text,
    account uuid,                       -- a pseudonym; explicit: linked to, transferred to, granted to, erased
    signed_at timestamptz,              -- when the statement was signed; null for commands of the company
    recorded_at timestamptz NOT NULL,
    source text NOT NULL,               -- 'notification', 'upload', 'api', 'receipt', 'import', 'operator'
    statement_id bytea NOT NULL,        -- notificationUUID (16 bytes) or digest of the signed payload (32)
    notification_type text,             -- as sent, also when unknown
    notification_subtype text,
    -- Facts of the transaction, as the fold needs them. transaction_signed_at null: no facts of a transaction.
    transaction_signed_at timestamptz,
    product_id text,
    product_type text,
    ownership text,
    purchased_at timestamptz,
    original_purchased_at timestamptz,
    expires_at timestamptz,
    web_order_line_item_id text,
    quantity integer,
    revoked_at timestamptz,
    revocation_kind text,
    revocation_reason integer,
    revocation_percentage integer,      -- thousandths of a per cent
    is_upgraded boolean,
    offer_type integer,
    offer_id text,
    offer_discount_type text,
    offer_period text,
    is_renewal boolean,
    app_account_token uuid,             -- a pseudonym; zeros: the account had been erased before
    subscription_group_id text,
    -- Facts of the renewal. renewal_signed_at null: no facts of a renewal.
    renewal_signed_at timestamptz,
    auto_renews boolean,
    renewal_product_id text,
    auto_renew_product_id text,
    is_in_billing_retry boolean,
    grace_period_expires_at timestamptz,
    expiration_intent integer,
    renews_at timestamptz,
    price_increase_status integer,
    renewal_price bigint,               -- thousandths of the currency's unit
    renewal_currency text,
    renewal_offer_type integer,
    renewal_offer_id text,
    renewal_offer_discount_type text,
    renewal_offer_period text,
    status integer,
    says_grace_period boolean,
    -- Facts of a command of the company.
    command_id uuid,                    -- the grant or hold that is issued, revoked, placed or lifted
    entitlement text,
    currency text,
    units bigint,
    starts_at timestamptz,
    ends_at timestamptz,
    -- Proof.
    evidence_digests bytea[] NOT NULL,  -- into evidence; empty for commands of the company
    payload jsonb NOT NULL,             -- the whole decoded statement, or the command
    hash bytea NOT NULL,                -- SHA-256 over the previous event's hash and this event's columns
    CONSTRAINT events_pkey PRIMARY KEY (position),
    CONSTRAINT events_position_positive CHECK (position > 0),
    CONSTRAINT events_hash_length CHECK (octet_length(hash) = 32)
) PARTITION BY RANGE (position);

CREATE INDEX IF NOT EXISTS events_line_idx ON events (line_id, environment, position) WHERE line_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS events_account_idx ON events (account, environment, position) WHERE account IS NOT NULL;

-- Which statements have had their effect. Kept apart from events because a partitioned table cannot have a unique
-- key without its partition key.
CREATE TABLE IF NOT EXISTS statements (
    statement_id bytea NOT NULL,
    position bigint NOT NULL,           -- of the first event the statement brought
    CONSTRAINT statements_pkey PRIMARY KEY (statement_id)
);

-- Partitions of 2^24 positions each, so that old ranges can be moved or detached. The append path asks for the next one
-- when it comes to its first position. It runs as the owner, so a caller's temporary tables, which PostgreSQL looks among
-- first unless they are named last, must not stand in for these.
CREATE OR REPLACE FUNCTION ensure_events_partition(at_position bigint) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = entitled, pg_catalog, pg_temp AS $$
DECLARE
    span CONSTANT bigint := 16777216;
    number CONSTANT bigint := at_position / span;
    name CONSTANT text := format('events_%s', lpad(number::text, 5, '0'));
BEGIN
    IF to_regclass('entitled.' || name) IS NULL THEN
        -- Made apart and then attached: that waits for no reader of the log, and no reader waits for it.
        -- Events lie behind each other. A VACUUM after insertions would show the room that is left on each page, and
        -- shorter events would go there, each to another old page; so insertions alone cause none before transaction
        -- ids wrap around.
        EXECUTE format('CREATE TABLE %I (LIKE events INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)'
                       ' WITH (autovacuum_vacuum_insert_threshold = -1)', name);
        EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()',
                       name || '_no_truncate', name);
        EXECUTE format('GRANT SELECT, INSERT ON %I TO entitled_service', name);
        EXECUTE format('ALTER TABLE events ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)',
                       name, number * span, (number + 1) * span);
    END IF;
END
$$;

CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: the log is append-only', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation', CONSTRAINT = 'log_append_only';
END
$$;

CREATE OR REPLACE TRIGGER events_append_only BEFORE UPDATE OR DELETE ON events
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER events_no_truncate BEFORE TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER evidence_append_only BEFORE UPDATE OR DELETE ON evidence
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER evidence_no_truncate BEFORE TRUNCATE ON evidence
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER certificate_chains_append_only BEFORE UPDATE OR DELETE ON certificate_chains
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER certificate_chains_no_truncate BEFORE TRUNCATE ON certificate_chains
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER statements_append_only BEFORE UPDATE OR DELETE ON statements
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE OR REPLACE TRIGGER statements_no_truncate BEFORE TRUNCATE ON statements
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

SELECT ensure_events_partition(1);

-- The log's head -----------------------------------------------------------------------------------------------

CREATE TABLE IF NOT EXISTS log_head (
    singleton boolean NOT NULL DEFAULT true,
    position bigint NOT NULL,           -- of the last event; 0: none yet
    hash bytea NOT NULL,                -- of the last event; 32 zero bytes: none yet
    epoch integer NOT NULL,             -- changes when a fail-over may have rewound the log
    timeline integer NOT NULL,          -- PostgreSQL's timeline that the epoch was seen on; 0: none yet
    catalog_position bigint NOT NULL DEFAULT 0, -- of the catalog in force; 0: none yet
    recorded_at timestamptz NOT NULL DEFAULT '-infinity', -- of the last event; recorded_at never falls along the log
    erasure_position bigint NOT NULL DEFAULT 0, -- where an account was last erased: caches begin again; 0: never
    feed_ordinal bigint NOT NULL DEFAULT 0, -- of the last place in the change feed that was given under this position
    CONSTRAINT log_head_pkey PRIMARY KEY (singleton),
    CONSTRAINT log_head_singleton CHECK (singleton)
) WITH (fillfactor = 10);

INSERT INTO log_head (position, hash, epoch, timeline) VALUES (0, decode(repeat('00', 32), 'hex'), 1, 0)
    ON CONFLICT DO NOTHING;

-- The projections ----------------------------------------------------------------------------------------------

-- One row a line of purchases: its folded facts and its owner.
CREATE TABLE IF NOT EXISTS lines (
    environment text NOT NULL,
    line_id text NOT NULL,              -- originalTransactionId
    bundle_id text NOT NULL,
    store text NOT NULL,
    ownership text NOT NULL,
    owner uuid,                         -- a pseudonym; null: nobody yet, or nobody any more
    position bigint NOT NULL,           -- of the last event that concerned the line
    state bytea NOT NULL,               -- the folded facts (EntitlementDomain, LineState): all of a short line, the
                                        -- head of a long one
    CONSTRAINT lines_pkey PRIMARY KEY (line_id, environment, bundle_id, store, ownership)
);
-- Room on each page for what a renewal adds, so that a line stays where it is and no index learns of it. New lines lie
-- behind each other as events do, so no VACUUM for insertions shows them the room on old pages.
ALTER TABLE lines SET (fillfactor = 90, autovacuum_vacuum_insert_threshold = -1);
CREATE INDEX IF NOT EXISTS lines_owner_idx ON lines (owner, environment) WHERE owner IS NOT NULL;

-- The earlier transactions of long lines, which the head in lines.state leaves out: one row a transaction. They are
-- read for questions about the past and for lists, and when a fact turns up that is dated among them; never for a
-- renewal.
CREATE TABLE IF NOT EXISTS line_history (
    environment text NOT NULL,
    line_id text NOT NULL,
    bundle_id text NOT NULL,
    store text NOT NULL,
    ownership text NOT NULL,
    transaction_id text NOT NULL,
    web_order_line_item_id text,        -- a new transaction with the same one is another name of this period
    state bytea NOT NULL,               -- the folded facts (EntitlementDomain, EarlierTransaction)
    CONSTRAINT line_history_pkey PRIMARY KEY (line_id, environment, bundle_id, store, ownership, transaction_id)
);
CREATE INDEX IF NOT EXISTS line_history_item_idx ON line_history USING hash (web_order_line_item_id);

-- The accounts that a line was taken from: where to look, besides lines.owner, for what an account had at an earlier
-- position.
CREATE TABLE IF NOT EXISTS former_owners (
    account uuid NOT NULL,              -- a pseudonym, here and in the tables below
    environment text NOT NULL,
    line_id text NOT NULL,
    bundle_id text NOT NULL,
    store text NOT NULL,
    ownership text NOT NULL,
    CONSTRAINT former_owners_pkey PRIMARY KEY (account, environment, line_id, bundle_id, store, ownership)
);

-- What accounts have of their own. Most own purchases and nothing else, and have no row.
CREATE TABLE IF NOT EXISTS accounts (
    environment text NOT NULL,
    account uuid NOT NULL,
    position bigint NOT NULL,           -- of the last event about the account itself
    state bytea NOT NULL,               -- grants, holds, spends (EntitlementDomain, AccountState)
    CONSTRAINT accounts_pkey PRIMARY KEY (account, environment)
);

-- What lines grant, as intervals: never "active: true", since the clock decides that. One row for each entitlement
-- that a line ever granted, with the interval of the last purchase that granted it. For consumers that speak SQL
-- (join lines for the owner, and account_names for its account); the service answers from lines.state.
CREATE TABLE IF NOT EXISTS entitlements (
    environment text NOT NULL,
    line_id text NOT NULL,
    bundle_id text NOT NULL,
    store text NOT NULL,
    ownership text NOT NULL,
    entitlement text NOT NULL,
    product_id text NOT NULL,
    starts_at timestamptz NOT NULL,
    access_ends_at timestamptz,         -- null: no end; grace and refunds are counted in
    expires_at timestamptz,             -- end of the paid time
    revoked_at timestamptz,
    CONSTRAINT entitlements_pkey PRIMARY KEY (line_id, environment, bundle_id, store, ownership, entitlement)
);

-- The catalog in force and those before it. Versions are events; this is their projection.
CREATE TABLE IF NOT EXISTS catalogs (
    position bigint NOT NULL,           -- of the CatalogChanged event
    catalog jsonb NOT NULL,
    CONSTRAINT catalogs_pkey PRIMARY KEY (position)
);

-- Which catalog the rows of `entitlements` follow, and how far: a catalog that comes into force reaches them in the order
-- of the lines' primary key, some at once and the others in transactions of their own. One row.
CREATE TABLE IF NOT EXISTS catalog_walk (
    singleton boolean NOT NULL DEFAULT true,
    catalog_position bigint NOT NULL,   -- of the catalog that the rows are brought to
    previous_position bigint NOT NULL,  -- of the last catalog that all rows followed
    line_id text NOT NULL DEFAULT '',   -- the last line that was looked at; '': none yet
    environment text NOT NULL DEFAULT '',
    bundle_id text NOT NULL DEFAULT '',
    store text NOT NULL DEFAULT '',
    ownership text NOT NULL DEFAULT '',
    is_done boolean NOT NULL,
    CONSTRAINT catalog_walk_pkey PRIMARY KEY (singleton),
    CONSTRAINT catalog_walk_singleton CHECK (singleton)
);

INSERT INTO catalog_walk (catalog_position, previous_position, is_done)
    SELECT catalog_position, catalog_position, true FROM log_head ON CONFLICT DO NOTHING;

-- The change feed ----------------------------------------------------------------------------------------------

-- When each account last changed, by an event or by the clock alone: one row an account, which moves to a new place at
-- each change, so a reader that was away gets each account once. A place is (position, ordinal): the log's position at
-- that time, and a count of places under it. Places are given under the log's lock, as positions are, so a reader that
-- has come to a place never later finds a row at or before it. No foreign key and no part of a rebuild: readers hold
-- on to places.
CREATE TABLE IF NOT EXISTS feed (
    account uuid NOT NULL,
    environment text NOT NULL,
    position bigint NOT NULL,
    ordinal bigint NOT NULL,
    changed_at timestamptz,             -- the instant of a change that the clock brought; null: an event brought it
    due_at timestamptz,                 -- when to look at the account: not after the next instant at which the clock can
                                        -- change what it has; null: never
    CONSTRAINT feed_pkey PRIMARY KEY (account, environment)
);
CREATE UNIQUE INDEX IF NOT EXISTS feed_place_idx ON feed (position, ordinal);
CREATE INDEX IF NOT EXISTS feed_due_idx ON feed (due_at) WHERE due_at IS NOT NULL;

-- A walk over the whole feed, which a new catalog or a new policy makes necessary: both change answers, and the instants
-- at which answers change. One row; written under the log's lock.
CREATE TABLE IF NOT EXISTS feed_walk (
    singleton boolean NOT NULL DEFAULT true,
    catalog_position bigint NOT NULL,   -- of the catalog that the feed follows
    previous_position bigint NOT NULL,  -- of the catalog that answers are compared with
    policy text NOT NULL,               -- the policy that due_at follows
    since timestamptz NOT NULL,         -- when the catalog or the policy came into force
    account uuid,                       -- how far the walk has come; null: at the start
    environment text,
    is_done boolean NOT NULL,
    CONSTRAINT feed_walk_pkey PRIMARY KEY (singleton),
    CONSTRAINT feed_walk_singleton CHECK (singleton)
);

INSERT INTO feed_walk (catalog_position, previous_position, policy, since, is_done) VALUES (0, 0, '', now(), true)
    ON CONFLICT DO NOTHING;

-- What is not history ------------------------------------------------------------------------------------------

-- API keys: only digests are stored, so a copy of the database opens nothing.
CREATE TABLE IF NOT EXISTS api_keys (
    key_id text NOT NULL,               -- public part, shown in lists
    digest bytea NOT NULL,              -- SHA-256 of the whole key
    name text NOT NULL,
    scopes text[] NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,           -- to the minute; null: never
    rate_limit integer,                 -- calls a second on each instance; null: any number
    CONSTRAINT api_keys_pkey PRIMARY KEY (key_id),
    CONSTRAINT api_keys_rate_limit_positive CHECK (rate_limit > 0),
    CONSTRAINT api_keys_digest_length CHECK (octet_length(digest) = 32),
    CONSTRAINT api_keys_scopes CHECK (scopes <@ ARRAY['read', 'submit', 'admin', 'audit'] AND scopes <> '{}')
);

-- Notifications that are well formed and cannot be verified now: they grant nothing and are tried again. The
-- service keeps at most 10,000.
CREATE TABLE IF NOT EXISTS quarantine (
    digest bytea NOT NULL,              -- SHA-256 of the text
    text text NOT NULL,
    reason text NOT NULL,
    first_seen_at timestamptz NOT NULL DEFAULT now(),
    last_tried_at timestamptz NOT NULL DEFAULT now(),
    tries integer NOT NULL DEFAULT 1,
    CONSTRAINT quarantine_pkey PRIMARY KEY (digest)
);

-- Reconciliation with the App Store Server API ---------------------------------------------------------------------

-- Which instance does it, until when by this database's clock, and what it has used of the hour's calls. A row and no
-- session lock: it survives poolers, and an instance that was killed stands in nobody's way for longer than the lease.
CREATE TABLE IF NOT EXISTS reconcile_lease (
    singleton boolean NOT NULL DEFAULT true,
    holder text NOT NULL,
    until timestamptz NOT NULL,
    hour timestamptz NOT NULL,          -- the hour that calls are counted in, by the service's clock
    calls bigint NOT NULL,
    CONSTRAINT reconcile_lease_pkey PRIMARY KEY (singleton),
    CONSTRAINT reconcile_lease_singleton CHECK (singleton)
);

-- How far the notification history of an app was fetched.
CREATE TABLE IF NOT EXISTS reconcile_cursors (
    environment text NOT NULL,
    bundle_id text NOT NULL,
    fetched_until timestamptz NOT NULL, -- everything signed before is in the log, or was out of reach
    epoch integer NOT NULL,             -- of the log then; another one may have lost what was fetched
    everything_at timestamptz,          -- when everything was fetched last; null: never to the end
    failures_at timestamptz,            -- when failures were fetched last
    CONSTRAINT reconcile_cursors_pkey PRIMARY KEY (environment, bundle_id)
);

-- Lines that the App Store was asked about, so that none is asked about again and again.
CREATE TABLE IF NOT EXISTS reconcile_lines (
    line_id text NOT NULL,
    environment text NOT NULL,
    bundle_id text NOT NULL,
    store text NOT NULL,
    ownership text NOT NULL,
    asked_at timestamptz NOT NULL,
    tries integer NOT NULL,
    CONSTRAINT reconcile_lines_pkey PRIMARY KEY (line_id, environment, bundle_id, store, ownership)
);

-- Up to version 1, line_owners held all owners that a line has ever had, accounts had a row for each account, and
-- partitions were vacuumed for insertions. What is exact about the past needs `entitled rebuild` after this.
DO $$
DECLARE
    part regclass;
BEGIN
    IF to_regclass('entitled.line_owners') IS NULL THEN
        RETURN;
    END IF;
    INSERT INTO former_owners (account, environment, line_id, bundle_id, store, ownership)
    SELECT o.account, o.environment, o.line_id, o.bundle_id, o.store, o.ownership FROM line_owners o
    LEFT JOIN lines l USING (line_id, environment, bundle_id, store, ownership)
    WHERE l.owner IS DISTINCT FROM o.account ON CONFLICT DO NOTHING;
    DROP TABLE line_owners;
    DELETE FROM accounts WHERE state IS NULL;
    UPDATE accounts a SET position = coalesce((
        SELECT max(e.position) FROM events e
        WHERE e.account = a.account AND e.environment = a.environment AND e.line_id IS NULL AND e.store = 'grant'
    ), a.position);
    ALTER TABLE accounts ALTER COLUMN state SET NOT NULL;
    FOR part IN SELECT inhrelid::regclass FROM pg_inherits WHERE inhparent = 'entitled.events'::regclass LOOP
        EXECUTE format('ALTER TABLE %s SET (autovacuum_vacuum_insert_threshold = -1)', part);
    END LOOP;
END
$$;

-- Rights of the service's role: it owns nothing, of the log it may only read and append, and of everything else it may
-- do what `serve` does and no more. What an earlier version gave beyond that is taken back.
REVOKE ALL ON schema_version, events, evidence, certificate_chains, statements, erased_accounts, account_names,
    erasure_secret, log_head, feed_walk, catalog_walk, feed, lines, line_history, former_owners, accounts, entitlements,
    catalogs, quarantine, api_keys, reconcile_lease, reconcile_cursors, reconcile_lines FROM entitled_service;
GRANT USAGE ON SCHEMA entitled TO entitled_service;
GRANT SELECT ON schema_version TO entitled_service;
GRANT SELECT, INSERT ON events, evidence, certificate_chains, statements, erased_accounts, catalogs, former_owners TO entitled_service;
GRANT SELECT, INSERT, DELETE ON account_names TO entitled_service;
GRANT SELECT ON erasure_secret TO entitled_service;
GRANT SELECT, UPDATE ON log_head, feed_walk, catalog_walk TO entitled_service;
GRANT SELECT, INSERT, UPDATE ON feed, lines, accounts, reconcile_lease, reconcile_cursors, reconcile_lines TO entitled_service;
GRANT SELECT, INSERT, UPDATE, DELETE ON line_history, entitlements, quarantine TO entitled_service;
-- Keys are made and revoked by the owner: a service that was taken over gives itself none, and revives none.
GRANT SELECT, UPDATE (last_used_at) ON api_keys TO entitled_service;
REVOKE ALL ON FUNCTION ensure_events_partition(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_events_partition(bigint) TO entitled_service;

INSERT INTO schema_version (version) VALUES (2) ON CONFLICT DO NOTHING;

COMMIT;
