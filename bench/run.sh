#!/usr/bin/env bash
# run.sh is what make bench runs. It measures SecondRing and its peers with the same
# generators, and writes the tables into docs/PERFORMANCE.md. ROUNDS (3) is the number of
# measurements, whose medians are in the tables. LIGHTHOUSE_RUNS (1) is the number of runs of
# Lighthouse for each page, which take two minutes each. Use five for figures to publish. Run
# it without uncommitted changes, on a machine that does nothing else.
set -eu
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-3}
lighthouse_runs=${LIGHTHOUSE_RUNS:-1}
mkdir -p bench/results
say() { printf '\n\033[1m%s\033[0m\n' "$*"; }

say 'Fan-out: SecondRing, prepared bytes in Go, a simple gorilla hub, Centrifuge, Socket.IO'
bash bench/fanout.sh -rounds "$rounds" -steady 3s -saturated 3s | tee bench/results/fanout.md

say 'Calls: SecondRing, prepared bytes from memory, Fastify, Express, PocketBase'
bash bench/calls.sh -rounds "$rounds" -time 1500ms | tee bench/results/calls.md

if [ -x "${CHROMIUM:-/usr/bin/chromium}" ]; then
	say 'The page: Lighthouse with four screens, mobile and desktop'
	bash bench/page.sh "$lighthouse_runs" | tee bench/results/page.md
fi

say 'Waitlists, saved searches and messages, with both stores'
bash bench/market.sh | tee bench/results/market.md

say 'Micro-benchmarks of the most frequent operations, before and now'
bash bench/micro.sh | tee bench/results/micro.txt

(cd bench && go run ./tables -results results -root ..)
say 'The tables are in docs/PERFORMANCE.md.'
