# SPDX-License-Identifier: Apache-2.0
# Figures and numbers of closed chains. Read by docs.sh, whose tools it uses.

# The robot of rps-robot-sine.yaml at the times in rps.csv with numbers 1 and 2 of gnuplot's blocks.
rps_lines() {
    awk -F , -v first="$1" -v second="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        function ball(k, q, lean, angle, r) {
            angle = (k - 1) * 2 * 3.14159265358979 / 3
            q = $column["leg" k ".slide.position"]; lean = $column["leg" k ".swing.position"]
            r = 0.35 - q * sin(lean)
            return r * cos(angle) " " r * sin(angle) " " q * cos(lean)
        }
        function foot(k, angle) {
            angle = (k - 1) * 2 * 3.14159265358979 / 3
            return 0.35 * cos(angle) " " 0.35 * sin(angle) " 0"
        }
        $1 >= first - 1e-9 && !one || $1 >= second - 1e-9 && !two {
            if (one) two = 1
            one = 1
            for (k = 1; k <= 3; k++) { print foot(k); print ball(k); print "" }
            for (k = 1; k <= 4; k++) print ball(k > 3 ? 1 : k)
            print ""
            for (k = 1; k <= 4; k++) print foot(k > 3 ? 1 : k)
            print ""
            print ""
        }' "$work/rps.csv" >"$work/rps"
    gnuplot <<END
set terminal svg size 700,560 font "sans,12"
set output "docs/figures/rps-robot.svg"
set xlabel "x [m]"
set ylabel "y [m]"
set zlabel "z [m]" rotate
set view 68, 35
set view equal xyz
set xyplane at 0
set ticslevel 0
set xtics 0.2
set ytics 0.2
set ztics 0.2
splot "$work/rps" index 0 with lines lw 4 lc rgb "#3060c0" title "$1 s", \\
      "$work/rps" index 1 with lines lw 4 lc rgb "#c05030" title "$2 s"
END
    echo docs/figures/rps-robot.svg
}

loops() {
    "$holdfast" check slider-crank | fence | put check-slider-crank
    for name in slider-crank rps-robot-sine rps-robot-fourier; do
        "$holdfast" run $name -o "$work/$name.h5" | sed "s| in $work/$name.h5| in $name.h5|" |
            fence | put "run-$name"
    done
    figure slider-crank slider-crank.h5 engine.crank.velocity rail.slider.velocity dry.force pin.force.x
    figure rps-robot-sine rps-robot-sine.h5 leg1.slide.velocity leg2.slide.velocity \
        leg3.slide.velocity friction1.force friction2.force friction3.force
    figure rps-robot-fourier rps-robot-fourier.h5 leg1.slide.position leg2.slide.position \
        leg3.slide.position friction1.force friction2.force friction3.force
    run rps-robot-sine rps.csv
    rps_lines 0 1.5
    {
        echo '| rtol | first stop of slide 2 [s] | breaks away [s] | q1(5.12) [m] | evaluations | loops open by [m] |'
        echo '|---|---|---|---|---|---|'
        for tolerance in 1e-6 1e-8 1e-10; do
            "$holdfast" run rps-robot-sine --rtol $tolerance \
                --atol "$(awk -v t=$tolerance 'BEGIN { print 0.01 * t }')" --json |
                awk -F '[:,]' -v rtol=$tolerance '
                    /"time"/ && events < 2 && listed { event[++events] = $2 }
                    /"event_list"/ { listed = 1 }
                    /"evaluations"/ { evaluations = $2 }
                    /"largest_opening":/ { opening = $2 }
                    /"leg1.slide.position"/ { q = $2 }
                    END { printf "| %s | %.9f | %.9f | %.9f | %d | %.1e |\n", rtol, event[1], event[2], q,
                          evaluations, opening }'
        done
        echo '| independent | 0.645605 | 0.754565 | 0.628401681 | | |'
    } | put rps-robot-tolerances
}
