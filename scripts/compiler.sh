# Sets `compiler` to a C compiler, or to nothing. Sourced.
#
# Not CC, and not exported: a Swift build takes that for its own. Swift's toolchain has a C compiler beside its own, where
# the system has none.
compiler=
for candidate in "${CC:-}" cc gcc clang "$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang"; do
  if [ -n "$candidate" ] && command -v "$candidate" >/dev/null; then
    compiler=$candidate
    break
  fi
done
