#!/bin/sh
# Installs what building and running needs from the distribution (Debian or Ubuntu): only what is missing, and without
# asking the network anything when nothing is. As root, or as a user who may use sudo. With --bench also what measurements
# compare with, with --faults what the tests of faults use beside, with --ha what deploy/ha/try.sh runs.
set -eu

missing=""
need() { missing="$missing $1"; }
has() { command -v "$1" >/dev/null 2>&1; }

# pkg-config tells the Swift package manager where the C libraries are, so it is the one to ask.
library() {
    if has pkg-config; then
        pkg-config --exists "$1" || need "$2"
    elif [ "$(dpkg-query -W -f '${db:Status-Status}' "$2" 2>/dev/null)" != installed ]; then
        need "$2"
    fi
}

has pkg-config || need pkg-config
library libcrypto libssl-dev
library libmicrohttpd libmicrohttpd-dev
library gnutls libgnutls28-dev
library libpq libpq-dev
library libzstd libzstd-dev
# A program with the Swift libraries inside links libcurl itself.
[ -z "${STATIC:-}" ] || library libcurl libcurl4-openssl-dev

# The server's programs: for the tests and for `entitled dev`, which run a private server. Any version from 14 on does;
# they are looked for in the places where the product looks.
server_programs() {
    if [ -n "${ENTITLED_PG_BIN:-}" ]; then
        [ -x "$ENTITLED_PG_BIN/initdb" ] && [ -x "$ENTITLED_PG_BIN/postgres" ]
        return
    fi
    if has initdb && has postgres; then return 0; fi
    for directory in /usr/lib/postgresql/*/bin; do
        if [ -x "$directory/initdb" ] && [ -x "$directory/postgres" ]; then return 0; fi
    done
    return 1
}
server_programs || need postgresql-15

if [ "${1:-}" = --bench ]; then
    has nginx || [ -x /usr/sbin/nginx ] || need nginx-light
    has wrk || need wrk
    has openssl || need openssl
    has pgbench || need postgresql-15
    has psql || need postgresql-client-15
fi

# What deploy/ha/try.sh runs, and what the tests of faults use where it is there.
if [ "${1:-}" = --ha ] || [ "${1:-}" = --faults ]; then
    has pgbouncer || [ -x /usr/sbin/pgbouncer ] || need pgbouncer
fi
if [ "${1:-}" = --ha ]; then
    has patroni || need "patroni python3-etcd"
    has etcd || need etcd-server
    has haproxy || [ -x /usr/sbin/haproxy ] || need haproxy
    has curl || need curl
    has bc || need bc
fi

[ -n "$missing" ] || exit 0

echo "installing:$missing"
if ! has apt-get; then
    echo "this is no Debian or Ubuntu: install the equivalents of$missing yourself" >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    as_root() { "$@"; }
elif has sudo; then
    as_root() { sudo "$@"; }
else
    echo "run this as root, or install sudo, or install yourself:$missing" >&2
    exit 1
fi

# The package would set up and start a server of its own, which nobody asked for. While it is being installed, its own
# configuration says no; a cluster that is there already is left alone.
drop_in=/etc/postgresql-common/createcluster.d/entitled-no-main-cluster.conf
case "$missing" in
*postgresql*)
    as_root mkdir -p "${drop_in%/*}"
    echo "create_main_cluster = false" | as_root tee "$drop_in" >/dev/null
    trap 'as_root rm -f "$drop_in"' EXIT
    ;;
esac

apt_get() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=120 "$@" </dev/null
}
# Nor shall a package start its daemon (Debian policy, invoke-rc.d): where nothing says so yet, this does meanwhile.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
    trap 'as_root rm -f "$drop_in" "$policy"' EXIT
fi
apt_get update
# Debian 12 has version 15; another release has one of its own, behind the name without a number.
case "$missing" in
*postgresql-15*)
    apt-cache show postgresql-15 >/dev/null 2>&1 || missing=$(echo "$missing" | sed 's/postgresql-15/postgresql/')
    ;;
esac
# shellcheck disable=SC2086
apt_get install -y --no-install-recommends $missing
