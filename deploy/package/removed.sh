#!/bin/sh
# The packages run this after they were removed. The data stay. The settings stay too, until Debian's
# package is purged.
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
