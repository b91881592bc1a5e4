#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes pictures and the table of speeds of docs/robots.md from the robots of $HOLDFAST_DATA, which are not part of the
# project.
#   HOLDFAST_DATA=FOLDER scripts/docs-robots.sh           all of it; the table needs build-bench ('make bench')
#   HOLDFAST_DATA=FOLDER scripts/docs-robots.sh --speed   the table alone
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
holdfast=${HOLDFAST:-build/holdfast}
robots=${HOLDFAST_DATA:?the folder with robots}/robots

# The table of bench-robots, in the place of the one that is there.
speed() {
    bench=${HOLDFAST_BENCH:-build-bench/bench}/bench-robots
    [ -x "$bench" ] || {
        echo "docs-robots.sh: $bench is not there: no table of speeds" >&2
        return 0
    }
    "$bench" >"$folder/speed.txt"
    awk 'BEGIN { print "| | at rest | MuJoCo | moving | MuJoCo | creep | MuJoCo |"; print "|---|---|---|---|---|---|---|" }
        /^result/ || NR <= 2 || NF < 7 { next }
        { name = $1
          for (i = 2; i <= NF - 6; ++i) name = name " " $i
          printf "| %s | %.2f | %.0f | %.0f | %.0f | %s | %.1e |\n", name, $(NF - 5), $(NF - 4), $(NF - 3), $(NF - 2), $(NF - 1), $NF
        }' "$folder/speed.txt" >"$folder/table.txt"
    awk -v table="$folder/table.txt" '
        skip && $0 == "<!-- end -->" { skip = 0 }
        !skip { print }
        $0 == "<!-- numbers: robots-speed -->" {
            skip = 1
            while ((getline line < table) > 0) print line
        }' docs/robots.md >"$folder/page.md"
    cat "$folder/page.md" >docs/robots.md
    cat "$folder/table.txt"
}
speed
[ "${1:-}" != --speed ] || exit 0

cp -r "$robots/unitree_go1" "$robots/robotiq_2f85" "$robots/allegro_hand_urdf" "$folder"

# The Allegro hand on its side, without power, beside MuJoCo: the joint that has moved most.
cat >"$folder/allegro.yaml" <<'YAML'
gravity: [0, 0, -9.81]
method: {type: timestep, step: 1e-3}
duration: 60
record: [hand.joint_*.position]
bodies:
  hand: {type: robot, orientation: [0.7071067811865476, 0.7071067811865476, 0, 0],
         file: allegro_hand_urdf/allegro_hand_description_right.urdf}
YAML
"$holdfast" run "$folder/allegro.yaml" -q -o "$folder/allegro.csv"
awk -F , 'NR == 2 { for (i = 2; i <= NF; ++i) start[i] = $i }
    NR > 2 && NR % 200 == 2 { most = 0
        for (i = 2; i <= NF; ++i) { d = $i - start[i]; d = d < 0 ? -d : d; most = d > most ? d : most }
        print $1, most }' "$folder/allegro.csv" >"$folder/holdfast.txt"
${CC:-cc} -O2 scripts/mujoco-creep.c -o "$folder/mujoco-creep" -lmujoco -lm
"$folder/mujoco-creep" "$robots/allegro_hand_urdf/allegro_hand_description_right.urdf" 60 0 -9.81 0 \
    >"$folder/mujoco.txt"
gnuplot <<END
set terminal svg size 720,340 font "sans-serif,14" background rgb "white"
set output "docs/figures/allegro-creep.svg"
set border 3 linecolor rgb "#555555"
set tics nomirror out scale 0.6
set grid linecolor rgb "#DDDDDD"
set xlabel "time [s]"
set ylabel "moved most [rad]"
set yrange [-0.05:*]
set key above left
plot "$folder/mujoco.txt" with lines linecolor rgb "#D55E00" linewidth 3 title "MuJoCo", \
     "$folder/holdfast.txt" with lines linecolor rgb "#0072B2" linewidth 3 title "Holdfast"
END
echo "docs/figures/allegro-creep.svg: after 60 s Holdfast $(tail -1 "$folder/holdfast.txt" | cut -d ' ' -f 2) rad," \
    "MuJoCo $(tail -1 "$folder/mujoco.txt" | cut -d ' ' -f 2) rad"

cat >"$folder/go1-standing.yaml" <<'YAML'
name: go1 stands on its own servos
gravity: [0, 0, -9.81]
method: {type: timestep, step: 1e-3}
duration: 2
record: [go1.*.position, go1.*.friction.force]
bodies:
  floor: {type: static, shape: {type: plane}}
  go1: {type: robot, file: unitree_go1/go1.xml, position: [0, 0, 0.29], start: home}
YAML
cat >"$folder/2f85-lifting.yaml" <<'YAML'
name: 2f85 closes on a box of 50 g, lifts and shakes it
gravity: [0, 0, -9.81]
method: {type: timestep, step: 2.5e-4}
duration: 5
record: [box.position, carriage.*.position, hand.*.position]
bodies:
  hand: {type: robot, file: robotiq_2f85/2f85.xml, base: free, position: [0, 0, 0.17], orientation: [0, 1, 0, 0]}
  table: {type: static, shape: {type: plane}}
  carriage:
    type: tree
    joints:
      lift: {type: prismatic, axis: [0, 0, 1], offset: [0, 0, 0.17], mass: 2}
      shake: {type: prismatic, axis: [1, 0, 0], parent: lift, mass: 2}
  box: {type: rigid, mass: 0.05, position: [0, 0, 0.015], shape: {type: box, size: [0.03, 0.03, 0.03]}}
signals:
  up: "t < 2 ? 0 : t < 3 ? 0.1*(1 - cos(pi*(t - 2))) : 0.2 + 0.01*sin(12*(t - 3))"
  side: "t < 3 ? 0 : 0.01*sin(20*(t - 3))"
  hand-fingers_actuator: "t < 0.5 ? 0 : 255"
forces:
  - {name: ground, type: collide, among: [box, table], friction: 0.5, restitution: 0}
  - {name: lifter, type: controller, on: carriage.lift, reference: up, proportional: 1e5, derivative: 2e3}
  - {name: shaker, type: controller, on: carriage.shake, reference: side, proportional: 1e5, derivative: 2e3}
loops:
  mount: {type: fixed, on: hand.base_mount, to: carriage.shake, point: [0, 0, 0], to_point: [0, 0, 0], to_orientation: [0, 1, 0, 0]}
YAML
scripts/screenshots.sh "$folder/go1-standing.yaml=1" "$folder/2f85-lifting.yaml=0.8"
