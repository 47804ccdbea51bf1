#!/usr/bin/env bash
# Builds the documentation site: the public symbols and the articles, warnings as errors, into docs/site.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
catalog=Sources/Tributary/Tributary.docc
graphs=.build/public-symbol-graphs

# docc stands beside swift in the toolchain, on the PATH or not.
docc=$(command -v docc || true)
[ -n "$docc" ] || docc=$(dirname "$(readlink -f "$(command -v "$swift")")")/docc
[ -x "$docc" ] || docc=$(xcrun --find docc)

if [ ! -d "$catalog" ]; then
  echo "docs: $catalog is not there" >&2
  exit 1
fi

"$swift" package dump-symbol-graph --minimum-access-level public --skip-synthesized-members
rm -rf "$graphs" docs/site
mkdir -p "$graphs"
found=$(find -L .build -path "*/symbolgraph/*" -name "Tributary*.symbols.json" \
  ! -name "TributaryTool*" ! -name "*Tests*" -print)
if [ -z "$found" ]; then
  echo "docs: the compiler wrote no symbol graph for Tributary" >&2
  exit 1
fi
while IFS= read -r graph; do
  case $(basename "$graph") in
    Tributary.symbols.json | Tributary@*.symbols.json) cp "$graph" "$graphs/" ;;
    TributaryTesting.symbols.json | TributaryTesting@*.symbols.json) cp "$graph" "$graphs/" ;;
  esac
done <<<"$found"

"$docc" convert "$catalog" --additional-symbol-graph-dir "$graphs" --output-path docs/site \
  --fallback-display-name Tributary --fallback-bundle-identifier tributary.Tributary --warnings-as-errors
echo "docs: docs/site/index.html (serve it with any static web server)"
