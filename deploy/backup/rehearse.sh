#!/bin/bash
# Plays the whole of backup and recovery on throwaway clusters, and checks that the drill finds what is wrong: a service
# takes notifications, a base backup is taken under way, the cluster is lost, and drills restore it to the end, to a point
# in time, from an archive that lacks its end, and against a checkpoint that was forged.
#
#   rehearse.sh [WORK]     WORK: a directory that is made and removed; default: a new one in /var/tmp
#
# ENTITLED names the program when it is not in the path. Needs curl.
. "$(dirname "$0")/common.sh"
here=$(cd "$(dirname "$0")" && pwd)
export ENTITLED=${ENTITLED:-entitled}
work=${1:-$(mktemp -d /var/tmp/entitled-rehearsal.XXXXXX)}
mkdir -p "$work"
chmod 755 "$work"
children=()
end() {
    for child in "${children[@]}"; do kill "$child" 2>/dev/null || true; done
    wait 2>/dev/null || true
    as_server "$(pg pg_ctl)" stop --pgdata="$work/data" --mode=immediate --silent >/dev/null 2>&1 || true
    rm -rf "$work"
}
trap end EXIT

# --- A cluster that archives its log ----------------------------------------------------------------------------
backups=$work/backups
mkdir -p "$backups/wal" "$work/socket"
cp "$here/archive-wal.sh" "$work/"
give_to_server "$work"
as_server "$(pg initdb)" --pgdata="$work/data" --username=postgres --auth=trust --encoding=UTF8 --no-locale \
    --no-instructions >/dev/null
as_server tee -a "$work/data/postgresql.conf" >/dev/null <<END
listen_addresses = ''
unix_socket_directories = '$work/socket'
archive_mode = on
archive_command = '$work/archive-wal.sh $backups/wal %p %f'
END
as_server "$(pg pg_ctl)" start --pgdata="$work/data" --wait --silent --log="$work/data/server.log"
query() { "$(pg psql)" --host="$work/socket" --username=postgres --dbname="$1" -XAtq -v ON_ERROR_STOP=1 -c "$2"; }
query postgres "CREATE DATABASE entitled"
owner="postgresql://postgres@/entitled?host=$work/socket"
"$ENTITLED" migrate --database "$owner" >/dev/null

# --- A service over it, and an App Store to send it something ---------------------------------------------------
"$ENTITLED" dev --json --port 0 --data "$work/dev" >"$work/dev.out" &
children+=($!)
for _ in $(seq 300); do [ -s "$work/dev.out" ] && break; sleep 0.1; done
kill "${children[0]}" && wait "${children[0]}" 2>/dev/null || true
[ -s "$work/dev/chain/root.pem" ] || fail "entitled dev made no chain"
"$ENTITLED" keys rotate-signing --directory "$work/keys" >/dev/null
cat >"$work/serve.json" <<END
{ "database": "postgresql://entitled_service@/entitled?host=$work/socket", "listen": { "port": 0 },
  "apps": [ { "bundleId": "com.example.app", "appAppleId": 1234567890 } ],
  "trustRoots": ["$work/dev/chain/root.pem"], "signingKeys": "$work/keys",
  "checkpoints": { "directory": "$work/checkpoints", "interval": "PT1S" } }
END
"$ENTITLED" serve --config "$work/serve.json" >"$work/serve.out" 2>"$work/serve.log" &
children+=($!)
for _ in $(seq 300); do [ -s "$work/serve.out" ] && break; sleep 0.1; done
url=$(sed -n 's/.* listens on //p' "$work/serve.out")
[ -n "$url" ] || { cat "$work/serve.log" >&2; fail "entitled serve did not start"; }
"$ENTITLED" simulate load --chain "$work/dev/chain" --accounts 60 >"$work/load"
deliver() {
    sed -n "$1,$2p" "$work/load" | while read -r body; do
        curl -sf -o "$work/answer" "$url/appstore/notifications" -d "$body" || fail "a notification was not taken"
    done
}
deliver 1 20
"$here/base-backup.sh" --database "postgresql://postgres@/postgres?host=$work/socket" --to "$backups" --keep 2
deliver 21 40
middle=$(query entitled "SELECT position FROM entitled.log_head")
sleep 1
until=$(query entitled "SELECT clock_timestamp()")
sleep 1
deliver 41 60
last=$(query entitled "SELECT position FROM entitled.log_head")
for _ in $(seq 300); do [ -e "$work/checkpoints/checkpoint-1-$last.json" ] && break; sleep 0.1; done
curl -sf "$url/.well-known/jwks.json" -o "$work/jwks.json"
[ "$middle" -lt "$last" ] || fail "the load brought nothing"

# --- The end of the cluster -------------------------------------------------------------------------------------
kill "${children[1]}" && wait "${children[1]}" 2>/dev/null || true
segment=$(query postgres "SELECT pg_walfile_name(pg_switch_wal())")
for _ in $(seq 300); do [ -e "$backups/wal/$segment" ] && break; sleep 0.1; done
[ -e "$backups/wal/$segment" ] || { cat "$work/data/server.log" >&2; fail "segment $segment was not archived"; }
as_server "$(pg pg_ctl)" stop --pgdata="$work/data" --mode=immediate --silent
rm -rf "$work/data"
note "the cluster is gone at position $last; $(find "$backups/wal" -type f | wc -l) segments are archived"

# --- Drills -----------------------------------------------------------------------------------------------------
checkpoints=(--checkpoints "$work/checkpoints" --keys "$work/jwks.json")
drill() { "$here/restore-drill.sh" --work "$work/drill" "$@" >"$work/drill.out" 2>&1; }
expected() { grep -qF "$1" "$work/drill.out" || { cat "$work/drill.out" >&2; fail "the drill did not say: $1"; }; }

drill --from "$backups" "${checkpoints[@]}" --expect "$last" || { cat "$work/drill.out" >&2; fail "the drill failed"; }
expected "recovered to position 1:$last,"
expected "compared with checkpoint-1-$last.json"
cat "$work/drill.out"
note "to the end: passed"

drill --from "$backups" --until "$until" "${checkpoints[@]}" --expect "$middle" ||
    { cat "$work/drill.out" >&2; fail "the drill to a point in time failed"; }
expected "recovered to position 1:$middle,"
note "to a point in time, $until, position $middle of $last: passed"

cp -a "$backups" "$work/torn"
rm "$work/torn/wal/$segment"
if drill --from "$work/torn" --expect "$last"; then fail "an archive without its end passed the drill"; fi
expected "was expected; the backup has lost"
note "an archive that lacks its end: found"

cp -a "$work/checkpoints" "$work/forged"
file=$work/forged/checkpoint-1-$last.json
python3 - "$file" <<'END' 2>/dev/null || sed -i 's/"token":"\(.\{20\}\)./"token":"\1_/' "$file"
import json, sys
document = json.load(open(sys.argv[1]))
part = document["token"].split(".")
part[2] = part[2][:-8] + ("AAAAAAAA" if part[2][-8:] != "AAAAAAAA" else "BBBBBBBB")
document["token"] = ".".join(part)
json.dump(document, open(sys.argv[1], "w"))
END
if drill --from "$backups" --checkpoints "$work/forged" --keys "$work/jwks.json"; then
    fail "a forged checkpoint passed the drill"
fi
grep -qi "checkpoint" "$work/drill.out" || { cat "$work/drill.out" >&2; fail "the drill failed for another reason"; }
note "a forged checkpoint: found"
note "all passed"
