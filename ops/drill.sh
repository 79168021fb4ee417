#!/usr/bin/env bash
# A rehearsed disaster. It starts a throw-away Toprung of its own in a temporary directory, loses the
# data directory, the queue and a host one after another, brings everything back, compares every
# position with the truth, and prints the times. It touches no other instance.
#
#   ops/drill.sh                  200 keyword markets, a few minutes
#   ops/drill.sh --markets 2000   more of them
#   ops/drill.sh --hurry          does not wait until leases of lost work expire by themselves
set -euo pipefail
cd "$(dirname "$0")/.."
if [ ! -x node_modules/.bin/node ]; then
  echo "The packages are missing. Run npm ci in $PWD first." >&2
  exit 1
fi
exec node_modules/.bin/node scripts/drill.ts "$@"
