# Sets CC to a C compiler, or to nothing. Sourced.
#
# Swift's own toolchain has one beside the compiler, where the system has none.
if [ -z "${CC:-}" ]; then
  CC=
  for candidate in cc gcc clang "$(dirname "$(readlink -f "$(command -v "${SWIFT:-swift}")")")/clang"; do
    if command -v "$candidate" >/dev/null; then
      CC=$candidate
      break
    fi
  done
fi
export CC
