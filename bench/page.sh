#!/usr/bin/env bash
# page.sh [ROUNDS [PAGES…]] measures a new demo with Lighthouse, for mobile and desktop, and
# prints a table of medians. flood.sh sets SCRIPT to run another script with the demo.
set -eu
cd "$(dirname "$0")/.."
port=${PORT:-18099}
data=$(mktemp -d)
[ -x bin/secondring ] || make build >&2
(cd bench/page && npm ci --no-audit --no-fund --silent)
DEMO=1 ADDR=127.0.0.1:$port PUBLIC_URL=http://127.0.0.1:$port DATA_DIR=$data bin/secondring >"$data/log" 2>&1 &
server=$!
trap 'kill $server; wait $server 2>/dev/null || true; rm -rf "$data"' EXIT
until curl -fs -o /dev/null "http://127.0.0.1:$port/readyz"; do kill -0 $server; sleep 0.1; done
node "bench/page/${SCRIPT:-run.mjs}" "http://127.0.0.1:$port" "$@"
