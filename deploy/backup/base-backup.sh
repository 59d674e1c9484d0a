#!/bin/bash
# Takes a base backup of the whole cluster, while it serves, and verifies it.
#
#   base-backup.sh --database CONNINFO --to DIR [--keep N]
#
#   --database  a libpq connection string of a role with REPLICATION (pg_hba.conf must let it in for "replication")
#   --to        the backups' directory: base/TIME.partial becomes base/TIME when it is whole; wal/ is the archive's place
#   --keep      how many base backups stay, with the segments that they need; default: all
#
# Ends with status 0 only when pg_verifybackup has found every file as it was copied.
. "$(dirname "$0")/common.sh"
database= to= keep=
while [ $# -gt 0 ]; do
    case $1 in
    --database) database=$2 ;;
    --to) to=$2 ;;
    --keep) keep=$2 ;;
    *) fail "unknown option $1; the head of this file names all" 64 ;;
    esac
    shift 2
done
[ -n "$database" ] && [ -n "$to" ] || fail "--database and --to are needed" 64

mkdir -p "$to/base" "$to/wal"
give_to_server "$to/base" "$to/wal"
name=$(date -u +%Y%m%dT%H%M%SZ)
part=$to/base/$name.partial
# The segments that the backup itself needs are in it (--wal-method=stream), so it can be restored without the archive.
as_server "$(pg pg_basebackup)" --dbname="$database" --pgdata="$part" --checkpoint=fast --wal-method=stream \
    --label="entitled $name" --manifest-checksums=SHA256 --no-password
as_server "$(pg pg_verifybackup)" --quiet "$part"
mv "$part" "$to/base/$name"
sync "$to/base"
note "base backup $to/base/$name is whole"

if [ -n "$keep" ]; then
    # Only whole backups count; a segment older than the oldest that stays is needed by nobody.
    mapfile -t all < <(find "$to/base" -mindepth 1 -maxdepth 1 -type d ! -name '*.partial' | sort)
    while [ "${#all[@]}" -gt "$keep" ]; do
        rm -rf "${all[0]}"
        note "removed ${all[0]}"
        all=("${all[@]:1}")
    done
    first=$(sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]*\))$/\1/p' "${all[0]}/backup_label")
    [ -z "$first" ] || "$(pg pg_archivecleanup)" "$to/wal" "$first"
fi
