#!/usr/bin/env bash
# verify.sh generates the generated files again, and fails if they differ from the
# present ones. It does not delete the new files, so that they can be committed.
set -eu
cd "$(dirname "$0")/.."
files=(api/openapi.json client/src/api/schema.d.ts llms.txt)
before=$(mktemp -d)
trap 'rm -rf "$before"' EXIT
for f in "${files[@]}"; do
  mkdir -p "$before/$(dirname "$f")"
  cp "$f" "$before/$f" 2>/dev/null || : >"$before/$f"
done

bash scripts/generate.sh

status=0
for f in "${files[@]}"; do
  diff -u "$before/$f" "$f" | head -n 60 || true
  cmp -s "$before/$f" "$f" || status=1
done
if [ $status -ne 0 ]; then
  echo 'The generated files were out of date. They are regenerated now; commit them.' >&2
fi
exit $status
