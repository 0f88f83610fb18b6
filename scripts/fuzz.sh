#!/usr/bin/env bash
# Runs each fuzz target of the product in turn, for FUZZTIME each (30s unless it
# is set). What makes one fail is kept by Go in the package's testdata/fuzz, and
# every "go test" runs it again: mend the fault, and commit the file with it.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
while IFS=: read -r file target; do
	package=./$(dirname "$file")
	echo "$package $target"
	go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZTIME:-30s}" || failed=1
done < <(grep -rHoP --include='*_test.go' '^func \KFuzz\w+' api cmd hub market store | sort)
exit $failed
