#!/usr/bin/env bash
# llms.sh prints llms.txt, which tells language models what the project is and where its documents are
# (llmstxt.org). It takes the titles and the first sentences of the documents.
set -eu
cd "$(dirname "$0")/.."

# first_sentence FILE prints the first sentence below the title.
first_sentence() { sed -n '3{s/\. .*/./;p;q}' "$1" | sed -E 's/\[([^]]*)\]\([^)]*\)/\1/g'; }

list() {
  local file
  for file in "$@"; do
    printf -- '- [%s](%s): %s\n' "$(sed -n '1s/^# //p' "$file")" "$file" "$(first_sentence "$file")"
  done
}

echo '# SecondRing'
echo
echo "> $(first_sentence README.md)"
echo
echo '## Documents'
echo
list docs/START.md docs/UPGRADING.md docs/SETTINGS.md docs/OPERATIONS.md docs/SCALING.md docs/PAYMENTS.md docs/PRIVACY.md
echo '- [OpenAPI](api/openapi.json): All calls, with their fields and errors. A server has them at /openapi.json and /docs.'
echo
echo '## For a change of the program'
echo
list CONTRIBUTING.md docs/ARCHITECTURE.md docs/DESIGN.md docs/DEPARTURES.md docs/PERFORMANCE.md docs/SECURITY-REVIEW.md SECURITY.md
echo
echo '## Decisions'
echo
for file in docs/adr/0*.md; do
  echo "- [$(sed -n '1s/^# //p' "$file")]($file)"
done
