# Installs what the build needs and is missing. Quiet and instant when nothing is missing.
#
# Sourced by the Makefile, because on macOS it also exports PKG_CONFIG_PATH; it can be run as well.

tributary_libraries="sqlite3 libsodium libzstd libutf8proc"

# The Debian packages whose check fails, one a line.
tributary_missing_debian() {
  command -v pkg-config >/dev/null || echo pkg-config
  command -v ld >/dev/null || echo binutils
  command -v make >/dev/null || echo make
  command -v git >/dev/null || echo git
  # The other programs of the tests, which write databases that are adopted.
  command -v sqlite3 >/dev/null || echo sqlite3
  command -v python3 >/dev/null || echo python3
  local library
  for library in $tributary_libraries; do
    if ! command -v pkg-config >/dev/null || ! pkg-config --exists "$library"; then
      case $library in
        sqlite3) echo libsqlite3-dev ;;
        libsodium) echo libsodium-dev ;;
        libzstd) echo libzstd-dev ;;
        libutf8proc) echo libutf8proc-dev ;;
      esac
    fi
  done
}

tributary_setup_debian() {
  local missing as_root=()
  missing=$(tributary_missing_debian)
  [ -n "$missing" ] || return 0
  missing=${missing//$'\n'/ }
  if ! command -v apt-get >/dev/null; then
    echo "setup: missing (Debian's names): $missing. Install them with this system's package manager." >&2
    return 1
  fi
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "setup: missing: $missing. Run as root: apt-get install $missing" >&2
      return 1
    fi
    as_root=(sudo)
  fi
  echo "setup: installing $missing" >&2
  # The lists may be older than the mirror, so a failed install is tried once more after an update.
  # shellcheck disable=SC2086
  tributary_apt_install $missing >/dev/null 2>&1 && return 0
  ${as_root[@]+"${as_root[@]}"} apt-get update -q >&2 || return 1
  # shellcheck disable=SC2086
  tributary_apt_install $missing >&2
}

tributary_apt_install() {
  ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends "$@"
}

# Homebrew keeps sqlite out of the default path, since macOS has one of its own without the hooks we need.
tributary_setup_macos() {
  local prefix formula missing=()
  if ! command -v brew >/dev/null; then
    echo "setup: Homebrew is needed for the C libraries: https://brew.sh" >&2
    return 1
  fi
  prefix=$(brew --prefix) || return 1
  command -v pkg-config >/dev/null || missing+=(pkgconf)
  for formula in sqlite libsodium zstd utf8proc; do
    [ -e "$prefix/opt/$formula" ] || missing+=("$formula")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    echo "setup: installing ${missing[*]}" >&2
    brew install --quiet "${missing[@]}" >&2 || return 1
  fi
  for formula in sqlite libsodium zstd utf8proc; do
    PKG_CONFIG_PATH="$prefix/opt/$formula/lib/pkgconfig:${PKG_CONFIG_PATH:-}"
  done
  export PKG_CONFIG_PATH
}

tributary_check_swift() {
  local swift=${SWIFT:-swift} version major minor
  if ! command -v "$swift" >/dev/null; then
    echo "setup: Swift 6.2 or later is needed. Linux: https://www.swift.org/install (swiftly);" \
      "macOS: Xcode 26 or later." >&2
    return 1
  fi
  version=$("$swift" --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1)
  major=${version%%.*} minor=${version#*.}
  if [ -z "$version" ] || [ "$major" -lt 6 ] || { [ "$major" -eq 6 ] && [ "$minor" -lt 2 ]; }; then
    echo "setup: Swift 6.2 or later is needed, found ${version:-none} at $(command -v "$swift")." \
      "Linux: https://www.swift.org/install (swiftly); macOS: Xcode 26 or later." >&2
    return 1
  fi
}

tributary_setup() {
  case $(uname -s) in
    Darwin) tributary_setup_macos || return ;;
    *) tributary_setup_debian || return ;;
  esac
  tributary_check_swift
}

tributary_setup
