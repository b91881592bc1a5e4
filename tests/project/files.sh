#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every source file begins with its licence and with what it is for, has no tabs or trailing blanks,
# and stays short enough to read. Long functions have outline comments (outlines.py). Tests write into folders of their own.
#   files.sh ROOT
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
find $(ls -d src include tests bench examples 2>/dev/null) -path tests/project/wrong -prune -o \( -name '*.[ch]' -o -name '*.sh' \) -print0 |
    LC_ALL=C sort -z | xargs -0 awk -v limit=600 '
    function complain(text) { print text; bad = 1 }
    function close_file() {
        if (file != "" && !licensed) complain(file ": no SPDX line at the top")
        if (file ~ /\.[ch]$/ && !said) complain(file ": its head does not say what it is for")
        if (lines > limit) complain(file ": " lines " lines, more than " limit)
    }
    FNR == 1 { close_file(); file = FILENAME; licensed = said = begun = 0; count++ }
    { lines = FNR }
    FNR <= 2 && /SPDX-License-Identifier: Apache-2\.0/ { licensed = 1 }
    # A source says it before its first include, a header before its first line of code.
    !begun && /^(\/\/|\/\*| \*)/ && !/SPDX/ { said = 1 }
    /^#include/ && FILENAME ~ /\.c$/ || !/^(#|\/\/|\/\*| \*|$)/ { begun = 1 }
    /\t/ { complain(file ":" FNR ": a tab") }
    /[ \r]$/ { complain(file ":" FNR ": a blank at the end of the line") }
    END {
        close_file()
        if (!count) complain("no files found")
        if (!bad) print count " files in order"
        exit bad
    }'
# A file by a bare name is written wherever the test was started
for test in $(grep -lE 'fopen\("[^/"]+", "[wa]' -r tests --include='*.c'); do
    if ! grep -q 'hf_work_in_own_folder()' "$test"; then
        echo "$test: writes into the working folder: call hf_work_in_own_folder() first"
        exit 1
    fi
done
if command -v python3 >/dev/null; then
    python3 "$here/outlines.py" .
fi
