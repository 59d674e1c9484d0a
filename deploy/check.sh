#!/bin/bash
# Checks everything in this folder (check.py), and plays backup and recovery once (backup/rehearse.sh).
#
#   check.sh                 fetches the checkers that are missing into .build: promtool from the distribution's package
#                            prometheus, without installing it (it would start a server), kubernetes-validate from PyPI
#   check.sh --if-possible   only check.py, with the checkers that are there
#
# ENTITLED_PROGRAM names the program; default: the debug build.
set -u -o pipefail
folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
repository=$(cd "$folder/.." && pwd)
tools=$repository/.build/deploy-tools
export ENTITLED_PROGRAM=${ENTITLED_PROGRAM:-$repository/.build/debug/entitled}
python=$tools/venv/bin/python
promtool=$tools/usr/bin/promtool

if [ "${1:-}" = --if-possible ]; then
    [ -x "$python" ] || python=python3
    if ! "$python" -c "import yaml" 2>/dev/null; then
        echo "SKIPPED the checks of deploy/ (make check-deploy)"
        exit 0
    fi
    "$python" "$folder/check.py" --promtool "$promtool" --kubernetes-validate "$tools/venv/bin/kubernetes-validate"
    exit
fi

mkdir -p "$tools"
if ! command -v promtool >/dev/null && [ ! -x "$promtool" ]; then
    (cd "$tools" && apt-get -q download prometheus && dpkg-deb -x prometheus_*.deb . && rm -f prometheus_*.deb) || exit 1
fi
version=1.37.0
if [ "$(cat "$tools/venv/version" 2>/dev/null)" != "$version" ]; then
    rm -rf "$tools/venv" && python3 -m venv "$tools/venv" &&
        "$python" -m pip install -q --disable-pip-version-check "kubernetes-validate==$version" &&
        echo "$version" >"$tools/venv/version" || exit 1
fi
"$python" "$folder/check.py" --promtool "$promtool" --kubernetes-validate "$tools/venv/bin/kubernetes-validate" \
    --require || exit 1
ENTITLED=$ENTITLED_PROGRAM "$folder/backup/rehearse.sh"
