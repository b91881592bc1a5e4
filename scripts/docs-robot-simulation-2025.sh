# SPDX-License-Identifier: Apache-2.0
# Figures and numbers of the machines of [RobotSimulation2025]. Read by docs.sh, whose tools it uses.

# The landing point over a smooth floor, and the exact laws beside it.
smooth_point() {
    "$holdfast" compare point-2d-smooth --channel point.position.z --channel point.velocity.x \
        -o docs/figures/point-2d-smooth.svg | fence | put compare-point-2d-smooth
    echo docs/figures/point-2d-smooth.svg
}

# Time-stepping: the landing point, and a box that holds.
steps() {
    for name in point-2d box-on-slope struck-ball; do
        "$holdfast" compare $name | fence | put compare-$name
    done
    "$holdfast" run hoist -o "$work/hoist.h5" | sed "s| in $work/hoist.h5| in hoist.h5|" | fence | put run-hoist
    figure hoist hoist.h5 load.position load.velocity gear.force rope.force brake.force
    "$holdfast" run winch-brake -o "$work/winch-brake.h5" | sed "s| in $work/winch-brake.h5| in winch-brake.h5|" | fence |
        put run-winch-brake
    "$holdfast" run six-axis-arm -o "$work/six-axis-arm.h5" | sed "s| in $work/six-axis-arm.h5| in six-axis-arm.h5|" | fence |
        put run-six-axis-arm
    figure six-axis-arm six-axis-arm.h5 arm.shoulder.position arm.elbow.position brake-2.force brake-3.force
    "$holdfast" parameters winch-brake | fence | put parameters-winch-brake
    figure winch-brake winch-brake.h5 winch.drum.velocity brake.force bearing.force
    drives
    run struck-ball struck-ball.h5
    figure struck-ball struck-ball.h5 ball.velocity.x ball.angular_velocity cloth.force.spin \
        cloth.force.roll2
}

# field FILE KEY: a number of a run's JSON.
field() {
    sed -n "s/^ *\"$2\": \([-0-9.e+]*\),*\$/\1/p" "$1" | head -n 1
}

# The nonlinear programs beside the solvers of timestep: MODEL DURATION.
program_row() {
    for method in nlp timestep; do
        "$holdfast" run "$1" --set "method={type: $method, step: 1e-3}" --duration "$2" --json >"$work/$method.json"
    done
    echo "| [$1](../examples/$1.md), $2 s | $(field "$work/nlp.json" programs) | $(field "$work/nlp.json" solved) |" \
        "$(field "$work/nlp.json" starts) | $(field "$work/nlp.json" iterations) |" \
        "$(field "$work/nlp.json" worst_residual) |" \
        "$(field "$work/nlp.json" wall_seconds) | $(field "$work/timestep.json" wall_seconds) |" |
        awk -F '|' -v OFS='|' '{ $6 = sprintf(" %.1f ", $6 / $3); $7 = sprintf(" %.1e ", $7)
            $8 = sprintf(" %.3g s ", $8); $9 = sprintf(" %.3g s ", $9); print }'
}

programs() {
    "$holdfast" run point-2d --method nlp --duration 0.001 --quiet 2>/dev/null || {
        echo "docs.sh: without IPOPT: no numbers of method nlp" >&2
        return 0
    }
    {
        echo "| machine, steps of 1 ms | programs | solved | starts | iterations a program | worst residual | nlp | timestep |"
        echo "|---|---|---|---|---|---|---|---|"
        program_row point-2d 1.2
        program_row point-2d-hybrid 1.2
        program_row two-link-arm-exact 0.5
        program_row box-on-slope 0.3
        program_row cube-3d 0.35
    } | put nlp-programs
}

# The program as the document prints it, beside what is right: a benchmark, for its minutes.
printed_program() {
    bench=${HOLDFAST_BENCH:-build-bench}/bench/bench-nlp
    [ -x "$bench" ] || {
        echo "docs.sh: without IPOPT: no numbers of the printed program" >&2
        return 0
    }
    "$bench" "$work/printed.csv" | put nlp-printed
    figure nlp-printed printed.csv printed.velocity by-hand.velocity after.velocity nlp.velocity \
        --title "the landing point's speed [m/s] by the printed program, and by method nlp"
}

document_004() {
    programs
    smooth_point
    steps
}
