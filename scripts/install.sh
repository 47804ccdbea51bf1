#!/usr/bin/env bash
# Installs a built tool with its man page and completions, all of them made by the tool itself.
# Usage: scripts/install.sh PREFIX TOOL
set -euo pipefail

prefix=$1
tool=$2

install -d "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
  "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
install -m 755 "$tool" "$prefix/bin/tributary"
"$tool" man >"$prefix/share/man/man1/tributary.1"
"$tool" completions bash >"$prefix/share/bash-completion/completions/tributary"
"$tool" completions zsh >"$prefix/share/zsh/site-functions/_tributary"
"$tool" completions fish >"$prefix/share/fish/vendor_completions.d/tributary.fish"
echo "Installed $prefix/bin/tributary, its man page and completions for bash, zsh and fish."
