#!/usr/bin/env bash
# release_notes.sh TAG [FILE] prints the section of a version in CHANGELOG.md, or in FILE,
# without its heading, which is "## [x.y.z] - date". It fails if the section is missing or empty.
set -eu -o pipefail
version=${1:?is missing: the tag, such as v1.2.0}
version=${version#v}
file=${2:-$(dirname "$0")/../CHANGELOG.md}

# A section ends at the next heading of its level, or at the addresses of links.
notes=$(awk -v heading="## [$version] - " '
  /^## / || /^\[[^]]*\]: / { inside = index($0, heading) == 1; next }
  inside' "$file")

if [[ ! $notes =~ [^[:space:]] ]]; then
  echo "release_notes.sh: $file has no text for the version $version" >&2
  exit 1
fi
printf '%s\n' "$notes" | sed '/./,$!d' # without the blank lines at the beginning
