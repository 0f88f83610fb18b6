#!/usr/bin/env bash
# tools.sh fails if Go, Node or npm is missing or too old.
set -u

# at_least HAVE WANT compares versions such as 20.19.0.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n1)" = "$2" ]; }

fail() { echo "$*" >&2; exit 1; }

command -v go >/dev/null || fail 'Go is missing: install Go 1.26 or later (go.dev).'
command -v node >/dev/null || fail 'Node is missing: install Node 20.19 or later (nodejs.org).'
command -v npm >/dev/null || fail 'npm is missing: it comes with Node (nodejs.org).'

node=$(node --version)
at_least "${node#v}" 20.19 || fail "Node $node is too old: the client needs 20.19 or later."
go=$(go env GOVERSION)
at_least "${go#go}" 1.26 || fail "$go is too old: the server needs Go 1.26 or later."
