#!/usr/bin/env bash
# The whole kill matrix (Tests/Kill): every operation, every kind of fault, every call. Linux only.
#
# It takes an hour or two on two cores. TRIBUTARY_SOAK_SECONDS=N ends it after about N seconds, with points that chance
# chooses. The first lines on standard error say how far it is; each failure prints the command that replays it.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname -s)" != Linux ]; then
  echo "soak-kill: it needs LD_PRELOAD and /proc, which only Linux has." >&2
  exit 1
fi
. scripts/compiler.sh
swift=${SWIFT:-swift}
"$swift" build -c release --product tributary
options=(--all --jobs "${TRIBUTARY_KILL_JOBS:-$(nproc)}")
[ -z "${TRIBUTARY_SOAK_SECONDS:-}" ] || options+=(--seconds "$TRIBUTARY_SOAK_SECONDS")
CC=$compiler exec python3 Tests/Kill/matrix.py --tool "$("$swift" build -c release --show-bin-path)/tributary" "${options[@]}"
