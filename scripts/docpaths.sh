#!/usr/bin/env bash
# docpaths.sh fails if a document names a file, a folder or a Go test of this
# repository that does not exist. It checks names in backticks and targets of links.
# A folder that git ignores need not exist.
# If a document says `Name` in `file`, or `Name` (`file`…), the file must declare the name.
set -eu
cd "$(dirname "$0")/.."
documents=(*.md docs/*.md docs/adr/*.md)
status=0

missing() { echo "$1 names $2, which does not exist" >&2; status=1; }

# named PATTERN prints the matches in the documents, as lines of document:name.
named() { grep -oE "$1" "${documents[@]}" | tr -d '`' | sort -u; }

folders='(api|bench|client|cmd|deploy|docs|hub|market|sandbox|scripts|store)'
while IFS=: read -r document path; do
  compgen -G "$path" >/dev/null || git check-ignore -q "${path%/}/" || missing "$document" "$path"
done < <(named "\`$folders/[A-Za-z0-9_./*-]*\`")

files=$(git ls-files)
while IFS=: read -r document file; do
  grep -q "/$file\$" <<<"$files" || missing "$document" "$file"
done < <(named '`[A-Za-z0-9_]+_test\.go`')

tests=$(git grep -hoE '^func Test[A-Za-z0-9_]+' -- '*.go' | sort -u)
while IFS=: read -r document name; do
  grep -qx "func $name" <<<"$tests" || missing "$document" "$name"
done < <(named '`Test[A-Za-z0-9_]+`')

while IFS=: read -r document name file; do
  grep -qE "^(export )?(async )?(func|type|var|const|function|class|interface) (\([^)]*\) )?${name##*.}\b" "$file" ||
    missing "$document" "$name in $file"
done < <(named "\`[A-Za-z_.]+\` (in |\()\`$folders/[A-Za-z0-9_./-]+\.(go|tsx?)\`" | sed -E 's/ (in |\()/:/')

while IFS=: read -r document target; do
  [ -e "$(dirname "$document")/${target%%#*}" ] || missing "$document" "$target"
done < <(grep -oE '\]\([A-Za-z0-9_./-]+(#[a-z-]*)?\)' "${documents[@]}" | sed -E 's/\]\((.*)\)/\1/')

exit $status
