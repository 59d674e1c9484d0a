#!/bin/bash
# Calls a running service with client libraries that others wrote (requirements.txt), unchanged. The last line is
# "N passed, N failed"; the status is 0 when none failed, and 77 when the libraries cannot be had.
#
#   run.sh                 against the debug build, or the program that ENTITLED_PROGRAM names
#   run.sh --if-possible   the same; when the libraries cannot be had, it says so and the status is 0
#   run.sh --install       only installs the libraries, into .build/clients-venv
set -u -o pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$folder/../.." && pwd)
venv=$repository/.build/clients-venv
python=$venv/bin/python

# Only what is missing or was changed: a run after the first needs no network.
install() {
    cmp -s "$folder/requirements.txt" "$venv/requirements.txt" && return 0
    mkdir -p "$repository/.build" && rm -rf "$venv" && python3 -m venv "$venv" &&
        "$python" -m pip install -q --disable-pip-version-check --retries 1 --timeout 20 \
            -r "$folder/requirements.txt" &&
        cp "$folder/requirements.txt" "$venv/requirements.txt"
}
if ! install; then
    echo "the client libraries cannot be installed: python3 with venv, and PyPI, are needed for the first run" >&2
    if [ "${1:-}" = --if-possible ]; then
        echo "SKIPPED the checks with client libraries of others (make test-clients)"
        exit 0
    fi
    exit 77
fi
[ "${1:-}" != --install ] || exit 0

export ENTITLED_PROGRAM=${ENTITLED_PROGRAM:-$repository/.build/debug/entitled}
if [ ! -x "$ENTITLED_PROGRAM" ]; then
    echo "$ENTITLED_PROGRAM is not there: build it, or name another program in ENTITLED_PROGRAM" >&2
    exit 1
fi

# PostgreSQL, which does not run as the superuser, must be able to pass through.
data=$(mktemp -d "${TMPDIR:-/tmp}/entitled-clients.XXXXXX") && chmod 755 "$data" || exit 1
service=
end() {
    [ -z "$service" ] || { kill "$service" 2>/dev/null && wait "$service"; }
    rm -rf "$data"
}
trap end EXIT
trap 'exit 130' INT TERM

"$ENTITLED_PROGRAM" dev --json --port 0 --data "$data/entitled" >"$data/line" 2>"$data/errors" </dev/null &
service=$!
for _ in $(seq 600); do
    [ ! -s "$data/line" ] || break
    kill -0 "$service" 2>/dev/null || break
    sleep 0.1
done
member() { "$python" -c 'import json, sys; print(json.loads(open(sys.argv[1]).readline())[sys.argv[2]])' "$data/line" "$1"; }
if ! ENTITLED_URL=$(member url) || ! ENTITLED_KEY=$(member key); then
    echo "the service does not start:" >&2
    cat "$data/errors" >&2
    exit 1
fi
export ENTITLED_URL ENTITLED_KEY ENTITLED_SIGNING_KEYS="$data/entitled/signing-keys"

passed=0
failed=0
for script in jsonrpcclient_checks jsonrpclib_checks jsonrpc_requests_checks verify_token document_checks; do
    output=$("$python" -B "$folder/$script.py" 2>&1)
    status=$?
    printf '%s\n' "$output"
    good=$(grep -c '^passed  ' <<<"$output")
    bad=$(grep -c '^FAILED  ' <<<"$output")
    # A script that ends in any other way than by its list has failed.
    if [ "$status" -ne 0 ] && [ "$bad" -eq 0 ] || [ $((good + bad)) -eq 0 ]; then bad=$((bad + 1)); fi
    passed=$((passed + good))
    failed=$((failed + bad))
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
