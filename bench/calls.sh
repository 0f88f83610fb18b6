#!/usr/bin/env bash
# calls.sh [FLAGS] builds SecondRing and its peers, and measures the cost of API calls. The
# flags are passed to the generator (such as -rounds 3).
set -eu
cd "$(dirname "$0")/.."
mkdir -p bin/peers bench/results
[ -x bin/secondring ] || make build
(cd bench && go build -o ../bin/calls ./calls && go build -o ../bin/peers/ ./peers/rawhttp ./peers/pocketbase)
[ -d bench/peers/node/node_modules ] || npm --prefix bench/peers/node ci --silent --no-audit --no-fund
bin/calls -out bench/results "$@"
