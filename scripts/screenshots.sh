#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes the pictures of pages in docs/figures, by Chromium.
#   scripts/screenshots.sh [NAME=PART...]      examples or model files, and the part of each run that
#                                              has passed
set -eu
cd "$(dirname "$0")/.."
[ $# != 0 ] || set -- "$PWD/docs/models/holding-arms.yaml=1" gripper=0.4 six-axis-arm=0.4 pile=0.6
FOLDER=$(mktemp -d)
trap 'rm -rf "$FOLDER"' EXIT
export FOLDER FIGURES="$PWD/docs/figures" HOLDFAST="${HOLDFAST:-$PWD/build/holdfast}"
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome)}
export CHROMIUM
node scripts/screenshots.mjs "$@"
