#!/usr/bin/env bash
# Runs each fuzz target of the product in turn, for FUZZTIME each (30s unless it
# is set). What makes one fail is kept by Go in the package's testdata/fuzz, and
# every "go test" runs it again: mend the fault, and commit the file with it. Of
# what else it found worth while, KEPT of each target stay there too, for the next
# search to begin with.
set -euo pipefail
cd "$(dirname "$0")/.."

KEPT=16

# keep PACKAGE TARGET fills a target's corpus from what Go has in its cache.
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
