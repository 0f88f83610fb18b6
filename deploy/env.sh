#!/usr/bin/env bash
# env.sh [FILE] copies .env.example to .env, or to FILE, and generates the secrets. It
# does not overwrite an existing file.
set -eu
example=$(dirname "$0")/../.env.example
file=${1:-$(dirname "$0")/../.env}
umask 077
set -o noclobber
while IFS= read -r line; do
  case $line in
    TOKEN_SECRET= | *_PASSWORD=) line+=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n') ;;
  esac
  printf '%s\n' "$line"
done <"$example" >"$file"
echo "$file has new secrets. Store a copy of it in a safe place." >&2
