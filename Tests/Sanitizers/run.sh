#!/bin/bash
# Builds and runs all tests under the thread sanitizer and under the address sanitizer: run.sh SWIFT CLANG [ARGUMENTS of
# `swift test`]. ONLY=thread or ONLY=address takes one of them. Reports go to .build/sanitize; one of them, or a test that
# fails, is a failure.
set -u

swift=$1 clang=$2
shift 2
here=$(cd "$(dirname "$0")" && pwd)
reports=$PWD/.build/sanitize
mkdir -p "$reports"
rm -f "$reports"/*.report.*
failed=0

run() {
    local sanitizer=$1
    shift
    "$swift" build --build-tests --sanitize="$sanitizer" --scratch-path ".build/sanitize/$sanitizer" "${link[@]}" || return 1
    # Half of the usual number at once: everything takes several times as long.
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=2 "$swift" test --skip-build --disable-xctest \
        --sanitize="$sanitizer" --scratch-path ".build/sanitize/$sanitizer" "$@"
}

if [ "${ONLY:-thread}" = thread ]; then
    "$clang" -O1 -g -fPIC -c "$here/mutex.c" -o "$reports/mutex.o" || exit 1
    link=(-Xlinker "$reports/mutex.o")
    TSAN_OPTIONS="halt_on_error=0 suppressions=$here/thread.txt log_path=$reports/thread.report" run thread "$@" || failed=1
fi
if [ "${ONLY:-address}" = address ]; then
    link=()
    # Leaks are not looked for: what the runtime and the libraries keep for ever is not told from one.
    ASAN_OPTIONS="detect_leaks=0 log_path=$reports/address.report" run address "$@" || failed=1
fi

for report in "$reports"/*.report.*; do
    [ -e "$report" ] || continue
    echo "--- $report"
    cat "$report"
    failed=1
done
[ "$failed" = 0 ] && echo "the sanitizers found nothing"
exit "$failed"
