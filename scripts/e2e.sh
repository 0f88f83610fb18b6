#!/usr/bin/env bash
# e2e.sh: the browser tests, with the browser that is installed; CHROMIUM names
# another one. Arguments go to "playwright test".
set -eu
cd "$(dirname "$0")/../client"
for browser in ${CHROMIUM:+"$CHROMIUM"} chromium chromium-browser google-chrome google-chrome-stable; do
  if path=$(command -v "$browser"); then
    export CHROMIUM=$path
    break
  fi
done
exec npm run --silent e2e -- "$@"
