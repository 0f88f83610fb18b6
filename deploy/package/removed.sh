#!/bin/sh
# The packages run this after they were removed. They leave the settings and the data.
set -e
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload
fi
