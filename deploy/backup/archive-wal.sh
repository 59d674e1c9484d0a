#!/bin/bash
# Keeps one segment of the write-ahead log, for PostgreSQL's archive_command:
#
#   archive_mode = on
#   archive_command = '/path/to/deploy/backup/archive-wal.sh /backup/wal %p %f'
#   archive_timeout = 60        # the most that a loss of the whole machine can cost, in seconds
#
# Succeeds only when the segment is on disk whole under its name. One that is there already is left alone: it must be the
# same, or something is very wrong (two clusters with one archive).
set -eu
archive=$1 path=$2 name=$3
if [ -e "$archive/$name" ]; then
    cmp -s "$path" "$archive/$name" && exit 0
    echo "archive-wal.sh: $archive/$name is there and is another segment" >&2
    exit 1
fi
part=$archive/.$name.$$
trap 'rm -f "$part"' EXIT
cp "$path" "$part"
sync "$part"
mv -n "$part" "$archive/$name"
[ ! -e "$part" ] || exit 1
sync "$archive"
