#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The page about the architecture says what is there: its picture is what the includes make, and
# every function of its walk is defined in the file that the walk names.
#   architecture.sh ROOT            checks
#   architecture.sh ROOT --write    puts the present picture into the page
set -euo pipefail
cd "$1"
page=docs/architecture.md
begin='<!-- picture: tests/project/includes.sh -->'
end='<!-- end of picture -->'
picture=$(tests/project/includes.sh . picture)

if [ "${2:-}" = --write ]; then
    {
        sed "\\|^$begin\$|q" "$page"
        printf '\n%s\n\n' "$picture"
        sed -n "\\|^$end\$|,\$p" "$page"
    } >"$page.new"
    mv "$page.new" "$page"
    exit 0
fi

bad=0
shown=$(sed -n "\\|^$begin\$|,\\|^$end\$|p" "$page" | sed '1,2d;$d' | sed '$d')
if [ "$shown" != "$picture" ]; then
    diff <(printf '%s\n' "$shown") <(printf '%s\n' "$picture") || true
    echo "$page: the picture is not what the includes make; tests/project/architecture.sh . --write"
    bad=1
fi

# Rows of the walk: | what happens | `function` | [path](../path) |
count=0
while IFS='|' read -r _ _ functions file _; do
    path=$(sed -n 's/.*](\.\.\/\(.*\)).*/\1/p' <<<"$file")
    for function in $(grep -o '`[^`]*`' <<<"$functions" | tr -d '`'); do
        count=$((count + 1))
        if [ ! -f "$path" ]; then
            echo "$page: the walk names $path, which is not there"
            bad=1
        elif ! grep -Eq "^(static |inline |const |async |function |[A-Za-z_]+[ *])*\*?$function\(" "$path"; then
            echo "$page: $function of the walk is not defined in $path"
            bad=1
        fi
    done
done < <(sed -n '/^## The walk of one number/,/^## Add/p' "$page" | grep '^| .*`')
[ "$count" -ge 15 ] || { echo "$page: the walk names $count functions, expected at least 15"; bad=1; }
[ "$bad" = 0 ] && echo "the picture is current, and $count functions of the walk are where it says"
exit "$bad"
