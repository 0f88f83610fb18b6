#!/usr/bin/env bash
# large_files.sh fails if a file of the last commit is larger than 1 MB, such as a binary
# that was added by mistake.
set -eu
cd "$(dirname "$0")/.."
large=$(git ls-tree -r -l HEAD | awk '$4 > 1024 * 1024 {print $5}')
if [ -n "$large" ]; then
  echo "These files are larger than 1 MB. Remove them from Git: $large" >&2
  exit 1
fi
