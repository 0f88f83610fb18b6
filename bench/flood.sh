#!/usr/bin/env bash
# flood.sh [PHONES [EVENTS [SECONDS]]] measures how fast a page of 2,000 phones responds to
# inputs while it gets 1,000 events a second. It prints a table.
SCRIPT=flood.mjs exec bash "$(dirname "$0")/page.sh" "$@"
