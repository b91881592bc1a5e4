#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Takes the C program of a page out of it, and the model file that stands before it.
#   readme.sh PAGE FOLDER
set -eu
mkdir -p "$2"
awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' "$1" >"$2/arm.c"
awk '/^```yaml$/ { on = 1; text = ""; next }
     /^```c$/ { printf "%s", text; exit }
     /^```$/ { on = 0 }
     on { text = text $0 "\n" }' "$1" >"$2/arm.yaml"
[ -s "$2/arm.c" ] && [ -s "$2/arm.yaml" ]
