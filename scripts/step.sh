#!/usr/bin/env bash
# step.sh NAME COMMAND… runs a command as one step of the checks. It prints the duration,
# or that the step failed.
set -u
name=$1
shift
[ "${CI:-}" ] && printf '\n'
printf '▶ %s\n' "$name"
start=$SECONDS
"$@" </dev/null
status=$?
if [ $status -ne 0 ]; then
  printf '✗ %s failed after %d s (exit %d): %s\n' "$name" $((SECONDS - start)) $status "$*" >&2
  exit $status
fi
printf '✓ %s (%d s)\n' "$name" $((SECONDS - start))
