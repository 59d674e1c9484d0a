#!/bin/bash
# Three PostgreSQL nodes under Patroni with etcd and HAProxy on loopback addresses (127.0.0.10 to 127.0.0.13), two instances
# of entitled in front of them, load, and then the leader is killed, several times. Shows that no acknowledged statement
# is lost, how long writes paused, that the epoch went up, and that chain and projections hold.
#
#   deploy/ha/try.sh [--kills N] [--route haproxy|multihost] [--strict] [--rate N] [--keep]
#
# ENTITLED names the program; default .build/release/entitled. Everything lies in a directory of its own under /tmp, no
# daemon of the distribution is touched, and all processes are ended at the end. Takes about half a minute and 40 s a kill.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
kills=3 route=haproxy strict=false rate=100 keep=
while [ $# -gt 0 ]; do
    case "$1" in
    --kills) kills=$2; shift ;;
    --route) route=$2; shift ;;
    --rate) rate=$2; shift ;;
    --strict) strict=true ;;
    --keep) keep=1 ;;
    *) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 64 ;;
    esac
    shift
done
entitled=${ENTITLED:-$here/../../.build/release/entitled}
[ -x "$entitled" ] || { echo "there is no program at $entitled: 'make build' first, or set ENTITLED" >&2; exit 66; }
entitled=$(cd "$(dirname "$entitled")" && pwd)/$(basename "$entitled")
"$here/../install-packages.sh" --ha

# How fast a dead leader is replaced. Patroni's own defaults are 30, 10 and 10, and 20 is the least ttl it takes.
: "${TTL:=20}" "${LOOP_WAIT:=2}" "${RETRY_TIMEOUT:=3}"
pg_bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
directory=$(mktemp -d /tmp/entitled-ha-XXXXXX)
if [ "$(id -u)" = 0 ]; then
    chown postgres "$directory"
    # PostgreSQL refuses to run as root.
    as_postgres() { exec setpriv --reuid=postgres --regid="$(id -g postgres)" --clear-groups "$@"; }
else
    as_postgres() { exec "$@"; }
fi
nodes="1 2 3"
declare -A pid=()

start() { # NAME COMMAND…: in the background, its output in a file
    local name=$1; shift
    ("$@") >>"$directory/$name.log" 2>&1 &
    pid[$name]=$!
}
postgres_pid() { head -1 "$directory/node$1/data/postmaster.pid" 2>/dev/null || true; }
# A node dies as a whole: Patroni, the first process of PostgreSQL and all its children, without a word.
kill_node() {
    local postmaster; postmaster=$(postgres_pid "$1")
    kill -KILL "${pid[patroni$1]}" 2>/dev/null || true
    if [ -n "$postmaster" ]; then
        # shellcheck disable=SC2046
        kill -KILL "$postmaster" $(cat "/proc/$postmaster/task/$postmaster/children" 2>/dev/null) 2>/dev/null || true
    fi
    wait "${pid[patroni$1]}" 2>/dev/null || true
}
clean_up() {
    set +e
    for name in "${!pid[@]}"; do case $name in patroni*) ;; *) kill "${pid[$name]}" 2>/dev/null ;; esac; done
    for node in $nodes; do kill_node "$node"; done
    wait 2>/dev/null
    if [ -n "$keep" ]; then echo "kept: $directory"; else rm -rf "$directory"; fi
}
trap clean_up EXIT
trap 'exit 130' INT TERM

now() { date +%s.%N; }
fail() {
    echo "FAILED: $*" >&2
    tail -n 5 "$directory"/patroni*.log >&2
    # What the service itself calls a fault.
    grep -hE '"level":"error"|"outcome":"failed"' "$directory"/entitled*.log 2>/dev/null | head -n 5 >&2
    exit 1
}
within() { # SECONDS COMMAND…: until the command succeeds
    local end=$(($(date +%s) + $1)); shift
    until "$@" >/dev/null 2>&1; do [ "$(date +%s)" -lt "$end" ] || return 1; sleep 0.2; done
}
is_role() { [ "$(curl -s -o /dev/null -m 2 -w '%{http_code}' "http://127.0.0.1$1:8008/$2")" = 200 ]; }
find_role() { for node in $nodes; do if is_role "$node" "$1"; then echo "$node"; return 0; fi; done; return 1; }
all_follow() { # two standbys stream, one of them synchronously, and etcd knows which: only that one may be promoted
    local leader; leader=$(find_role primary) && find_role sync || return 1
    [ "$("$pg_bin/psql" -h "127.0.0.1$leader" -U postgres -Atc \
        "SELECT count(*) || '/' || count(*) FILTER (WHERE sync_state = 'sync') FROM pg_stat_replication
         WHERE state = 'streaming'" postgres)" = 2/1 ]
}
query() { "$pg_bin/psql" -h "127.0.0.1$(find_role primary)" -U postgres -XAtc "$1" entitled; }
# The longest time without an event since then, in milliseconds.
longest_gap() {
    query "SELECT round(extract(epoch FROM max(gap)) * 1000) FROM (
        SELECT recorded_at - lag(recorded_at) OVER (ORDER BY position) AS gap, recorded_at FROM entitled.events
        WHERE recorded_at > to_timestamp($1) - interval '2 seconds') e"
}

echo "== etcd, Patroni and HAProxy in $directory"
cluster=""
for node in $nodes; do cluster="$cluster,node$node=http://127.0.0.1$node:2380"; done
for node in $nodes; do
    address=127.0.0.1$node
    mkdir -p "$directory/node$node"
    start "etcd$node" etcd --name "node$node" --data-dir "$directory/node$node/etcd" --logger zap --log-level error \
        --listen-client-urls "http://$address:2379" --advertise-client-urls "http://$address:2379" \
        --listen-peer-urls "http://$address:2380" --initial-advertise-peer-urls "http://$address:2380" \
        --initial-cluster "${cluster#,}" --initial-cluster-token "$directory" --initial-cluster-state new \
        --heartbeat-interval 100 --election-timeout 1000
    sed -e "s|@NODE@|node$node|; s|@ADDRESS@|$address|; s|@DIRECTORY@|$directory|; s|@PG_BIN@|$pg_bin|" \
        -e "s|@TTL@|$TTL|; s|@LOOP_WAIT@|$LOOP_WAIT|; s|@RETRY_TIMEOUT@|$RETRY_TIMEOUT|; s|@STRICT@|$strict|" \
        "$here/patroni.yml" >"$directory/node$node/patroni.yml"
    if [ "$(id -u)" = 0 ]; then chown -R postgres "$directory/node$node"; fi
done
start_patroni() { start "patroni$1" as_postgres /usr/bin/patroni "$directory/node$1/patroni.yml"; }
for node in $nodes; do start_patroni "$node"; done
start haproxy /usr/sbin/haproxy -db -f "$here/haproxy.cfg"
within 90 all_follow || fail "the cluster did not come up"

case $route in
haproxy) hosts="host=127.0.0.10 port=5000" ;;
multihost) hosts="host=127.0.0.11,127.0.0.12,127.0.0.13 port=5432 target_session_attrs=read-write" ;;
*) fail "--route is haproxy or multihost" ;;
esac

echo "== entitled over $route"
within 30 "$pg_bin/psql" "$hosts user=postgres dbname=postgres" -Xqc "CREATE DATABASE entitled" || fail "no database"
# Where libpq asks the nodes in turn, a standby that does not know the database yet would end the search.
for node in $nodes; do
    within 30 "$pg_bin/psql" -h "127.0.0.1$node" -U postgres -Xqc "SELECT 1" entitled || fail "node$node lags"
done
owner="$hosts user=postgres dbname=entitled"
export ENTITLED_DATABASE=$owner
"$entitled" migrate >/dev/null
cat >"$directory/catalog.json" <<'JSON'
{ "entitlements": [ { "id": "pro" } ], "currencies": [ { "id": "coins" } ],
  "products": [
    { "productId": "pro.monthly", "type": "autoRenewable", "subscriptionGroup": "plans", "grants": ["pro"] },
    { "productId": "coins.100", "type": "consumable", "credits": { "coins": 100 } } ] }
JSON
"$entitled" catalog import "$directory/catalog.json" >/dev/null
key=$("$entitled" keys create --name try --scopes read,submit)
unset ENTITLED_DATABASE
# The fake App Store makes the chain that the load is signed with.
start appstore "$entitled" simulate app-store --port 0 --data "$directory/app-store" --chain "$directory/chain"
within 20 test -s "$directory/chain/root.pem" || fail "no chain"
kill "${pid[appstore]}"
cat >"$directory/serve.json" <<JSON
{ "database": "$hosts user=entitled_service dbname=entitled", "listen": { "port": 0 },
  "apps": [ { "bundleId": "com.example.app", "appAppleId": 1234567890 } ],
  "trustRoots": [ "$directory/chain/root.pem" ] }
JSON
urls=""
for instance in 1 2; do
    start "entitled$instance" "$entitled" serve --config "$directory/serve.json"
    within 30 grep -q 'listens on' "$directory/entitled$instance.log" || fail "entitled does not start"
    urls="$urls --url $(sed -n 's/.*listens on //p' "$directory/entitled$instance.log")"
done

echo "== load of $rate statements a second; the leader is killed $kills times"
: "${SECONDS_EACH:=$((TTL + 20))}"
# shellcheck disable=SC2086
start traffic "$entitled" simulate traffic $urls --key "$key" --chain "$directory/chain" --statements-only --rate "$rate" \
    --seconds $((kills * SECONDS_EACH + 10)) --acknowledged "$directory/acknowledged"
sleep 3
for kill in $(seq "$kills"); do
    old=$(find_role primary) || fail "there is no leader"
    sync=$(find_role sync || true)
    epoch=$(query "SELECT epoch FROM entitled.log_head")
    began=$(now)
    kill_node "$old"
    leader_again() { local leader; leader=$(find_role primary) && [ "$leader" != "$old" ]; }
    within 60 leader_again || fail "there is no new leader"
    new=$(find_role primary)
    grown() { [ "$(query "SELECT count(*) > 0 FROM entitled.events WHERE recorded_at > clock_timestamp() - interval '1 second'")" = t ]; }
    within 30 grown || fail "nothing is written on the new leader"
    echo "kill $kill: node$old died; node$new leads (synchronous standby was node$sync); writes paused $(longest_gap "$began") ms;" \
        "epoch $epoch -> $(query "SELECT epoch FROM entitled.log_head")"
    # The old leader comes back, as a standby, with pg_rewind where it is needed.
    start_patroni "$old"
    within 60 all_follow || fail "node$old did not come back"
    echo "        node$old follows again $(printf '%.1f' "$(echo "$(now) - $began" | bc)") s after its death"
done

began=$(now)
old=$(find_role primary)
if (as_postgres patronictl -c "$directory/node$old/patroni.yml" switchover --force) >"$directory/switchover.log" 2>&1; then
    sleep 3
    echo "planned switchover: node$old -> node$(find_role primary); writes paused $(longest_gap "$began") ms;" \
        "epoch $(query "SELECT epoch FROM entitled.log_head")"
    within 60 all_follow || fail "node$old did not come back"
else
    fail "patronictl: $(tail -n 3 "$directory/switchover.log")"
fi

echo "== the load ends"
wait "${pid[traffic]}" || fail "the load: $(tail -n 3 "$directory/traffic.log")"
tail -n 1 "$directory/traffic.log"
lost=$("$pg_bin/psql" "$owner" -XAtq <<SQL
CREATE TEMP TABLE acknowledged (id text);
\copy acknowledged FROM '$directory/acknowledged'
SELECT (SELECT count(*) FROM acknowledged a WHERE NOT EXISTS (
            SELECT FROM entitled.events e WHERE e.transaction_id = a.id)) || ' lost, ' ||
       (SELECT count(*) FROM (SELECT FROM entitled.events WHERE transaction_id IS NOT NULL
            GROUP BY transaction_id HAVING count(*) > 1) t) || ' twice, ' ||
       (SELECT count(*) - max(position) FROM entitled.events) || ' holes';
SQL
)
echo "of $(wc -l <"$directory/acknowledged") acknowledged statements: $lost"
"$entitled" audit verify --database "$owner" || fail "audit verify"
"$entitled" audit replay --database "$owner" || fail "audit replay"
[ "$lost" = "0 lost, 0 twice, 0 holes" ] || fail "$lost"
echo "held: $kills leaders killed"
