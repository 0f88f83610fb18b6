#!/usr/bin/env bash
# page.sh: Lighthouse on a fresh demo, mobile and desktop, as a table of medians.
# Arguments are those of page/run.mjs after the address: rounds, then names of pages.
# LOOK is the script to run instead; flood.sh says so.
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
node "bench/page/${LOOK:-run.mjs}" "http://127.0.0.1:$port" "$@"
