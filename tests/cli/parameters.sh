#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# holdfast parameters, --set by a parameter's name, and a machine of formulas against its closed form.
#   parameters.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

expect 0 '^wrap +4.71238898 +deg +1.5708 to 5.75959 +angle that the band wraps' parameters winch-brake
expect 0 '^mu +0.2 ' parameters winch-brake --set mu=0.2
expect 0 '"name": "moment"' parameters winch-brake --json
expect 0 '^The model has no parameters' parameters spring-mass
expect 2 "outside of the parameter's range, 0 to 0.6" parameters winch-brake --set mu=0.7

# When and where the drum stops, over random parameters: the rope's weight speeds it up until the
# brake is pulled, then both torques and the bearing slow it down.
seed=${SEED:-7}
echo "seed $seed"
awk -v seed="$seed" 'BEGIN {
    srand(seed)
    for (i = 0; i < 6; ++i) {
        printf "%.17g %.17g %.17g %.17g\n", 50 + 150 * rand(), 0.3 + 0.25 * rand(), 1200 + 500 * rand(), 200 * rand()
    }
}' >cases
while read -r load mu pull apply; do
    expect 0 '"verdict": "trustworthy"' run winch-brake --json --set "load=$load kg" --set "mu=$mu" \
        --set "pull=$pull N" --set "apply=$apply ms"
    awk -v load="$load" -v mu="$mu" -v pull="$pull" -v apply="$apply" '
        /"winch.drum.position":/ { place = $2 + 0 }
        /"winch.drum.velocity":/ { rest = $2 + 0 }
        END {
            pi = atan2(0, -1); r = 0.15; apply /= 1000
            inertia = 0.9 + load * r * r; weight = 9.81 * load * r
            brake = pull * (exp(mu * 1.5 * pi) - 1) * r
            start = 20 * pi / 30; up = (weight - 2) / inertia; down = (brake + 2 - weight) / inertia
            top = start + up * apply
            want = start * apply + up * apply * apply / 2 + top * top / (2 * down)
            off = place - want
            if (rest != 0 || off > 1e-7 || off < -1e-7) {
                printf "stops at %.12g rad with %g rad/s, by hand %.12g\n", place, rest, want; exit 1
            }
        }' out || complain "load $load, mu $mu, pull $pull, apply $apply: the drum stops elsewhere"
done <cases
exit "$bad"
