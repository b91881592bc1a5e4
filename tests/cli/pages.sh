#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command that the first page and those of the examples show works as it stands, here for a
# short while.
#   pages.sh HOLDFAST SOURCE
set -u
holdfast=$1
source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
count=0
ln -s "$source/examples" "$work/examples"
cd "$work" || exit 1

holdfast() {
    case $1 in
    run | compare) "$holdfast" "$@" --duration 0.1 ;;
    *) "$holdfast" "$@" ;;
    esac
}

command -v jq >/dev/null || jq() { cat; }
sed -n '/^```yaml/,/^```/p' "$source/docs/getting-started.md" | grep -v '^```' >block.yaml

for page in "$source/docs/getting-started.md" "$source"/docs/examples/*.md; do
    sed -nE 's/^ {4}(build\/)?(holdfast .*)/\2/p' "$page" >commands
    while IFS= read -r command; do
        count=$((count + 1))
        # A build without node has no page to put a report into, and says so.
        if ! eval "$command" >output 2>&1 </dev/null &&
            ! grep -q 'the page was not built into this program' output; then
            echo "$(basename "$page"): $command"
            sed 's/^/    /' output
            failed=$((failed + 1))
        fi
    done <commands
done
echo "$count commands, $failed failed"
[ "$failed" -eq 0 ] && [ "$count" -gt 50 ]
