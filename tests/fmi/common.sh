# SPDX-License-Identifier: Apache-2.0
# What the scripts share. Sourced with the command, the project's root and the host as arguments.
host=$3
. "$2/tests/cli/common.sh"

command -v unzip >/dev/null || command -v python3 >/dev/null || { echo "neither unzip nor python3"; exit 77; }

# unpack FILE.fmu FOLDER: the archive is sound, and what it has lies in it.
unpack() {
    mkdir -p "$2"
    if command -v unzip >/dev/null; then
        unzip -tq "$1" >/dev/null || complain "$1: unzip finds it damaged"
        unzip -qo "$1" -d "$2" || complain "$1: cannot be unpacked"
    else
        python3 -m zipfile -t "$1" >/dev/null || complain "$1: python finds it damaged"
        python3 -m zipfile -e "$1" "$2" || complain "$1: cannot be unpacked"
    fi
}
