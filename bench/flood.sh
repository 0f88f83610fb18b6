#!/usr/bin/env bash
# flood.sh: how soon a page of 2,000 phones answers while 1,000 events a second arrive, as a table.
# Arguments are those of page/flood.mjs after the address: phones, events a second, seconds.
LOOK=flood.mjs exec bash "$(dirname "$0")/page.sh" "$@"
