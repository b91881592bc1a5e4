#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the report's page, web/dist/page.html, from web/ and the npm packages it names. Does
# nothing when the page is newer than its sources. Without node and npm, or without a network for
# the packages, says so and ends well: `holdfast report` then says that it has no page.
set -eu
cd "$(dirname "$0")/../web"

page=dist/page.html
if [ -f "$page" ] && [ -z "$(find index.html package.json package-lock.json vite.config.js src \
    ../scripts/web.sh -newer "$page" 2>/dev/null)" ]; then
    exit 0
fi

give_up() {
    echo "The report page was not built: $1." >&2
    echo "Everything else works; 'holdfast report' and 'run --report' need it." >&2
    exit 0
}

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    ../scripts/deps.sh web || give_up "node and npm are missing"
fi
command -v node >/dev/null && command -v npm >/dev/null || give_up "node and npm are missing"
[ "$(node -p 'Number(process.versions.node.split(".")[0]) >= 18')" = true ] ||
    give_up "node 18 or later is needed, this is $(node --version)"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "Building the report page"
# What is installed is trusted when it came from this lock file.
if ! cmp -s package-lock.json node_modules/.holdfast-lock; then
    npm ci --no-audit --no-fund --ignore-scripts >"$log" 2>&1 || {
        tail -n 5 "$log" >&2
        give_up "its npm packages could not be had"
    }
    cp package-lock.json node_modules/.holdfast-lock
fi
npm run --silent build >"$log" 2>&1 || {
    cat "$log" >&2
    echo "web.sh: the report page does not build" >&2
    exit 1
}
