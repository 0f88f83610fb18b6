#!/bin/sh
# The packages run this before they are removed or replaced. Debian's says "remove" if it is removed,
# and RPM's says 0.
set -e
if [ -d /run/systemd/system ]; then
  case ${1:-} in remove | 0) systemctl disable --now secondring.service ;; esac
fi
