#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs one test of the page: run.sh NAME.test.mjs. 77 when something it needs is missing.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
skip() {
    echo "skipped: $1"
    exit 77
}
command -v node >/dev/null || skip "node is missing"
[ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 18')" = true ] || skip "node is too old"
[ -d "$here/../../web/node_modules/playwright-core" ] || skip "web/ has no npm packages (scripts/web.sh)"
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -n "$CHROMIUM" ] || skip "chromium is missing (scripts/deps.sh browser)"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if ! "$HOLDFAST" run spring-mass -q --report "$folder/try.html" 2>"$folder/said"; then
    grep -q "not built" "$folder/said" && skip "the page was not built into holdfast"
fi
export CHROMIUM
FOLDER=$folder node "$here/$1"
