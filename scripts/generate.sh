#!/usr/bin/env bash
# generate.sh: the API's description from the server, the client's types from
# the description. Both are committed, so that a reader need not build.
set -eu
cd "$(dirname "$0")/.."
new=$(mktemp)
trap 'rm -f "$new"' EXIT
bin/secondring openapi >"$new"
# Only a complete description replaces the old one.
cat "$new" >api/openapi.json
npm --prefix client run --silent types
