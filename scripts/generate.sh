#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes completions/ and man/ from the tables of the commands.
#   scripts/generate.sh build/holdfast [FOLDER]     FOLDER: the project's unless given
set -eu
holdfast=$(realpath "${1:?usage: generate.sh HOLDFAST [FOLDER]}")
cd "${2:-$(dirname "$0")/..}"
mkdir -p completions man
"$holdfast" --generate bash >completions/holdfast.bash
"$holdfast" --generate zsh >completions/_holdfast
"$holdfast" --generate fish >completions/holdfast.fish
"$holdfast" --generate man >man/holdfast.1
