#!/usr/bin/env bash
# e2e.sh [ARGUMENTS] runs the browser tests with the browser that CHROMIUM names, or with
# the first one that is installed. The headless shell is Chromium without windows, and takes
# a quarter less time. The arguments are passed to "playwright test".
set -eu
cd "$(dirname "$0")/../client"
for browser in ${CHROMIUM:+"$CHROMIUM"} chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
  if path=$(command -v "$browser"); then
    export CHROMIUM=$path
    break
  fi
done
exec npm run --silent e2e -- "$@"
