#!/usr/bin/env bash
# run.sh: make bench. Measures SecondRing beside its peers, each with the same
# generator in the same run, and writes the tables into docs/PERFORMANCE.md between
# its marks. ROUNDS (3) is how often everything is measured; the tables have the
# medians. LOOKS (1) is how often Lighthouse runs on each page, two minutes each; take
# five for figures to publish. Run it from a clean tree, on a machine that does nothing else.
set -eu
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-3}
looks=${LOOKS:-1}
mkdir -p bench/results
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

say 'Fan-out: our hub, the floor in Go, a plain gorilla hub, Centrifuge, Socket.IO'
bash bench/fanout.sh -rounds "$rounds" -steady 3s -flood 3s | tee bench/results/fanout.md

say 'Calls: our server, ready bytes from memory, Fastify, Express, PocketBase'
bash bench/calls.sh -rounds "$rounds" -time 1500ms | tee bench/results/calls.md

if [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
	say 'The page: Lighthouse on four screens, mobile and desktop'
	bash bench/page.sh "$looks" | tee bench/results/page.md
fi

say 'Waits and saved searches, on each engine'
bash bench/market.sh | tee bench/results/market.md

say 'Micro-benchmarks of the hot paths, before and now'
bash bench/micro.sh | tee bench/results/micro.txt

(cd bench && go run ./tables -results results -root ..)
say 'The tables are in docs/PERFORMANCE.md.'
