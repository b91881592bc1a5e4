#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One way to a method, whatever the flag: --method, --set method.type, compare. Refusals of every
# example under every method name the methods that run it, and no others.
#   methods.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

# The same run by --method and by --set.
cat >balls.yaml <<'YAML'
duration: 0.02
method: {type: timestep, step: 1e-3, theta: 0.7, tolerance: 1e-9}
gravity: [0, 0, -9.81]
bodies:
  floor: {type: static, shape: {type: plane}}
  ball: {type: rigid, mass: 1, position: [0, 0, 0.2], shape: {type: sphere, radius: 0.1}}
  cube: {type: rigid, mass: 1, position: [1, 0, 0.2], shape: {type: box, size: [0.2, 0.2, 0.2]}}
forces:
  - {name: touch, type: collide, among: [floor, cube, ball], except: [[ball, cube]], restitution: 0.5, friction: 0.3}
record: [ball.position, cube.position]
YAML
expect 0 '"method": "switch"' run balls.yaml --method switch --json -o flag.csv
grep -q 'warning: --method switch: left out .*switch does not take: theta, tolerance' err ||
    complain "dropped keys are not told: $(cat err)"
expect 0 '"method": "switch"' run balls.yaml --set 'method={type: switch, step: 1e-3}' --json -o set.csv
[ -s flag.csv ] && [ "$(grep -v '^#' flag.csv)" = "$(grep -v '^#' set.csv)" ] ||
    complain '--method switch and --set method.type=switch differ'
expect 0 '"method": "adaptive"' run balls.yaml --method adaptive --json
cat >memory.yaml <<'YAML'
bodies: {block: {type: mass, dim: 1, mass: 1, velocity: 1}}
forces: [{name: floor, on: block, type: friction, law: karnopp, level: 1}]
YAML
expect 2 '; euler, semi-implicit-euler and discrete run this machine; adaptive runs it with law: stiction' \
    run memory.yaml --method adaptive
expect 0 'switch' compare balls.yaml --methods switch,timestep
grep -q 'not run' out && complain "compare refuses what run runs: $(cat out)"
# Keys of the new method, whatever the order.
cat >block.yaml <<'YAML'
duration: 0.01
method: {type: adaptive, step: 1e-3, family: erk, rtol: 1e-9}
bodies: {block: {type: mass, dim: 1, mass: 1, velocity: 1}}
forces: [{name: floor, on: block, type: friction, law: stiction, level: 1, stiffness: 1e5, damping: 100}]
record: [block.position]
YAML
expect 0 '"theta": 0.5' run block.yaml --method timestep --set method.theta=0.5 --json
expect 0 '"theta": 0.5' run block.yaml --set method.theta=0.5 --method timestep --json
grep -q 'does not take: family, rtol' err || complain "dropped keys are not told: $(cat err)"
# A key of the old method goes on where the new one takes it; a value that it does not take goes.
expect 0 '"rtol": 1e-09' run block.yaml --method switch --json
grep -q 'does not take: family$' err || complain "erk is not dropped: $(cat err)"
expect 0 '"family": "bdf"' run block.yaml --method switch --family bdf --rtol 1e-7 --json
expect 0 '"family": "bdf"' run block.yaml --rtol 1e-7 --family bdf --method adaptive --json
stderr_is_empty 'the same method'
# Nothing is dropped that the flag did not change, and two methods are one too many.
expect 2 "'family' is for adaptive and switch, not for rk4" run block.yaml --set method.type=rk4
expect 2 "'rtol' is for adaptive and switch, not for rk4" run block.yaml --method rk4 --rtol 1e-7
expect 2 "gives method 'switch'; name one" run block.yaml --method rk4 --set method.type=switch
expect 2 "gives method 'switch'; name one" compare block.yaml --methods rk4 --set method.type=switch
# A file that names no method
sed '/^method/d' block.yaml >plain.yaml
expect 0 '"method": "timestep"' run plain.yaml --method timestep --set method.theta=0.5 --json

# Every example under every method
methods=$("$holdfast" --generate bash | sed -n "s/^ *--method) _holdfast_words '\([^']*\)'.*/\1/p" | sort -u)
[ "$(wc -w <<<"$methods")" -ge 9 ] || complain "the methods are '$methods'"
refusals=0
for example in $("$holdfast" examples | cut -d ' ' -f 1); do
    running=
    for method in $methods; do
        if "$holdfast" run "$example" --method "$method" --duration 0 -q >/dev/null 2>"err-$method"; then
            running="$running $method"
        fi
    done
    for method in $methods; do
        case " $running " in *" $method "*) continue ;; esac
        # A channel of a contact that is many under this method is another matter.
        grep -q 'built without\|unknown channel' "err-$method" && continue
        named=$(sed -n 's/.*; \([a-z0-9, -]*\) runs\{0,1\} this machine.*/\1/p' "err-$method" |
            sed 's/ and / /; s/,/ /g' | tr -s ' ')
        grep -q nlp <<<"$running" || named=${named% nlp}
        [ "$(echo $named)" = "$(echo $running)" ] ||
            complain "$example under $method: runs under '$running', named: $(grep -v warning "err-$method")"
        refusals=$((refusals + 1))
    done
done
[ "$refusals" -gt 20 ] || complain "only $refusals refusals were seen"
exit "$bad"
