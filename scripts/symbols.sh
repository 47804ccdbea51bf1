#!/usr/bin/env bash
# Writes the symbol graph of Tributary's public declarations, those that it re-exports among them, into a folder.
# The module has to be built. Usage: scripts/symbols.sh FOLDER [BUILD_FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
into=$1
build=${2:-$("$swift" build --show-bin-path)}

if [ ! -e "$build/Modules/Tributary.swiftmodule" ]; then
  echo "symbols: $build holds no built module Tributary. Run: swift build --target Tributary" >&2
  exit 1
fi

flags=(-I "$build/Modules" -Xcc "-fmodule-map-file=$build/CPlatform.build/module.modulemap")
for folder in Sources/System/*/; do
  [ ! -e "$folder/module.modulemap" ] || flags+=(-I "$folder")
done
for flag in $(pkg-config --cflags-only-I sqlite3 libsodium libzstd); do flags+=(-Xcc "$flag"); done
if [ "$(uname -s)" = Darwin ]; then
  flags+=(-target "$(uname -m)-apple-macosx14.0" -sdk "$(xcrun --show-sdk-path)")
else
  flags+=(-target "$("$swift" -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')")
fi

mkdir -p "$into"
"$swift" symbolgraph-extract -module-name Tributary "${flags[@]}" -output-dir "$into" \
  -minimum-access-level public -skip-synthesized-members \
  -experimental-allowed-reexported-modules=TributaryModel,TributaryStore,TributaryRemotes
