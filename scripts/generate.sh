#!/usr/bin/env bash
# generate.sh writes the OpenAPI document, which the server prints, the client's types, which are
# generated from it, and llms.txt, which lists the documents. All are committed.
set -eu
cd "$(dirname "$0")/.."
new=$(mktemp)
trap 'rm -f "$new"' EXIT
bin/secondring openapi >"$new"
# The old document is replaced only if the new one is complete.
cat "$new" >api/openapi.json
npm --prefix client run --silent types
bash scripts/llms.sh >llms.txt
