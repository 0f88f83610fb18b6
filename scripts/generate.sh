#!/usr/bin/env bash
# generate.sh: writes the OpenAPI document from the server, and the client's types
# from the document. Both are committed.
set -eu
cd "$(dirname "$0")/.."
new=$(mktemp)
trap 'rm -f "$new"' EXIT
bin/secondring openapi >"$new"
# Only a complete document replaces the old one.
cat "$new" >api/openapi.json
npm --prefix client run --silent types
