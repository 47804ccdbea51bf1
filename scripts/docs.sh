#!/usr/bin/env bash
# Builds the documentation site: the public symbols and the articles, warnings as errors, into docs/site.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}

# docc stands beside swift in the toolchain, on the PATH or not.
docc=$(command -v docc || true)
[ -n "$docc" ] || docc=$(dirname "$(readlink -f "$(command -v "$swift")")")/docc
[ -x "$docc" ] || docc=$(xcrun --find docc 2>/dev/null || true)
if [ ! -x "$docc" ]; then
  echo "docs: this Swift toolchain has no docc. Install a whole toolchain from https://swift.org/install (docc is in" >&2
  echo "      its usr/bin), put that folder first on the PATH, or name its swift: make docs SWIFT=/path/to/swift" >&2
  exit 1
fi

"$swift" build --quiet --target Tributary
graphs=$(mktemp -d)
trap 'rm -rf "$graphs"' EXIT
scripts/symbols.sh "$graphs"
rm -rf docs/site
"$docc" convert Sources/Tributary/Tributary.docc --additional-symbol-graph-dir "$graphs" \
  --output-path docs/site --fallback-display-name Tributary --fallback-bundle-identifier tributary.Tributary \
  --fallback-default-module-kind Library --warnings-as-errors
echo "docs: docs/site is a static site; serve it with any web server and open /documentation/tributary"
