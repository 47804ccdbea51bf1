#!/usr/bin/env bash
# The demo is written when the tool's commands work; until then this says so and fails.
set -euo pipefail
echo "demo: not built yet; the data is in Demo/" >&2
exit 1
