#!/usr/bin/env bash
# fanout.sh [FLAGS] builds SecondRing's hub and its peers, and measures the fan-out with
# 10,000 and with 1,000 sockets. If Redis is installed, it then compares one node with two
# nodes over Redis. The flags are passed to the generator (such as -rounds 3).
set -eu
cd "$(dirname "$0")/.."
mkdir -p bin/peers bench/results
CGO_ENABLED=0 go build -trimpath -o bin/hubd ./cmd/hubd
(cd bench && go build -o ../bin/fanout ./fanout && go build -o ../bin/peers/ ./peers/rawtcp ./peers/plain ./peers/centrifuge)
[ -d bench/peers/socketio/node_modules ] || npm --prefix bench/peers/socketio ci --silent --no-audit --no-fund
for sockets in 10000 1000; do
  bin/fanout -out bench/results -sockets "$sockets" "$@"
done

command -v redis-server >/dev/null || exit 0
folder=$(mktemp -d)
port=$((20000 + RANDOM % 10000))
redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no --dir "$folder" >/dev/null &
redis=$!
trap 'kill $redis; wait $redis; rm -rf "$folder"' EXIT
bin/fanout -out bench/results -name nodes -peers hubd,hubd2 -redis "redis://127.0.0.1:$port/0" "$@"
