#!/usr/bin/env bash
# docpaths.sh: fails if a document names a file or a folder of this repository
# that does not exist: a path in backticks, or the target of a link.
set -eu
cd "$(dirname "$0")/.."
documents=(*.md docs/*.md docs/adr/*.md)
status=0

missing() { echo "$1 names $2, which does not exist" >&2; status=1; }

rooms='(api|bench|client|cmd|deploy|docs|hub|market|sandbox|scripts|store)'
while IFS=: read -r document path; do
  compgen -G "$path" >/dev/null || missing "$document" "$path"
done < <(grep -oE "\`$rooms/[A-Za-z0-9_./*-]*\`" "${documents[@]}" | tr -d '`')

while IFS=: read -r document target; do
  [ -e "$(dirname "$document")/${target%%#*}" ] || missing "$document" "$target"
done < <(grep -oE '\]\([A-Za-z0-9_./-]+(#[a-z-]*)?\)' "${documents[@]}" | sed -E 's/\]\((.*)\)/\1/')

exit $status
