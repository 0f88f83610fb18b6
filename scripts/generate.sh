#!/usr/bin/env bash
# generate.sh writes the OpenAPI document, which the server prints, the client's types, which
# are generated from it, and the schema of SQLite, which a test reads from a new file. All
# three are committed.
set -eu
cd "$(dirname "$0")/.."
new=$(mktemp)
trap 'rm -f "$new"' EXIT
bin/secondring openapi >"$new"
# The old document is replaced only if the new one is complete.
cat "$new" >api/openapi.json
npm --prefix client run --silent types
go test ./store/sqlite -run '^TestSchemaFileIsCurrent$' -count=1 -update
