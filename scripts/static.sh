#!/usr/bin/env bash
# Builds the tool as one file that runs on any Linux of this machine's CPU, whatever libraries it has or lacks.
# Everything is in it: Swift's runtime, the C libraries and glibc. It still needs /proc, which Swift's runtime reads.
set -euo pipefail
cd "$(dirname "$0")/.."

swift=${SWIFT:-swift}
scratch=.build/static
output=$scratch/tributary

if [ "$(uname -s)" != Linux ]; then
  echo "static: only for Linux. Elsewhere: make install" >&2
  exit 1
fi

# Of the linker's warnings about glibc, none concerns a function that the tool calls: Foundation brings look-ups of
# users, and SQLite the loading of extensions, which the tool never turns on.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! "$swift" build -c release --product tributary -Xswiftc -static-executable --scratch-path "$scratch" >"$log" 2>&1; then
  cat "$log" >&2
  echo "static: the libraries are needed as archives (libsqlite3.a, libsodium.a, libzstd.a, libutf8proc.a, libc.a)." \
    "Debian's -dev packages have them." >&2
  exit 1
fi

strip -o "$output.new" "$scratch/release/tributary"
if readelf --dynamic --program-headers "$output.new" | grep -qE 'NEEDED|INTERP'; then
  echo "static: it still asks for libraries:" >&2
  readelf --dynamic "$output.new" | grep NEEDED >&2
  exit 1
fi
env -i "$output.new" --version
mv "$output.new" "$output"
echo "Built $output ($(du -h "$output" | cut -f 1)). To install it: scripts/install.sh PREFIX $output"
