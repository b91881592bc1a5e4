#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Regenerates the figures and numbers of the documentation, and checks its links and model files.
#   scripts/docs.sh            after a build; HOLDFAST=path/to/holdfast for another command
#   scripts/docs.sh --bench    the benchmark table too (needs build-bench, see 'make bench';
#                              HOLDFAST_BENCH=folder for another)
#   scripts/docs.sh --check    only the checks
#   scripts/docs.sh --only P   only part P: examples, laws, methods, shapes, loops, tutorials, ...
#
# A page says where a number goes:   <!-- numbers: NAME --> ... <!-- end -->
set -eu
cd "$(dirname "$0")/.."

holdfast=${HOLDFAST:-build/holdfast}
example=${HOLDFAST_EXAMPLE:-$(dirname "$holdfast")/examples/block-on-slope}
[ -x "$holdfast" ] || {
    echo "docs.sh: $holdfast is not there; run 'make' first" >&2
    exit 2
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
pages=$(find docs -name '*.md' | LC_ALL=C sort)
pages="README.md $pages"

# ------------------------------------------------------------------------------------------------
# Tools

# run MODEL OUTPUT [option...]: records a run, silently.
run() {
    model=$1 output=$2
    shift 2
    "$holdfast" run "$model" -o "$work/$output" --quiet "$@"
}

# figure NAME RECORDING CHANNEL...
figure() {
    name=$1 recording=$2
    shift 2
    "$holdfast" plot "$work/$recording" "$@" -o "docs/figures/$name.svg"
    echo "docs/figures/$name.svg"
}

# put NAME: standard input takes the place of what stands between the markers NAME, in every page.
put() {
    name=$1
    cat >"$work/text"
    used=0
    for page in $pages; do
        grep -qF "<!-- numbers: $name -->" "$page" || continue
        used=1
        awk -v name="$name" -v text="$work/text" '
            skip && $0 == "<!-- end -->" { skip = 0 }
            !skip { print }
            $0 == "<!-- numbers: " name " -->" {
                skip = 1
                while ((getline line < text) > 0) print line
                close(text)
            }
            END { exit skip }' "$page" >"$work/page" || {
            echo "docs.sh: $page: no <!-- end --> after $name" >&2
            exit 1
        }
        cmp -s "$work/page" "$page" || cat "$work/page" >"$page"
    done
    [ $used = 1 ] || echo "docs.sh: no page shows the numbers '$name'" >&2
}

# value FILE.csv CHANNEL TIME: the sample at a time.
value() {
    awk -F , -v channel="$2" -v time="$3" '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == channel) column = i; next }
        $1 >= time - 1e-9 { print $column; found = 1; exit }
        END { exit !(column && found) }' "$work/$1"
}

# drift FILE.csv POSITION VELOCITY START PERIODS: mean velocity over whole periods of the motors' hum
# (100 rad/s), which its elastic ripple leaves alone. Cubic interpolation between samples.
drift() {
    awk -F , -v position="$2" -v velocity="$3" -v start="$4" -v periods="$5" '
        function at(time, h, s, r) {
            h = t - t0; s = (time - t0) / h; r = 1 - s
            return r*r*(1 + 2*s)*p0 + s*s*(3 - 2*s)*p + h*s*r*(r*v0 - s*v)
        }
        NR == 1 {
            for (i = 1; i <= NF; i++) { if ($i == position) ip = i; if ($i == velocity) iv = i }
            end = start + periods * 2 * 3.14159265358979 / 100
            next
        }
        {
            t0 = t; p0 = p; v0 = v; t = $1; p = $ip; v = $iv
            if (!begun && t >= start) { first = NR == 2 ? p : at(start); begun = 1 }
            if (begun && t >= end) { printf "%.2e\n", (at(end) - first) / (end - start); done = 1; exit }
        }
        END { exit !done }' "$work/$1"
}

# difference A B: |A - B|
difference() {
    awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; printf "%.2e\n", d < 0 ? -d : d }'
}

fence() {
    echo '```'
    cat
    echo '```'
}

. scripts/docs-kikuuwe-2005.sh
. scripts/docs-robot-simulation-2025.sh
. scripts/docs-shapes.sh
. scripts/docs-control.sh
. scripts/docs-loops.sh
. scripts/docs-exact.sh
. scripts/docs-drives.sh
. scripts/docs-tutorials.sh

# ------------------------------------------------------------------------------------------------
# Examples

examples() {
    for name in rolling-sphere two-link-arm two-link-arm-lugre two-link-arm-penalty spring-mass; do
        "$holdfast" run $name -o "$work/$name.csv" | sed "s| in $work/$name.csv| in $name.csv|" |
            fence | put "run-$name"
        case $name in
        two-link-arm*) run $name $name.h5 --every 100 ;;
        spring-mass) run $name $name.h5 --every 20 ;;
        *) run $name $name.h5 --every 10 ;;
        esac
    done
    figure rolling-sphere rolling-sphere.h5 sphere.velocity.x floor.rate.tangent1 sphere.position.z
    figure two-link-arm two-link-arm.h5 arm.shoulder.position arm.elbow.position
    figure two-link-arm-lugre two-link-arm-lugre.h5 arm.shoulder.position arm.elbow.position
    figure two-link-arm-penalty two-link-arm-penalty.h5 shoulder.gap.angle elbow.gap.angle
    figure spring-mass spring-mass.h5 block.position block.velocity spring.force
    "$example" | fence | put block-on-slope
    # The machine of the README and of getting-started.md, as it stands there.
    awk '/^```yaml/ { inside = 1; next } /^```/ && inside { exit } inside' README.md >"$work/block.yaml"
    "$holdfast" run "$work/block.yaml" -o "$work/block.h5" |
        sed "s| in $work/block.h5| in block.h5|" | fence | put run-block
    run docs/models/slopes.yaml slopes.h5 --every 100
    figure block-on-slope slopes.h5 slope-20.rate.tangent1 slope-25.rate.tangent1 \
        slope-30.rate.tangent1 slope-35.rate.tangent1
}

# When the contact point of the sphere comes to rest, and its speed at the end.
sphere() {
    awk -F , '
        NR == 1 { for (i = 1; i <= NF; i++) if ($i == "floor.rate.tangent1") rate = i
                  for (i = 1; i <= NF; i++) if ($i == "sphere.velocity.x") speed = i; next }
        !rolls && $rate <= 0 { rolls = $1 }
        { last = $speed }
        END {
            print "| | simulated | without bounces, by hand |"
            print "|---|---|---|"
            printf "| slip ends | %.4f s | 2/3.43 = 0.5831 s |\n", rolls
            printf "| speed at t = 1 s | %.9f m/s | 10/7 = 1.428571429 m/s |\n", last
        }' "$work/rolling-sphere.csv" | put rolling-sphere
}

drift_row() {
    printf '| %s | %s rad/s | %s rad/s |\n' "$1" \
        "$(drift "$2" arm.shoulder.position arm.shoulder.velocity "$3" "$4")" \
        "$(drift "$2" arm.elbow.position arm.elbow.velocity "$3" "$4")"
}

# Needs build-bench with ODE and Bullet.
collision() {
    "${HOLDFAST_BENCH:-build-bench}/bench/bench-collide" | grep -v '^result|' |
        sed -n '/^|/,$p' | put collide
}

arms() {
    run two-link-arm long.csv --duration 60 --every 10
    {
        echo '| friction | shoulder drifts | elbow drifts |'
        echo '|---|---|---|'
        drift_row 'stiction, t = 5 to 10 s' two-link-arm.csv 5 79
        drift_row 'stiction, t = 6 to 60 s' long.csv 6 859
        drift_row 'LuGre, t = 5 to 10 s' two-link-arm-lugre.csv 5 79
    } | put drift
    {
        echo '| time | shoulder | elbow |'
        echo '|---|---|---|'
        for t in 2 4 6 10; do
            printf '| %s s | %.9f rad | %.9f rad |\n' $t \
                "$(value two-link-arm.csv arm.shoulder.position $t)" \
                "$(value two-link-arm.csv arm.elbow.position $t)"
        done
    } | put two-link-arm
    {
        echo '| penalty stiffness | shoulder differs | elbow differs |'
        echo '|---|---|---|'
        for pair in 1e5:110.68 1e6:350 1e7:1106.8; do
            k=${pair%:*} b=${pair#*:}
            bend=$(awk -v b="$b" 'BEGIN { print 1e-4 * b }')
            set --
            for joint in shoulder elbow; do
                set -- "$@" --set forces.$joint.stiffness=$k --set forces.$joint.damping="$b" \
                    --set forces.$joint.bend_stiffness="$(awk -v k=$k 'BEGIN { print 1e-4 * k }')" \
                    --set forces.$joint.bend_damping="$bend"
            done
            run two-link-arm-penalty penalty.csv --duration 6 --every 1000 "$@"
            printf '| %s N/m | %s rad | %s rad |\n' $k \
                "$(difference "$(value penalty.csv shoulder.gap.angle 6)" \
                    "$(value two-link-arm.csv arm.shoulder.position 6)")" \
                "$(difference "$(value penalty.csv elbow.gap.angle 6)" \
                    "$(value two-link-arm.csv arm.elbow.position 6)")"
        done
    } | put penalty
    # Two arms that hold their weight for a minute, one with stick, one with a smoothed friction
    run docs/models/holding-arms.yaml holding.csv
    {
        echo '| after 60 s | shoulder has turned by | elbow has turned by |'
        echo '|---|---|---|'
        for arm in sticks creeps; do
            printf '| %s | %s rad | %s rad |\n' \
                "$([ $arm = sticks ] && echo "Coulomb's friction" || echo 'smoothed, F tanh(v/(0.01 rad/s))')" \
                "$(difference "$(value holding.csv $arm.upper.position 60)" "$(value holding.csv $arm.upper.position 0)")" \
                "$(difference "$(value holding.csv $arm.fore.position 60)" "$(value holding.csv $arm.fore.position 0)")"
        done
    } | put holding
    # How far the joints have turned since t = 5 s, one sample in each period of the hum.
    run docs/models/two-arms.yaml two-arms.csv
    awk -F , '
        NR == 1 { print "time,stiction.shoulder.turn,lugre.shoulder.turn,stiction.elbow.turn,lugre.elbow.turn" }
        NR > 1 && $1 >= 5 + n * 2 * 3.14159265358979 / 100 {
            if (!n++) for (i = 2; i <= 5; i++) start[i] = $i
            printf "%s", $1
            for (i = 2; i <= 5; i++) printf ",%.9g", $i - start[i]
            print ""
        }' "$work/two-arms.csv" >"$work/turns.csv"
    figure drift-arms turns.csv stiction.shoulder.turn lugre.shoulder.turn stiction.elbow.turn \
        lugre.elbow.turn --title 'two arms under the same motors: turned since t = 5 s [rad]'
}

# ------------------------------------------------------------------------------------------------
# Laws

laws() {
    run docs/models/drift.yaml drift.h5 --every 40
    figure drift-laws drift.h5 stiction.position dahl.position lugre.position
    run docs/models/drift.yaml drift.csv
    {
        echo '| law | position at t = 2 s | at t = 20 s | drift, t = 5 to 20 s |'
        echo '|---|---|---|---|'
        for law in stiction dahl lugre; do
            printf '| %s | %.6f m | %.6f m | %s m/s |\n' $law "$(value drift.csv $law.position 2)" \
                "$(value drift.csv $law.position 20)" \
                "$(drift drift.csv $law.position $law.velocity 5 238)"
        done
    } | put drift-laws
    run docs/models/loops.yaml loops.h5 --every 40
    figure loops loops.h5 stiction.force dahl.force lugre.force --x end.position
    run docs/models/levels.yaml levels.h5 --every 100
    figure levels levels.h5 coulomb.force viscous.force stribeck.force asymmetric.force table.force \
        --x slider.velocity
}

# ------------------------------------------------------------------------------------------------
# Methods: errors at three steps, whose ratio shows the order

# order_rows METHOD: the mass on a spring at t = 5 s against 0.1 cos(50).
order_spring() {
    exact=$(awk 'BEGIN { printf "%.17g", 0.1 * cos(50) }')
    echo '| step | error of x(5) | energy residual |'
    echo '|---|---|---|'
    for step in 4e-3 2e-3 1e-3; do
        run spring-mass order.csv --method "$1" --step $step --every 100000
        printf '| %s s | %s m | %.2e J |\n' $step \
            "$(difference "$(value order.csv block.position 5)" "$exact")" \
            "$(value order.csv energy.residual 5)"
    done
}

# The arm of Simulation II at t = 6 s against rk4 with a step of 10 us.
order_arm() {
    echo '| step | error of the shoulder at t = 6 s | of the elbow |'
    echo '|---|---|---|'
    for step in 4e-4 2e-4 1e-4; do
        run two-link-arm order.csv --method "$1" --step $step --duration 6 --every 100000
        printf '| %s s | %s rad | %s rad |\n' $step \
            "$(difference "$(value order.csv arm.shoulder.position 6)" "$shoulder")" \
            "$(difference "$(value order.csv arm.elbow.position 6)" "$elbow")"
    done
}

# The mass on a spring at equal cost, 1000 evaluations a second, for 10 s and 1000 s.
long_runs() {
    echo '| method | step | largest energy residual in 10 s | in 1000 s |'
    echo '|---|---|---|---|'
    for pair in semi-implicit-euler/1e-3 verlet/2e-3 rk4/4e-3; do
        method=${pair%/*} step=${pair#*/}
        for duration in 10 1000; do
            run spring-mass long-$duration.csv --method "$method" --step "$step" --duration $duration --every 7 \
                --set 'record=[energy.residual]'
        done
        printf '| %s | %s s | %s J | %s J |\n' "$method" "$step" "$(largest long-10.csv)" "$(largest long-1000.csv)"
    done
}

# largest FILE: the largest absolute value of its second column.
largest() {
    awk -F , 'NR > 1 { x = $2 < 0 ? -$2 : $2; if (x > most) most = x } END { printf "%.1e", most }' "$work/$1"
}

methods() {
    run two-link-arm limit.csv --method rk4 --step 1e-5 --duration 6 --every 1000000
    shoulder=$(value limit.csv arm.shoulder.position 6) elbow=$(value limit.csv arm.elbow.position 6)
    long_runs | put verlet-long
    for method in euler semi-implicit-euler verlet rk4 rk4-tau; do
        order_spring $method | put "spring-$method"
        order_arm $method | put "arm-$method"
        run spring-mass energy-$method.csv --method $method --step 2e-3 --every 10 \
            --set 'record=[energy.total]'
    done
    paste -d , "$work/energy-euler.csv" "$work/energy-semi-implicit-euler.csv" \
        "$work/energy-rk4.csv" | awk -F , '
        NR == 1 { print "time,euler.energy,semi-implicit-euler.energy,rk4.energy"; next }
        { print $1 "," $2 "," $4 "," $6 }' >"$work/energy.csv"
    figure energy energy.csv euler.energy semi-implicit-euler.energy rk4.energy \
        --title 'energy of the mass on a spring [J], step 2 ms'
}

# ------------------------------------------------------------------------------------------------
# Checks

# Relative links point to files; model files shown whole are valid.
check() {
    bad=0
    for page in $pages; do
        folder=$(dirname "$page")
        for link in $(grep -o '](\([^)#]*\)' "$page" | sed 's/^](//' | grep -v '^[a-z]*:' || true); do
            [ -e "$folder/$link" ] || {
                echo "$page: no such file: $link" >&2
                bad=1
            }
        done
        awk -v base="$work/model" '
            /^```yaml/ { inside = 1; first = 1; next }
            /^```/ { if (inside && whole) close(file); inside = whole = 0; next }
            inside && first { whole = /^name:/; first = 0; if (whole) file = base "-" ++n ".yaml" }
            inside && whole { print > file }' "$page"
        for model in "$work"/model-*.yaml; do
            [ -e "$model" ] || continue
            "$holdfast" check "$model" >"$work/checked" 2>&1 || {
                sed "s|^|$page: |" "$work/checked" >&2
                bad=1
            }
            rm -f "$model"
        done
    done
    [ $bad = 0 ]
}

# Machines with exact friction, method switch.
exact() {
    for name in oscillator oscillator-forced two-link-arm-exact clutch bouncing-ball-hybrid \
        newtons-cradle point-2d-hybrid; do
        "$holdfast" run $name -o "$work/$name.h5" | sed "s| in $work/$name.h5| in $name.h5|" |
            fence | put "run-$name"
    done
    "$holdfast" compare oscillator-sgn 2>&1 | fence | put compare-oscillator-sgn
    figure oscillator oscillator.h5 block.position block.velocity floor.force
    figure oscillator-forced oscillator-forced.h5 block.position block.velocity friction.mode
    figure two-link-arm-exact two-link-arm-exact.h5 arm.shoulder.velocity arm.elbow.velocity \
        shoulder-friction.force elbow-friction.force
    figure clutch clutch.h5 motor.shaft.velocity flywheel.shaft.velocity clutch.force brake.force
    figure point-2d-hybrid point-2d-hybrid.h5 point.position.z point.velocity.x floor.force rub.force
    figure bouncing-ball-hybrid bouncing-ball-hybrid.h5 ball.position ball.velocity
    figure newtons-cradle newtons-cradle.h5 ball1.hinge.position ball3.hinge.position \
        ball5.hinge.position
    exact_map
}

# The forced oscillator once every period, over the frequency of the force.
exact_map() {
    for w in $(seq 0.30 0.02 2.40); do
        period=$(awk -v w="$w" 'BEGIN { printf "%.17g", 8 * atan2(1, 1) / w }')
        run oscillator-forced map.csv --set "signals.shake=\"0.3*sin($w*t)\"" --step "$period" \
            --duration "$(awk -v t="$period" 'BEGIN { printf "%.17g", 250 * t }')" --rtol 1e-7
        awk -F , -v w="$w" '
            NR == 1 { for (i = 1; i <= NF; i++) if ($i == "block.position") column = i; next }
            NR > 152 { printf "%s %.2f\n", w, $column }' "$work/map.csv" | sort -u
    done >"$work/map"
    gnuplot <<END
set terminal svg size 800,420 font "sans,12"
set output "docs/figures/oscillator-forced-map.svg"
set xlabel "frequency of the force [rad/s]"
set ylabel "block.position once a period [m]"
set xrange [0.28:2.42]
unset key
plot "$work/map" title "once a period" with points pointtype 7 pointsize 0.2 linecolor rgb "#1f4e79"
END
    echo docs/figures/oscillator-forced-map.svg
}

# [Xiong2013]: contacts and friction as ordinary differential equations.
contacts() {
    for name in stick-drift bouncing-mass sliding-mass rolling-sphere-bounce two-blocks-conveyor \
        conveyor-periodic spinning-coin-box; do
        "$holdfast" run $name -o "$work/$name.csv" 2>/dev/null |
            sed "s| in $work/$name.csv| in $name.csv|" | fence | put "run-$name"
        case $name in
        stick-drift | bouncing-mass | conveyor-periodic) run $name $name.h5 --every 20 ;;
        two-blocks-conveyor) run $name $name.h5 --every 200 ;;
        *) run $name $name.h5 --every 5 ;;
        esac
    done
    figure stick-drift stick-drift.h5 held.position creeping.position pull.value
    figure bouncing-mass bouncing-mass.h5 perfect.position lively.position tired.position dull.position
    figure sliding-mass sliding-mass.h5 mass.position.z mass.velocity.x floor.normal
    figure rolling-sphere-bounce rolling-sphere-bounce.h5 sphere.position.z sphere.velocity.x \
        floor.rate.tangent1
    figure two-blocks-conveyor two-blocks-conveyor.h5 first.position second.position \
        between.normal conveyor.normal
    figure conveyor-periodic conveyor-periodic.h5 mass.velocity --x mass.position
    figure spinning-coin-box spinning-coin-box.h5 coin.position.z coin.angular_velocity
    "$holdfast" tune sliding-mass | fence | put tune-sliding-mass
    HOLDFAST=$holdfast scripts/restitution.sh | put restitution
}

case ${1:-} in
'' | --bench | --only) ;;
--check)
    check
    exit
    ;;
*)
    echo "usage: scripts/docs.sh [--bench | --check | --only PART]" >&2
    exit 2
    ;;
esac
mkdir -p docs/figures
if [ "${1:-}" = --only ]; then
    "${2:?docs.sh: --only which part?}"
    exit 0
fi
examples
sphere
arms
laws
methods
exact
exact_in_space
contacts
every_law
examples_001
document_004
shapes
control
loops
tutorials
if [ "${1:-}" = --bench ]; then
    for part in stiction oscillator arm machines fixed; do
        name=switch-$part
        [ $part != stiction ] || name=adaptive-stiction
        "${HOLDFAST_BENCH:-build-bench}/bench/bench-adaptive" $part | put $name
    done
    "${HOLDFAST_BENCH:-build-bench}/bench/bench-loops" | put loops-partitions
    printed_program
    "${HOLDFAST_BENCH:-build-bench}/bench/bench-pile" large | grep '^|' | put pile
    collision
    "${HOLDFAST_BENCH:-build-bench}/bench/bench-fc3d" "$work/fc3d.csv" large >/dev/null
    scripts/docs-fc3d.sh "$work/fc3d.csv" | put fc3d
    bench/run "${HOLDFAST_BENCH:-build-bench}" >"$work/bench"
    sed -n '/^benchmark  /,$p' "$work/bench" | fence | put bench
fi
check
