#!/usr/bin/env bash
# needs.sh checks that the programs are installed that the tests need besides Go and
# Node. If it runs as root on Debian, it installs the missing ones. Otherwise it lists them.
set -u

missing=()

# need PACKAGE COMMAND… notes the package as missing if none of the commands exists.
need() {
  local package=$1 command
  shift
  for command in "$@"; do
    command -v "$command" >/dev/null && return
  done
  missing+=("$package")
}

need chromium-headless-shell ${CHROMIUM:+"$CHROMIUM"} chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable
need gcc "$(go env CC)"
need redis-server ${REDIS_SERVER:+"$REDIS_SERVER"} redis-server
need haproxy haproxy /usr/sbin/haproxy # /usr/sbin is not in every PATH
need curl curl
# The race detector links against the C library.
if command -v gcc >/dev/null && ! echo '#include <stdlib.h>' | gcc -E - >/dev/null 2>&1; then
  missing+=(libc6-dev)
fi

# Caddy is only unpacked, because its package would start a server on port 80.
caddy=${XDG_CACHE_HOME:-$HOME/.cache}/secondring/caddy
unpacked=
if ! command -v "${CADDY:-caddy}" >/dev/null && [ ! -x "$caddy/usr/bin/caddy" ]; then
  unpacked=caddy
fi

[ ${#missing[@]} -eq 0 ] && [ -z "$unpacked" ] && exit 0

if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "The tests need these packages: ${missing[*]} $unpacked. Install them and try again." >&2
  exit 1
fi

echo "Installing ${missing[*]} $unpacked…"
export DEBIAN_FRONTEND=noninteractive
[[ " ${missing[*]} " == *' gcc '* ]] && missing+=(libc6-dev)
# Text in screenshots needs a font.
[[ " ${missing[*]} " == *' chromium-headless-shell '* ]] && missing+=(fonts-dejavu-core)
log=$(mktemp)
install() {
  apt-get update && apt-get install -y --no-install-recommends "${missing[@]}" || return
  [ -z "$unpacked" ] || { mkdir -p "$caddy" && cd "$caddy" && apt-get download caddy && dpkg-deb -x caddy_*.deb . && rm caddy_*.deb; }
}
if ! (install) >"$log" 2>&1 </dev/null; then
  tail -n 30 "$log" >&2
  echo "Could not install ${missing[*]} $unpacked." >&2
  exit 1
fi
rm -f "$log"
