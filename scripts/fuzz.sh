#!/usr/bin/env bash
# fuzz.sh runs each fuzz test for FUZZTIME (30s). Go writes an input that fails to
# testdata/fuzz of the package, and every "go test" runs it again. Fix the error, and
# commit the file with the fix. The script also copies KEPT other interesting inputs of
# each test to this folder, with which the next run starts.
set -euo pipefail
cd "$(dirname "$0")/.."

KEPT=16

# keep PACKAGE TARGET copies inputs of a fuzz test from Go's cache to its corpus.
keep() {
	local from into file
	from=$(go env GOCACHE)/fuzz/$(go list "$1")/$2
	into=$1/testdata/fuzz/$2
	[ -d "$from" ] || return 0
	mkdir -p "$into"
	for file in "$from"/*; do
		[ "$(find "$into" -type f | wc -l)" -lt "$KEPT" ] || return 0
		cp -n "$file" "$into/"
	done
}

failed=0
while IFS=: read -r file target; do
	package=./$(dirname "$file")
	echo "$package $target"
	go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-30s}" || failed=1
	keep "$package" "$target"
done < <(grep -rHoP --include='*_test.go' '^func \KFuzz\w+' api cmd hub market store | sort)
exit $failed
