#!/usr/bin/env bash
# Runs the simulation over fresh seeds until stopped, or for TRIBUTARY_SOAK_SECONDS.
#
# Each round is one run of the Simulation tests with TRIBUTARY_SEEDS=FROM..TO; a failure prints its seed and
# ends the soak. TRIBUTARY_SOAK_FROM starts at a seed of one's own, TRIBUTARY_SOAK_BATCH sets the seeds a round.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
from=${TRIBUTARY_SOAK_FROM:-$(date +%s)}
batch=${TRIBUTARY_SOAK_BATCH:-200}
limit=${TRIBUTARY_SOAK_SECONDS:-0}
log=$(mktemp)
trap 'rm -f "$log"' EXIT

"$swift" build -c release --build-tests -Xswiftc -enable-testing
began=$SECONDS
while :; do
  to=$((from + batch - 1))
  echo "soak: seeds $from..$to, $((SECONDS - began)) s so far"
  if ! TRIBUTARY_SEEDS="$from..$to" "$swift" test -c release --skip-build -Xswiftc -enable-testing \
    --filter '^Simulation\.' 2>&1 | tee "$log"; then
    echo "soak: failed within seeds $from..$to; run again with TRIBUTARY_SEEDS=$from..$to" >&2
    exit 1
  fi
  # A filter that matches nothing succeeds, and would soak nothing for ever.
  if ! grep -qE 'Test run with [1-9][0-9]* tests?' "$log"; then
    echo "soak: no simulation ran" >&2
    exit 1
  fi
  from=$((to + 1))
  if [ "$limit" -ne 0 ] && [ $((SECONDS - began)) -ge "$limit" ]; then break; fi
done
