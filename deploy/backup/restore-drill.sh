#!/bin/bash
# Proves that a backup is one: restores it into a private cluster, beside whatever runs, and lets entitled check what came
# back: the hash chain with every signed text, a signed checkpoint, and the projections against a fold of the log.
#
#   restore-drill.sh --from DIR [--until TIME] [--base NAME] [--checkpoints DIR --keys JWKS] [--expect P]
#                    [--database NAME] [--user NAME] [--work DIR]
#
#   --from         the backups' directory
#   --until        recover up to this time; default: to the end of the archive
#   --checkpoints  the directory of the checkpoints' files; the newest one that the restored log has reached is compared
#   --keys         the public keys of the checkpoints (GET /.well-known/jwks.json, kept outside)
#   --expect       the position that the restored log must have reached at least
#   --database     the database's name in the cluster; default entitled
#   --user         a superuser of the cluster; default postgres
#   --work         where the cluster lies for the time of the drill; default: a new directory in /var/tmp
#
# Ends with status 0 only when everything holds. Run it every week, and after every change of the backup. ENTITLED names
# the program when it is not in the path. The cluster listens on a socket in the work directory only.
. "$(dirname "$0")/common.sh"
from= until= base= checkpoints= keys= expect= database=entitled user=postgres work=
while [ $# -gt 0 ]; do
    case $1 in
    --from) from=$2 ;;
    --until) until=$2 ;;
    --base) base=$2 ;;
    --checkpoints) checkpoints=$2 ;;
    --keys) keys=$2 ;;
    --expect) expect=$2 ;;
    --database) database=$2 ;;
    --user) user=$2 ;;
    --work) work=$2 ;;
    *) fail "unknown option $1; the head of this file names all" 64 ;;
    esac
    shift 2
done
[ -n "$from" ] || fail "--from is needed" 64
[ -z "$checkpoints" ] || [ -n "$keys" ] || fail "--checkpoints needs --keys" 64
entitled=${ENTITLED:-entitled}
command -v "$entitled" >/dev/null || fail "the program entitled was not found; set ENTITLED" 69

if [ -z "$work" ]; then work=$(mktemp -d /var/tmp/entitled-drill.XXXXXX); else mkdir -p "$work"; fi
chmod 755 "$work"
data=$work/data
end() {
    as_server "$(pg pg_ctl)" stop --pgdata="$data" --mode=immediate --silent >/dev/null 2>&1 || true
    rm -rf "$data"
    rmdir "$work" 2>/dev/null || true
}
trap end EXIT
give_to_server "$work"

started=$SECONDS
arguments=(--from "$from" --data "$data")
[ -z "$until" ] || arguments+=(--until "$until")
[ -z "$base" ] || arguments+=(--base "$base")
"$(dirname "$0")/restore.sh" "${arguments[@]}"

# Nothing of the original's configuration may reach outside: no port, no archive, nobody but who runs this.
{
    echo "listen_addresses = ''"
    echo "unix_socket_directories = '$work'"
    echo "port = 5432"
    echo "archive_mode = off"
    echo "primary_conninfo = ''"
    echo "hba_file = '$data/drill_hba.conf'"
    echo "logging_collector = off"
    echo "ssl = off"
    echo "shared_preload_libraries = ''"
} >>"$data/postgresql.auto.conf"
echo "local all all trust" >"$data/drill_hba.conf"
give_to_server "$data"
as_server "$(pg pg_ctl)" start --pgdata="$data" --wait --timeout=3600 --silent --log="$data/drill.log" ||
    { tail -20 "$data/drill.log" >&2; fail "the restored cluster does not start; its log is above"; }

query() { "$(pg psql)" --host="$work" --username="$user" --dbname="$database" -XAtq -v ON_ERROR_STOP=1 -c "$1"; }
for _ in $(seq 36000); do
    [ "$(query 'SELECT pg_is_in_recovery()')" = f ] && break
    sleep 0.1
done
[ "$(query 'SELECT pg_is_in_recovery()')" = f ] || fail "the recovery did not come to its end within an hour"
position=$(query 'SELECT position FROM entitled.log_head')
epoch=$(query 'SELECT epoch FROM entitled.log_head')
last=$(query 'SELECT recorded_at FROM entitled.log_head')
note "recovered to position $epoch:$position, recorded at $last, in $((SECONDS - started)) seconds"
[ -z "$expect" ] || [ "$position" -ge "${expect#*:}" ] ||
    fail "position $expect was expected; the backup has lost $((${expect#*:} - position)) events"

url="postgresql://$user@/$database?host=$work"
if [ -n "$checkpoints" ]; then
    # checkpoint-EPOCH-POSITION.json; one beyond the restored end cannot be compared.
    newest=
    while read -r number file; do
        [ "$number" -le "$position" ] && newest=$file
    done < <(find "$checkpoints" -name 'checkpoint-*-*.json' | sed 's/^\(.*-\([0-9]*\)\.json\)$/\2 \1/' | sort -n)
    [ -n "$newest" ] || fail "$checkpoints holds no checkpoint at or before position $position"
    note "compared with $(basename "$newest")"
fi
"$entitled" audit replay --database "$url"
note "the projections are what the log says"
"$entitled" audit verify --database "$url" ${newest:+--checkpoint "$newest" --keys "$keys"}
note "the backup holds, in $((SECONDS - started)) seconds"
