#!/usr/bin/env bash
# Simulates fleets of devices, seed after seed, until stopped with Ctrl-C or for TRIBUTARY_SOAK_SECONDS.
#
# A line every ten seconds says how many runs are done and up to which seed. The first failure prints its seed, the
# command that replays it and the trace, and ends the soak. TRIBUTARY_SOAK_FROM is the first seed; else the time is.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
export TRIBUTARY_SOAK_FROM=${TRIBUTARY_SOAK_FROM:-$(date +%s)}

# The devices' files go with the soak, however it ends.
TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'echo "soak: stopped"; exit 0' INT TERM

# In release mode a run takes a fraction of the time; the tests look inside, so testing stays enabled.
options=(-c release -Xswiftc -enable-testing)
"$swift" build --build-tests "${options[@]}"
"$swift" test --skip-build "${options[@]}" --filter '^Simulation\.SoakTests'

# A filter that matches nothing succeeds, and would soak nothing.
if [ ! -e "$TMPDIR/soaked" ]; then
  echo "soak: no simulation ran" >&2
  exit 1
fi
