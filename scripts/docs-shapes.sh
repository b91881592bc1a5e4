# SPDX-License-Identifier: Apache-2.0
# Figures and numbers of the examples with shapes. Read by docs.sh, whose tools it uses.

# standing MODEL SECONDS CHANNEL...: the largest change of the channels over a run.
standing() {
    name=$1 seconds=$2
    shift 2
    "$holdfast" run "$name" -o "$work/$name-long.csv" --duration "$seconds" --every 100 --quiet
    for channel in "$@"; do
        awk -F , -v channel="$channel" -v name="$name" -v seconds="$seconds" '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == channel) c = i; next }
            NR == 2 { first = $c }
            { d = $c - first; if (d < 0) d = -d; if (d > most) most = d }
            END { printf "%s, %s s: %s moved by %.2g m at most\n", name, seconds, channel, most }' \
            "$work/$name-long.csv"
    done
}

shapes() {
    for name in cube-3d stack wall gripper dominoes card-house; do
        "$holdfast" run $name -o "$work/$name.h5" | sed "s| in $work/$name.h5| in $name.h5|" |
            fence | put "run-$name"
    done
    "$holdfast" run pile --variant few -o "$work/pile.h5" | sed "s| in $work/pile.h5| in pile.h5|" |
        fence | put run-pile
    figure cube-3d cube-3d.h5 cube.position.z cube.angular_velocity contact.normal
    figure stack stack.h5 box-3.position.z contacts.normal
    figure wall wall.h5 brick-3-3-5.position.z contacts.normal
    figure pile pile.h5 ball-2-2-2.position.z energy.kinetic contacts.normal
    figure gripper gripper.h5 capsule.position.z contacts.normal
    figure dominoes dominoes.h5 first.orientation.y domino-1.orientation.y domino-10.orientation.y \
        domino-19.orientation.y
    figure card-house card-house.h5 left.position.z contacts.normal
    standing stack 60 box-3.position.x box-3.position.z | fence | put standing-stack
    standing card-house 60 left.position.x left.position.z | fence | put standing-card-house
    standing gripper 20 capsule.position.z | fence | put standing-gripper
}
