#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Method nlp from the command; without IPOPT: that it says so.
#   nlp.sh HOLDFAST ROOT WITH_IPOPT
. "$(dirname "$0")/common.sh"

if [ "${3:-}" != with ]; then
    expect 2 'method nlp: this holdfast was built without IPOPT \(coinor-libipopt-dev\)' run point-2d --method nlp
    expect 2 'built without IPOPT' check point-2d --set method.type=nlp
    exit "$bad"
fi
expect 0 'IPOPT +1[0-9] programs, 1[0-9] solved, 0 not; 1[0-9] starts: Solve_Succeeded 1[0-9]' \
    run point-2d --method nlp --duration 0.46
expect 0 '"Solve_Succeeded": [1-9]' run point-2d --method nlp --duration 0.46 --json
expect 0 'method +nlp' run point-2d --set 'method={type: nlp, step: 1e-3, tolerance: 1e-6, iterations: 100, unsolved: fail}' \
    --duration 0.46
expect 2 "'solver' is for timestep, not for nlp" run point-2d --set 'method={type: nlp, step: 1e-3, solver: newton}'
expect 0 'nlp' compare point-2d-hybrid --methods timestep,nlp --steps 1e-3 --duration 0.455

# Ctrl-C within one program of IPOPT, which would take minutes. A shell without job control starts
# background commands with SIGINT ignored; env gives it back.
env --default-signal=INT "$holdfast" run wall --method nlp --duration 0.01 -o wall.csv >out 2>err &
child=$!
for _ in $(seq 200); do
    [ -s wall.csv ] && break
    sleep 0.05
done
sleep 1
kill -INT "$child"
for _ in $(seq 400); do
    kill -0 "$child" 2>/dev/null || break
    sleep 0.05
done
kill -9 "$child" 2>/dev/null && complain 'Ctrl-C does not stop IPOPT within 20 s'
wait "$child"
[ $? = 1 ] || complain "interrupted: $(cat err)"
grep -q 'interrupted at t = 0 s' err || complain "interrupted: $(cat err)"
grep -q 'residual of inf' out && complain 'a program that Ctrl-C ended counts as not solved'
exit "$bad"
