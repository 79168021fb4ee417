#!/bin/sh
# Runs a command on the instance of the units, as root: docs/containers.md#systemd.
exec systemd-run --quiet --collect --wait --pipe --pty \
  --uid=toprung --gid=toprung --working-directory=/var/lib/toprung \
  --setenv=DATA_DIR=/var/lib/toprung --property=EnvironmentFile=-/etc/toprung/toprung.env \
  --property=UMask=0077 --property=LimitNOFILE=16384 \
  /opt/toprung/node_modules/.bin/node /opt/toprung/src/cli/main.js "$@"
