#!/usr/bin/env bash
# A share of the kill matrix (Tests/Kill), the same each time: every operation, every kind of fault, about a minute.
#
# It needs Linux and a C compiler, and says so where it skips. With TRIBUTARY_NO_SKIP or CI set it fails instead, on
# Linux: there it is part of what has to pass.
set -euo pipefail
cd "$(dirname "$0")/.."

skip() {
  if [ "$(uname -s)" = Linux ] && [ -n "${TRIBUTARY_NO_SKIP:-}${CI:-}" ]; then
    echo "kill matrix: cannot run: $*" >&2
    exit 1
  fi
  echo "kill matrix: skipped: $*"
  exit 0
}

[ "$(uname -s)" = Linux ] || skip "it needs LD_PRELOAD and /proc, which only Linux has."
. scripts/compiler.sh
[ -n "$compiler" ] || skip "no C compiler was found (cc, gcc or clang)."
command -v python3 >/dev/null || skip "python3 was not found."

swift=${SWIFT:-swift}
"$swift" build --quiet --product tributary
CC=$compiler python3 Tests/Kill/matrix.py --tool "$("$swift" build --show-bin-path)/tributary" --few 3 \
  --jobs "${TRIBUTARY_KILL_JOBS:-$(nproc)}"
