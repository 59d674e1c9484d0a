# What the scripts beside this file share; sourced, not run.
set -euo pipefail

program=$(basename "$0")
fail() {
    echo "$program: $1" >&2
    exit "${2:-1}"
}
note() { echo "$program: $*"; }

# The server's programs: ENTITLED_PG_BIN, the path, or where the distribution puts them (the newest version).
pg() {
    local directory
    for directory in ${ENTITLED_PG_BIN:-} $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -rV); do
        if [ -x "$directory/$1" ]; then
            echo "$directory/$1"
            return
        fi
    done
    command -v "$1" || fail "PostgreSQL's program $1 was not found; set ENTITLED_PG_BIN" 69
}

# PostgreSQL does not run as root: its programs then run as ENTITLED_PG_USER (default postgres), which owns the data.
pg_user=
[ "$(id -u)" != 0 ] || pg_user=${ENTITLED_PG_USER:-postgres}
as_server() { if [ -n "$pg_user" ]; then runuser -u "$pg_user" -- "$@"; else "$@"; fi; }
give_to_server() { [ -z "$pg_user" ] || chown -R "$pg_user" "$@"; }
