#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A run compared with runs of another step: what is said of answers that depend on the step, and of
# those that do not.
#   verify.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

# number KEY ARGUMENT...: of the object "verify" of a run
number() {
    local key=$1
    shift
    "$holdfast" run "$@" --json 2>err | python3 -c "import json, sys; print(json.load(sys.stdin)['verify'].get('$key'))"
}
# is NUMBER LOW HIGH WHAT
is() {
    awk -v n="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(n != "None" && n >= low && n <= high) }' ||
        complain "$4: $1, expected $2 to $3"
}
# off FILE.csv EXPRESSION: the largest difference of the second column from a function of t, as a part
# of the largest distance from the first value
off() {
    python3 -c "
import csv, math, sys
rows = [[float(c) for c in row] for row in list(csv.reader(open('$1')))[1:]]
exact = lambda t: $2
print(max(abs(x - exact(t)) for t, x in rows) / max(abs(exact(t) - exact(0)) for t, x in rows))"
}

# ------------------------------------------------------------------------------------------------
# The part that is told, beside the true error
cat >damped.yaml <<'MODEL'
name: damped oscillator
method: {type: euler, step: 1e-3}
duration: 4
bodies: {m: {type: mass, dim: 1, mass: 1, position: 0.1}}
forces: [{name: spring, on: m, type: spring, stiffness: 20, damping: 1}]
record: [m.position]
MODEL
exact='0.1*math.exp(-t/2)*(math.cos(math.sqrt(19.75)*t) + 0.5/math.sqrt(19.75)*math.sin(math.sqrt(19.75)*t))'
for method in euler semi-implicit-euler rk4; do
    for step in 1e-3 2e-3; do
        "$holdfast" run damped.yaml -q --method $method --step $step -o a.csv
        true=$(off a.csv "$exact")
        # Of first order the difference is the error; of higher orders more than that.
        high=$(awk -v t="$true" -v m=$method 'BEGIN { h = m == "rk4" ? 1 : 1.5 * t; print (h > 2e-5 ? h : 2e-5) }')
        is "$(number within damped.yaml --method $method --step $step)" "$true" "$high" "$method, $step, by twice the step"
        is "$(number within damped.yaml --method $method --step $step --verify)" "$true" "$high" "$method, $step, by half the step"
    done
done
[ "$(number with damped.yaml)" = 'twice the step' ] || complain 'twice the step is enough'
[ "$(number with damped.yaml --verify)" = 'half the step' ] || complain '--verify: half the step'
expect 0 '^damped oscillator: completed, trustworthy within 0\.[0-9]+ % of the way$' run damped.yaml
expect 0 '^  compared     with twice the step, [0-9.e-]+ s beside: m.position within 0' run damped.yaml

# What is put down on a turntable and never slides has a heat of its give, which says nothing of the
# answer: its place does.
cat >turntable.yaml <<'YAML'
gravity: [0, 0, -9.81]
method: {type: rk4, step: 1e-3}
duration: 1
bodies:
  base: {type: driven, dim: 1, position: "0.25*t*t"}
  rig:
    type: tree
    joints:
      slab: {type: revolute, axis: [0, 0, 1], mass: 10, inertia: [1, 1, 1], shape: {type: cylinder, radius: 0.5, length: 0.1}}
  crate: {type: rigid, mass: 2, shape: {type: box, size: [0.1, 0.1, 0.1]}, position: [0.2, 0, 0.1]}
loops:
  turn: {type: ratio, ratio: {rig.slab: 1, base: -1}}
forces:
  - {name: c, type: collide, among: [rig.slab, crate], friction: 0.5}
YAML
expect 0 'completed, trustworthy within' run turntable.yaml
# What slides on something that moves goes far, and its place is right to 2 %: the heat of the friction
# tells how far it slid there, (10^2/5 - 10^2/6)/2 m with 5 N.
cat >bed.yaml <<'MODEL'
name: crate on a braking truck
method: {type: timestep, step: 0.1}
duration: 3
bodies:
  bed: {type: driven, position: "t < 0.5 ? 10*t : (t < 2.1666666666666667 ? 10*t - 3*(t - 0.5)^2 : 13.333333333333333)"}
  crate: {type: mass, mass: 1, position: 0, velocity: 10}
forces:
  - {name: hold, on: crate, to: bed, type: friction, law: coulomb, level: 5}
MODEL
expect 0 'doubtful: with half the step the heat of hold is 0.2.* J away at t = 3 s: its error may be 5\.[0-9] %; --step 0.05' run bed.yaml
for step in 0.1 0.01; do
    heat=$("$holdfast" run bed.yaml --step $step --json | python3 -c "import json, sys; print(json.load(sys.stdin)['energy']['dissipated'])")
    true=$(awk -v q="$heat" 'BEGIN { print 1 - q / (100.0 / 12) }')
    is "$(number within bed.yaml --step $step)" "$(awk -v t="$true" 'BEGIN { print 0.95 * t }')" "$(awk -v t="$true" 'BEGIN { print 1.5 * t }')" "heat at $step"
done
# The turn of what stands, by the give of its contacts, is measured by a degree.
expect 0 'trustworthy within' run box-on-slope

# An undamped one under a method of second order: phase lags by (w h)^2/24 of w t.
cat >free.yaml <<'MODEL'
name: free oscillator
method: {type: verlet, step: 0.2}
duration: 40
bodies: {m: {type: mass, dim: 1, mass: 1, position: 1}}
forces: [{name: spring, on: m, type: spring, stiffness: 1}]
record: [m.position]
MODEL
"$holdfast" run free.yaml -q -o a.csv
true=$(off a.csv 'math.cos(t)')
is "$(number within free.yaml)" "$true" 0.1 'second order'
is "$(number order free.yaml)" 1.9 2.1 'order of verlet'
expect 0 'doubtful: with half the step m.position is .* m away at t = .* its error may be .* % of its way; --step 0.05 may be enough for 1 %' run free.yaml
"$holdfast" run free.yaml -q --step 0.05 --duration 40 -o a.csv
is "$(off a.csv 'math.cos(t)')" 0 0.01 'the step that was proposed'

# Three blocks on a shaken table, static above kinetic: sound by itself at 1 ms, and 5 % off.
cat >stack.yaml <<'MODEL'
name: shaken stack
method: {type: rk4, step: 1e-3}
duration: 1
bodies:
  table: {type: driven, dim: 1, position: "0.02*sin(20*t)"}
  a: {type: mass, dim: 1, mass: 1}
  b: {type: mass, dim: 1, mass: 1}
  c: {type: mass, dim: 1, mass: 1}
forces:
  - {name: fa, on: a, to: table, type: friction, law: stiction, level: {kinetic: 12, static: 18}, stiffness: 1e5, damping: 200}
  - {name: fb, on: b, to: a, type: friction, law: stiction, level: {kinetic: 6, static: 10}, stiffness: 1e5, damping: 200}
  - {name: fc, on: c, to: b, type: friction, law: stiction, level: {kinetic: 3, static: 5}, stiffness: 1e5, damping: 200}
record: [a.position, b.position, c.position]
MODEL
expect 0 '^shaken stack: completed, trustworthy by its own checks; not compared with another step$' run stack.yaml --no-verify
expect 0 '^shaken stack: completed, doubtful: with half the step b.position is .* m away at t = ' run stack.yaml
expect 1 'holdfast: doubtful: with half the step b.position' run stack.yaml --strict -q
expect 0 '' run stack.yaml --strict -q --no-verify
expect 0 'completed, trustworthy within [123][.0-9]* % of the way$' run stack.yaml --step 1e-4

# The difference is that of the two runs, each alone.
"$holdfast" run stack.yaml -q --no-verify -o whole.csv
"$holdfast" run stack.yaml -q --no-verify --step 5e-4 --every 2 -o half.csv
want=$(paste -d, whole.csv half.csv | awk -F, 'NR > 1 { for (i = 2; i <= 4; ++i) { j = i + 4
        d = $i - $j; d = d < 0 ? -d : d; off[i] = d > off[i] ? d : off[i]
        a = $i < 0 ? -$i : $i; b = $j < 0 ? -$j : $j; a = a > b ? a : b; way[i] = a > way[i] ? a : way[i] } }
    END { for (i = 2; i <= 4; ++i) { s = off[i] / way[i]; most = s > most ? s : most }; printf "%.6f", 2 * most }')
is "$(number within stack.yaml --verify)" "$(awk -v w="$want" 'BEGIN { print 0.98 * w }')" "$(awk -v w="$want" 'BEGIN { print w + 1e-6 }')" 'twice the difference to half the step'

# A block that tumbles: contacts, an orientation.
cat >tumble.yaml <<'MODEL'
name: tumbling box
method: {type: timestep, step: 2e-3}
gravity: [0, 0, -9.81]
duration: 1.5
bodies:
  floor: {type: static, shape: {type: plane}}
  box: {type: rigid, position: [0, 0, 0.4], velocity: [1, 0, 0], angular_velocity: [0.3, 4, 0.1], shape: {type: box, size: [0.2, 0.1, 0.14], density: 500}}
forces: [{name: touch, type: collide, among: all, friction: 0.4, restitution: 0.1}]
record: [box.position, box.orientation]
MODEL
expect 0 'doubtful: with half the step box.orientation' run tumble.yaml
expect 0 'trustworthy within [0-9.]* % of the way$' run tumble.yaml --step 2e-4

# ------------------------------------------------------------------------------------------------
# A coarser run that says nothing does no harm to a good one

# Twice the step is not stable
cat >stiff.yaml <<'MODEL'
name: stiff
method: {type: rk4, step: 1.5e-3}
duration: 1.5
bodies: {m: {type: mass, dim: 1, mass: 1}, n: {type: mass, dim: 1, mass: 1, position: 0.1}}
signals: {push: "10*sin(5*t)"}
forces:
  - {name: link, on: m, to: n, type: spring, rest: -0.1, stiffness: 5e5, damping: 200}
  - {name: spring, on: m, type: spring, stiffness: 50}
  - {name: drive, on: n, type: force, value: push}
record: [m.position]
MODEL
expect 0 'trustworthy within 0.001 % of the way$' run stiff.yaml
expect 0 'compared     with half the step, .* all places within 0.001 % \(with twice the step' run stiff.yaml

# Samples cut the steps: with twice the step they are the same, and half the step may be as well
cat >sampled.yaml <<'MODEL'
name: sampled
method: {type: discrete, step: 1e-3}
duration: 1.2
bodies: {m: {type: mass, dim: 1, mass: 2}}
signals: {wish: "0.1*sin(3*t)"}
forces:
  - {name: servo, on: m, type: controller, reference: wish, proportional: 400, derivative: 40, integral: 50, period: 3e-3}
  - {name: floor, on: m, type: friction, law: coulomb, level: 3}
record: [m.position]
MODEL
[ "$(number with sampled.yaml)" = 'twice the step' ] || complain 'samples at other times than steps'
[ "$(number with sampled.yaml --step 3e-3)" = 'half the step' ] || complain 'samples at every step'
[ "$(number with sampled.yaml --step 6e-3)" = 'a quarter of the step' ] || complain 'two samples a step'
"$holdfast" run sampled.yaml -q --step 3e-3 -o a.csv
"$holdfast" run sampled.yaml -q --step 3e-5 --every 100 -o b.csv
true=$(paste -d, a.csv b.csv | awk -F, 'NR > 1 { d = $2 - $4; d = d < 0 ? -d : d; o = d > o ? d : o; w = $4 > w ? $4 : w } END { print o / w }')
is "$(number within sampled.yaml --step 3e-3)" "$true" "$(awk -v t="$true" 'BEGIN { print 2 * t }')" 'samples at every step'
is "$(number within sampled.yaml --step 6e-3)" "$true" "$(awk -v t="$true" 'BEGIN { print 2 * t }')" 'two samples a step'

# What stands, and few or no steps
cat >rest.yaml <<'MODEL'
name: rest
method: {type: timestep, step: 1e-3}
duration: 0.2
gravity: [0, 0, -9.81]
bodies:
  arm: {type: tree, joints: {a: {type: revolute, axis: [0, 1, 0], mass: 1, center: [0.3, 0, 0], inertia: [0.01, 0.01, 0.01], friction: {law: coulomb, level: 10}}}}
record: [arm.a.position]
MODEL
expect 0 'trustworthy within 0.001 % of the way$' run rest.yaml
expect 0 'trustworthy within 0.001 % of the way$' run rest.yaml --duration 0.001
expect 0 'trustworthy within 0.001 % of the way$' run rest.yaml --duration 0.003
expect 0 'not compared with another step$' run rest.yaml --duration 0
expect 0 'with no other step: it has no step' run rest.yaml --duration 0

# Tolerances in place of steps, and an orientation that is the same with the other sign
sed 's/law: stiction/law: coulomb/; s/, stiffness: 1e5, damping: 200//' stack.yaml >exact.yaml
for option in '' --verify; do
    expect 0 'trustworthy within 0[.0-9]* % of the way$' run exact.yaml --method switch $option
done
expect 0 'compared     with a tenth of the tolerances' run exact.yaml --method switch --verify
expect 0 'compared     with ten times the tolerances' run exact.yaml --method switch
cat >spin.yaml <<'MODEL'
method: {type: rk4, step: 1e-3}
duration: 2
signals: {push: {input: 0}}
bodies:
  top: {type: rigid, mass: 1, inertia: [1, 1, 1], angular_velocity: [0, 0, 7]}
  cart: {type: mass, dim: 1, mass: 1}
forces:
  - {name: drive, on: cart, type: force, value: push}
MODEL
expect 0 'trustworthy within 0.001 % of the way$' run spin.yaml --set signals.push=1

# ------------------------------------------------------------------------------------------------
# Inputs from outside are repeated
printf 'time,push\n0,1\n0.501,-3\n1.2,2\n' >push.csv
expect 0 'trustworthy within [0-9.]* % of the way$' run spin.yaml --input push.csv
expect 0 'trustworthy within 0.001 % of the way$' run spin.yaml --input push.csv --verify
lines() { awk 'BEGIN { for (k = 0; k < 2000; ++k) print k < 501 ? 1 : k < 1200 ? -3 : 2 }'; }
lines | "$holdfast" run spin.yaml --input - >out
grep -q 'compared     with no other step: its inputs come from another program' out || complain "a program: $(sed -n 1,6p out)"
lines | "$holdfast" run spin.yaml --input - --verify >out
grep -q 'trustworthy within 0.001 % of the way$' out || complain "a program, --verify: $(sed -n 1,6p out)"

# ------------------------------------------------------------------------------------------------
# Where the verdict goes
"$holdfast" run stack.yaml --json -o a.h5 >out
grep -a -q '"compared": *true' a.h5 || complain 'the recording does not tell that it was compared'
grep -a -q '"why": *"with half the step b.position' a.h5 || complain 'the recording does not tell the doubt'
"$holdfast" run stack.yaml -q -o a.h5 >out
grep -a -q '"compared": *false' a.h5 || complain 'nobody asked, and it was compared'
"$holdfast" run stack.yaml -q --report page.html >out
grep -q 'with half the step b.position' page.html || complain 'the page does not tell the doubt'

# The same words every time, on one processor too; but for times
for k in 1 2 3 4; do
    "$holdfast" run stack.yaml --json | grep -vE 'seconds|real_time' >json.$k
done
taskset -c 0 "$holdfast" run stack.yaml --json 2>err | grep -vE 'seconds|real_time' >json.5 || cp json.1 json.5
for k in 2 3 4 5; do
    cmp -s json.1 json.$k || complain "run $k says something else: $(diff json.1 json.$k | head -n 5)"
done

# Interrupted while it is compared: the run is complete, and says that it was not compared. On one core
# the companion, which makes twice the steps, has half of them before it then.
taskset -c 0 "$holdfast" run stack.yaml --verify --duration 300 --every 100 -o long.csv >out 2>err &
pid=$!
for k in $(seq 600); do
    [ -e long.csv ] && [ "$(tail -n 1 long.csv | cut -d, -f1)" = 300 ] && break
    sleep 0.05
done
kill -INT $pid
wait $pid
[ $? = 0 ] || complain "interrupted: exit code $?"
grep -q 'completed, trustworthy by its own checks; not compared' out || complain "interrupted: $(head -n 7 out)"
grep -q 'with no other step: interrupted' out || complain "interrupted: $(head -n 7 out)"

# A model from a pipe is there once only
timeout 60 "$holdfast" run <(cat rest.yaml) >out 2>err # a name with a '/'
grep -q 'with no other step: its model is no file' out || complain "a pipe: $(head -n 7 out err)"

# What does not go with it
"$holdfast" run stack.yaml -q --duration 0.1 --save state
expect 0 'compared     with no other step: it goes on from a saved state' run stack.yaml --from state
expect 2 'does not go with --from' run stack.yaml --verify --from state
expect 2 'does not go with --realtime' run stack.yaml --verify --realtime
expect 2 'exclude each other' run stack.yaml --verify --no-verify

exit $bad
