#!/usr/bin/env bash
# micro.sh [BASE] runs micro-benchmarks of the most frequent operations at the commit BASE
# (by default the previous one) and at the present state. benchstat compares the results.
# COUNT (6) is the number of runs of each benchmark.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
base=${1:-$(git rev-parse HEAD~1)}
count=${COUNT:-6}
hot='^Benchmark(FanOut|Calls|DurableInsert|DurableSave|PointRead|Page)$'
packages='./hub ./api/apitest ./store/sqlite'

before=$(mktemp -d)
trap 'git -C "$root" worktree remove --force "$before/tree" 2>/dev/null; rm -rf "$before"' EXIT
git worktree add --quiet --detach "$before/tree" "$base"
# The built files are not in the repository.
cp -a client/dist/. "$before/tree/client/dist/"
cp -a cmd/secondring/demo/photos/. "$before/tree/cmd/secondring/demo/photos/"

measure() { (cd "$1" && go test -run '^$' -bench "$hot" -benchtime 200ms -count "$count" $packages); }
measure "$before/tree" > "$before/before.txt"
measure . > "$before/now.txt"
cd bench && go tool benchstat "before=$before/before.txt" "now=$before/now.txt"
