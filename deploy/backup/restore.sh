#!/bin/bash
# Lays a data directory that PostgreSQL recovers to a point in time when it is started.
#
#   restore.sh --from DIR --data DATADIR [--base NAME] [--until TIME]
#
#   --from    the backups' directory, as base-backup.sh and archive-wal.sh fill it
#   --data    where the data go; must not be there yet
#   --base    which base backup; default: the newest that was finished before --until
#   --until   recover up to this time ("2026-11-30 12:00:00+00"); default: to the end of the archive
#
# The configuration is the backup's: check its paths, then start the server as always. It reads the archive up to the
# point, begins a new timeline, and takes writes. The log of entitled gets a new epoch with the first append.
. "$(dirname "$0")/common.sh"
from= data= base= until=
while [ $# -gt 0 ]; do
    case $1 in
    --from) from=$2 ;;
    --data) data=$2 ;;
    --base) base=$2 ;;
    --until) until=$2 ;;
    *) fail "unknown option $1; the head of this file names all" 64 ;;
    esac
    shift 2
done
[ -n "$from" ] && [ -n "$data" ] || fail "--from and --data are needed" 64
[ ! -e "$data" ] || fail "$data is there already; name a new directory" 73
from=$(cd "$from" && pwd)

if [ -z "$base" ]; then
    limit=99999999T999999Z
    [ -z "$until" ] || limit=$(date -u -d "$until" +%Y%m%dT%H%M%SZ) || fail "--until $until is no time" 64
    # A backup's name is the time when it began; recovery needs a point after its end, and says so if this one is too young.
    for directory in "$from"/base/*/; do
        name=$(basename "$directory")
        case $name in *.partial | \*) continue ;; esac
        if [[ $name < $limit ]]; then base=$name; fi
    done
fi
[ -n "$base" ] && [ -d "$from/base/$base" ] || fail "there is no base backup for this point in $from/base" 66

mkdir -p "$(dirname "$data")"
cp -a "$from/base/$base" "$data"
chmod 700 "$data"
{
    echo "# Recovery from $from/base/$base, by restore.sh."
    # Exit status 1 ends the recovery of a server that looks for a segment that there is not; cp gives that.
    echo "restore_command = 'cp \"$from/wal/%f\" \"%p\"'"
    echo "recovery_target_timeline = 'latest'"
    echo "recovery_target_action = 'promote'"
    [ -z "$until" ] || echo "recovery_target_time = '$until'"
} >>"$data/postgresql.auto.conf"
touch "$data/recovery.signal"
give_to_server "$data"
note "$data will recover from $base${until:+ up to $until}"
