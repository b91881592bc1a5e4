#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs that go on from a saved state, and runs that another program drives line by line.
#   state.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

# Half a run, saved, and the rest of it: the same rows as the whole run, under every kind of method.
for method in rk4 discrete adaptive switch timestep; do
    model=block.yaml
    case $method in discrete | switch | timestep) model=exact.yaml ;; esac
    sed 's/law: stiction, level: {coulomb: 10}, stiffness: 1e5, damping: 100/law: coulomb, level: 10/' block.yaml >exact.yaml
    "$holdfast" run $model --method $method -q -o whole.csv || complain "$method: whole"
    "$holdfast" run $model --method $method -q --duration 0.4 -o first.csv --save state || complain "$method: first"
    "$holdfast" run $model --method $method -q --from state -o second.csv || complain "$method: second"
    { cat first.csv; tail -n +3 second.csv; } | cmp -s - whole.csv || complain "$method: other rows after --from"
done

# What is not the same run is refused, and named.
expect 2 'state: .*(step|method)' run exact.yaml --method timestep --step 5e-4 --from state
expect 2 'state: .*of another model' run exact.yaml --method timestep --set bodies.block.mass=2 --from state
expect 2 "see --duration" run exact.yaml --method timestep --duration 0.3 --from state
head -c 200 state >cut
expect 2 'cut: has not the [0-9]+ bytes' run exact.yaml --method timestep --from cut
printf 'nonsense\n' >other
expect 2 'other: is no state of a run' run exact.yaml --method timestep --from other
expect 2 'none: cannot open' run exact.yaml --method timestep --from none
expect 1 'cannot' run exact.yaml --method timestep --save missing/state
# An interrupted run is saved, a failed one is not.
rm -f state
for seconds in 0.3 2 10; do # longer where the machine is so busy that the run had not begun
    timeout -s INT "$seconds" "$holdfast" run exact.yaml --method timestep --duration 1e6 -q --save state 2>err
    if [ -s state ]; then break; fi
done
[ -s state ] || complain "an interrupted run was not saved: $(cat err)"

# Rows on standard output, and nothing else.
"$holdfast" run block.yaml -o whole.csv -q
"$holdfast" run block.yaml -o - >rows 2>err || complain "-o -: $(cat err)"
cmp -s rows whole.csv || complain '-o - gives other rows than a file'
expect 2 'standard output is taken' run block.yaml -o - --json
# A driver that waits for each row before it sends the next input.
cat >push.yaml <<'MODEL'
method: {type: timestep, step: 1e-2}
duration: 0.1
bodies: {block: {type: mass, dim: 1, mass: 1}}
signals: {f: {input: 0}}
forces:
  - {name: hand, on: block, type: force, value: f}
  - {name: floor, on: block, type: friction, law: coulomb, level: 2}
record: [block.velocity, f.value]
MODEL
coproc sim { "$holdfast" run push.yaml --input - -o - 2>err; }
read -r header <&"${sim[0]}"
[ "$header" = time,block.velocity,f.value ] || complain "header: $header"
read -r row <&"${sim[0]}"
for k in 1 2 3 4 5 6 7 8 9 10; do
    echo "$k" >&"${sim[1]}"
    read -r -t 10 row <&"${sim[0]}" || complain "no row after input $k"
    [ "${row##*,}" = "$k" ] || complain "row after input $k: $row"
done
# m v = h sum (f - 2) over the steps with f > 2: 0.01 (1 + ... + 8)
awk -F , -v row="$row" 'BEGIN { split(row, c, ","); exit !(c[2] > 0.3599 && c[2] < 0.3601) }' || complain "last row: $row"
exit $bad
