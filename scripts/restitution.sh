#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Wished and delivered restitution, as a table: masses from 1 g to 1 t, impact speeds from 0.1 to
# 10 m/s, under gravity, at a step of 1 ms or at the one that 'holdfast tune' recommends.
#   scripts/restitution.sh     after a build; HOLDFAST=path/to/holdfast for another command
# Exit code 1: one of them is off by more than 0.01.
set -eu
cd "$(dirname "$0")/.."
holdfast=${HOLDFAST:-build/holdfast}
model=docs/models/bounce.yaml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# bounce WISH MASS SPEED: rebound by impact speed, and the step
bounce() {
    set -- "$1" "$2" "$3" --set forces.floor.restitution="$1" --set bodies.mass.mass="$2" \
        --set forces.floor.impact_speed="$3" \
        --set bodies.mass.position="$(awk -v v="$3" 'BEGIN { print 0.00037 * v }')" \
        --set bodies.mass.velocity="$(awk -v v="$3" 'BEGIN { print -sqrt(v * v - 0.00037 * v * 19.62) }')"
    wish=$1 speed=$3
    shift 3
    step=$("$holdfast" tune $model "$@" | sed -n 's/.*a step of \(.*\) s gives it.*/\1/p')
    step=${step:-0.001}
    # long enough for the way to the floor and a contact of some 40 steps
    duration=$(awk -v h="$step" 'BEGIN { n = int((0.02 + 100 * h) / h); print n * h }')
    "$holdfast" run $model "$@" --set method.step="$step" --duration "$duration" --quiet \
        -o "$work/bounce.csv" 2>/dev/null
    awk -F , -v step="$step" -v wish="$wish" -v speed="$speed" '
        NR == 2 { start = $3 * $3 + 2 * 9.81 * $2 }
        NR > 2 && $4 > 0 { touched = 1 }
        touched && $4 == 0 && $3 > 0 {
            square = $3 * $3 + 2 * 9.81 * $2
            e = 0
            if (square > 0) e = sqrt(square / start)
            printf "%.4f %s\n", e, step
            done = 1
            exit
        }
        END { if (!done) print "0.0000 " step }' "$work/bounce.csv"
}

echo '| wanted | at 0.1 m/s | at 1 m/s | at 10 m/s | smallest step |'
echo '|---|---|---|---|---|'
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    wish=$(awk -v i=$i 'BEGIN { printf "%.2f", 0.05 * i }')
    line="| $wish |"
    : >"$work/steps"
    for speed in 0.1 1 10; do
        : >"$work/cell"
        for mass in 0.001 1 1000; do
            bounce "$wish" $mass $speed >>"$work/cell"
        done
        cat "$work/cell" >>"$work/steps"
        line="$line $(awk -v wish="$wish" -v off="$work/off" '
            NR == 1 { low = high = $1 }
            { if ($1 < low) low = $1; if ($1 > high) high = $1 }
            END {
                if (low < wish - 0.01 || high > wish + 0.01) print "restitution " wish ": delivered " low " to " high > off
                if (low == high) printf "%.3f", low
                else printf "%.3f to %.3f", low, high
            }' "$work/cell") |"
    done
    echo "$line $(awk 'NR == 1 || $2 < s { s = $2 } END { print s " s" }' "$work/steps") |"
done
if [ -s "$work/off" ]; then
    cat "$work/off" >&2
    exit 1
fi
