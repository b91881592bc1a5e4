#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every citation key, [NameYear], in the code and on the pages is on docs/references.md, and sources are
# cited by keys alone.
#   references.sh ROOT
set -euo pipefail
cd "$1"
page=docs/references.md
keys=$(find src include tests bench docs examples -type f \( -name '*.[ch]' -o -name '*.md' -o -name '*.yaml' \) \
           ! -path "$page" ! -path 'tests/project/*' -print0 |
       xargs -0 grep -hoE '\[[A-Z][A-Za-z]+[0-9]{4}[a-z]?[],]' | tr -d '[],' | LC_ALL=C sort -u)
missing=0
count=0
for key in $keys; do
    count=$((count + 1))
    if ! grep -qF "[$key]" "$page"; then
        echo "[$key] is cited, but $page does not have it: $(grep -rlF "[$key" src include tests bench docs | head -n 3 | tr '\n' ' ')"
        missing=1
    fi
done
# Not by words in brackets, [Name and Name 1948, Journal]
if find src include tests bench docs -type f \( -name '*.[ch]' -o -name '*.md' \) ! -path "$page" ! -path 'tests/project/*' -print0 |
        xargs -0 grep -nE "\[[A-Z][A-Za-z. -]*,? (19|20)[0-9]{2}[],]"; then
    echo 'a source is cited by words: write its key'
    missing=1
fi
# A source is cited by its key, never by its number.
if find src include tests bench docs examples -type f \( -name '*.[ch]' -o -name '*.md' -o -name '*.yaml' \) ! -path "$page" -print0 |
        xargs -0 grep -nE "[Dd]ocuments? 00[0-4]|(^|[^0-9.,-])00[0-4]('s|,? \(|, [A-Z])"; then
    echo 'a source is cited by its number: write its key'
    missing=1
fi
[ "$count" -gt 0 ] || { echo 'no citation keys found'; exit 1; }
[ "$missing" = 0 ] && echo "$count citation keys, all on $page"
exit "$missing"
