#!/usr/bin/env bash
# import_rules.sh LINTER tests the import rules of .golangci.yml. It writes a small module
# that breaks each rule once. It fails unless the linter reports each of these breaks and
# nothing else.
set -eu
linter=$1
root=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cp "$root/.golangci.yml" .
printf 'module secondring\n\ngo 1.26\n' >go.mod

expected=()

# write_package DIR FILE [IMPORT…] writes a file with these imports, and BODY at the end.
write_package() {
  local dir=$1 file=$2 name
  shift 2
  mkdir -p "$dir"
  name=$(basename "$dir")
  {
    echo "// Package $name is a package of this test."
    echo "package $name"
    printf 'import _ "%s"\n' "$@"
    echo "${BODY:-}"
  } >"$dir/$file"
}

# breaks DIR IMPORT writes a file that the linter must report because of the import.
breaks() {
  local file=bad${#expected[@]}.go
  write_package "$1" "$file" "$2"
  expected+=("$1/$file:.*import '$2' is not allowed")
}

# Packages that follow the rules.
write_package market ok.go context errors time
write_package market/texts ok.go strings unicode
write_package market/search ok.go context secondring/market/texts
write_package market/contact ok.go strings secondring/market/texts
write_package api ok.go net/http secondring/market secondring/api/rest
write_package api/rest ok.go net/http secondring/market
write_package api/identity ok.go secondring/market secondring/api/rest
write_package api/payment ok.go net/http secondring/market secondring/api/rest
write_package sandbox/page ok.go net/http secondring/api/rest
write_package sandbox/stripe ok.go net/http secondring/market secondring/api/rest secondring/sandbox/page
write_package hub ok.go net/http secondring/market
write_package hub/redisbroker ok.go secondring/hub secondring/market
write_package store ok.go secondring/market
write_package store/sqlite ok.go database/sql os secondring/market secondring/store
write_package store/mongo ok.go secondring/market secondring/store
BODY='func init() { _ = os.Getenv("ADDR") }' write_package cmd/secondring/settings ok.go secondring/api secondring/hub secondring/store/sqlite
sed -i 's/^import _ "secondring\/api"/import "os"\n&/' cmd/secondring/settings/ok.go

# These packages must not be imported. They import no package of the module, because the
# linter would stop at a cycle before it checks the rules.
for dir in api/leaf hub/leaf store/leaf sandbox/leaf cmd/leaf; do BODY='' write_package "$dir" leaf.go errors; done

# Each line breaks one rule.
for pkg in os net net/http database/sql secondring/store/leaf secondring/hub/leaf; do breaks market "$pkg"; done
for dir in market/texts market/search market/contact; do
  for pkg in os net/http secondring/market secondring/store/leaf; do breaks $dir "$pkg"; done
done
for dir in api api/rest api/identity api/payment sandbox/stripe; do
  for pkg in secondring/store/leaf secondring/hub/leaf secondring/api/leaf secondring/cmd/leaf database/sql; do breaks $dir "$pkg"; done
done
breaks sandbox/stripe secondring/sandbox/leaf
for pkg in secondring/api/leaf secondring/store/leaf secondring/hub/leaf; do breaks hub "$pkg"; done
for pkg in secondring/api/leaf secondring/store/leaf; do breaks hub/redisbroker "$pkg"; done
for pkg in secondring/api/leaf secondring/store/leaf; do breaks store "$pkg"; done
for dir in store/sqlite store/mongo; do
  for pkg in secondring/hub/leaf secondring/api/leaf secondring/store/leaf net/http; do breaks $dir "$pkg"; done
done
breaks store/mongo database/sql

mkdir -p store/storetest
cat >store/mongo/env.go <<'GO'
package mongo

import "os"

var _ = os.Getenv("MONGODB_URI")
GO
expected+=('store/mongo/env.go:.*only cmd reads the environment')
cat >market/sleep_test.go <<'GO'
package market_test

import (
	"testing"
	"time"
)

func TestNothing(t *testing.T) {
	time.Sleep(time.Second)
	t.Skip("not today")
}
GO
expected+=('market/sleep_test.go:.*do not sleep' 'market/sleep_test.go:.*do not skip')

reported=$("$linter" run --enable-only depguard,forbidigo --output.text.print-issued-lines=false --color=never ./... 2>/dev/null || true)
status=0
for want in "${expected[@]}"; do
  grep -q "$want" <<<"$reported" || { echo "not reported: $want" >&2; status=1; }
done
if grep '/ok\.go' <<<"$reported" >&2; then
  echo 'the lines above follow the rules, but were reported' >&2
  status=1
fi
[ $status -eq 0 ] && echo "${#expected[@]} breaks, all reported" || printf '%s\n' "$reported" >&2
exit $status
