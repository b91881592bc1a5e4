# SPDX-License-Identifier: Apache-2.0
# Part of docs.sh, which sources it: every friction law by itself, and the machines of [Kikuuwe2005].

# alone LAW [--set K=V]...: its figure, and what was measured.
alone() {
    law=$1
    shift
    "$holdfast" law "$law" "$@" -o "docs/figures/law-$law.svg" >"$work/law-$law"
    echo "docs/figures/law-$law.svg"
    {
        printf '$ holdfast law %s' "$law"
        while [ $# -gt 0 ]; do
            printf " --set '%s'" "$2"
            shift 2
        done
        echo
        sed -n '/^Measured/,$p' "$work/law-$law"
    } | fence | put "law-$law"
}

# row LAW: measured with the law's own defaults, 1 N everywhere.
row() {
    "$holdfast" law "$1" | awk -v law="$1" '
        $1 == "drift" { drift = $2 }
        $1 == "presliding" { close_to = $(NF - 1); soft = $2 != "no" }
        $1 == "break-away" { slow = $2; fast = $7 }
        END {
            if (drift < 0) drift = -drift
            printf "| [%s](%s.md) | %s | %s | %s | %s | %s |\n", law, law,
                drift < 1e-15 ? "none" : drift " m/s", soft ? "yes" : "no",
                soft ? close_to " N" : "-", slow " N", fast " N"
        }'
}

every_law() {
    curve='{kinetic: 1, static: 1.5, stribeck_velocity: 0.01}'
    for law in stiction dahl lugre coulomb continuous karnopp viscous-approximation quinn \
        elastoplastic gms hayward-armstrong armstrong bouc-wen; do
        alone $law --set "level=$curve"
    done
    alone leuven --set "level=$curve" --set 'levels=[0.15, 0.3, 0.45, 0.6]'
    alone compound --set "factor=$curve"
    alone maxwell-slip
    {
        echo '| law | drifts under an oscillating load below the level | presliding | its loops close to | breaks away at 0.5 N/s | at 500 N/s |'
        echo '|---|---|---|---|---|---|'
        for law in $("$holdfast" law --list | grep -oE '^[a-z-]+'); do
            row "$law"
        done
    } | put every-law
}

examples_001() {
    "$holdfast" compare spring-pull --separate --channel block.velocity --channel floor.force \
        -o docs/figures/spring-pull.svg | fence | put compare-spring-pull
    echo docs/figures/spring-pull.svg

    for name in P Q2; do
        run zero-crossing crossing-$name.csv --variant $name
    done
    paste -d , "$work/crossing-P.csv" "$work/crossing-Q2.csv" | awk -F , '
        function exact(t) { return t < 0.0026 ? -0.13 + 50*t : 30*(t - 0.0026) }
        NR == 1 { print "time,P.velocity,Q2.velocity,exact.velocity"; next }
        { print $1 "," $2 "," $6 "," exact($1) }' >"$work/crossing.csv"
    figure zero-crossing crossing.csv P.velocity Q2.velocity exact.velocity \
        --title 'zero crossing: velocity [m/s]'
    awk -F , '
        NR == 1 { print "| time | P | Q2 | exact |"; print "|---|---|---|---|"; next }
        NR <= 7 { printf "| %g ms | %.3f m/s | %.3f m/s | %.3f m/s |\n", 1000*$1, $2, $3, $4 }
        ' "$work/crossing.csv" | put zero-crossing

    for name in planar-friction hysteresis haptic-plane; do
        "$holdfast" run $name -o "$work/$name.csv" | sed "s| in $work/$name.csv| in $name.csv|" |
            fence | put "run-$name"
    done
    run planar-friction planar.h5 --every 10
    figure planar-friction planar.h5 puck.position.y --x puck.position.x --title 'planar friction: the way of the puck'
    awk -F , 'NR > 1 && $4 == 0 && $5 == 0 { printf "%s s at (%.9f, %.9f) m\n", $1, $2, $3; exit }' \
        "$work/planar-friction.csv" | put planar-friction
    run hysteresis hysteresis.h5 --every 10
    figure hysteresis hysteresis.h5 friction.force --x end.position
    {
        echo '| turn | position | force | the same turn later | difference |'
        echo '|---|---|---|---|---|'
        awk -F , '
            NR == 1 { n = split("1200 3400 5200 6600 7650 8400 8900 9400 10150 11200 12600 14400 16600", at, " "); next }
            { for (i = 1; i <= n; i++) if (NR - 2 == at[i]) { x[i] = $2; f[i] = $4 } }
            END {
                for (i = 1; i <= 7; i++) {
                    printf "| %d | %g mm | %.9f N |", i, int(1e5*x[i] + (x[i] > 0 ? 0.5 : -0.5))/100, f[i]
                    if (i < 7) printf " %.9f N | %.1e N |\n", f[14 - i], f[14 - i] - f[i]; else print " | |"
                }
            }' "$work/hysteresis.csv"
    } | put hysteresis
    "$(dirname "$holdfast")/examples/motor-compensation" | fence | put motor-compensation
    haptic
}

# The way of the grip, and the force of the hand every 40 ms, as in [Kikuuwe2005], Figure 13.
haptic() {
    "$holdfast" run haptic-plane --variant live --realtime --duration 2 \
        --input examples/haptic-plane-hand.csv | sed -n '2,7p' | fence | put clock-haptic-plane
    awk -F , 'NR > 1 { print $2 + $11, $3 + $12 }' "$work/haptic-plane.csv" >"$work/way"
    awk -F , 'NR > 1 && NR % 40 == 2 { print $2, $3, 0.015*$6, 0.015*$7 }' "$work/haptic-plane.csv" >"$work/forces"
    gnuplot <<END
set terminal svg size 720,700 font "sans-serif,14" background rgb "white"
set output "docs/figures/haptic-plane.svg"
set border 3 linecolor rgb "#555555"
set tics nomirror out scale 0.6
set grid linecolor rgb "#DDDDDD"
set size ratio -1
set xlabel "x [m]"
set ylabel "y [m]"
set key above left
plot "$work/forces" with vectors nohead linecolor rgb "#D55E00" linewidth 1 title "force of the hand, 15 mm a newton", \
     "$work/way" with lines linecolor rgb "#0072B2" linewidth 3 title "grip of the arm"
END
    echo docs/figures/haptic-plane.svg
}
