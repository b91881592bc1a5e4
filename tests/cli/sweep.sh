#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# holdfast sweep: kill -9, Ctrl-C, a full disk, shards and threads give the same table to the bit.
#   sweep.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

vary=(sweep block.yaml --vary floor.level.coulomb=1:20:40 --vary 'block.mass=log:0.1:10:10'
      --of 'max(abs(block.velocity))' --of block.position --of 'stick(floor)')
expect 0 '400 cases' "${vary[@]}" -o one.h5 --jobs 1
stderr_is_empty 'sweep'
[ ! -e one.h5.cases ] || complain 'the cases are left over'
for jobs in 2 8; do
    expect 0 '' "${vary[@]}" -o "jobs.h5" --jobs $jobs --quiet
    stdout_is_empty 'sweep --quiet'
    cmp -s one.h5 jobs.h5 || complain "$jobs threads give another table"
done

# wait_for_cases FILE SIZE: until a sweep has kept more than SIZE bytes of cases, ten seconds at most.
# A start takes longer on a busy machine and under the sanitizers: a fixed delay may end before it.
wait_for_cases() {
    for _ in $(seq 200); do
        [ "$(stat -c %s "$1.cases" 2>/dev/null || echo 0)" -gt "$2" ] && return
        sleep 0.05
    done
}

# Killed again and again, at any moment.
kills=0
for delay in 0.02 0.05 0.1 0 0.07; do
    kept=$(stat -c %s killed.h5.cases 2>/dev/null || echo 0)
    "$holdfast" "${vary[@]}" --duration 20 -o killed.h5 --jobs 2 --resume >/dev/null 2>&1 &
    pid=$!
    wait_for_cases killed.h5 "$kept"
    sleep $delay
    kill -9 $pid 2>/dev/null && kills=$((kills + 1))
    wait $pid 2>/dev/null
done
[ "$kills" -ge 2 ] || complain "the sweep was too fast to be killed ($kills)"
expect 1 'cases from an earlier start' "${vary[@]}" --duration 20 -o killed.h5 --jobs 2
expect 0 '' "${vary[@]}" --duration 20 -o killed.h5 --jobs 2 --resume
expect 0 '' "${vary[@]}" --duration 20 -o whole.h5 --jobs 1
cmp -s killed.h5 whole.h5 || complain 'kill -9 and --resume give another table'

# Ctrl-C says how to go on. (A shell's background jobs ignore SIGINT: SIGTERM does the same.)
"$holdfast" "${vary[@]}" --duration 20 -o stopped.h5 --jobs 2 >out 2>err &
pid=$!
wait_for_cases stopped.h5 0
kill -TERM $pid
wait $pid
[ $? = 1 ] || complain 'a stopped sweep ended with another code than 1'
grep -q 'interrupted: .* of 400 cases are kept; the same command with --resume' err || complain "stopped: $(cat err)"
expect 0 '' "${vary[@]}" --duration 20 -o stopped.h5 --resume
cmp -s stopped.h5 whole.h5 || complain 'Ctrl-C and --resume give another table'

# Shards, as a job array runs them.
for i in 3 1 2; do
    expect 0 "shard $i/3: 13[34] cases" "${vary[@]}" -o shards.h5 --shard $i/3
    [ ! -e shards.h5 ] || complain 'a shard wrote the table'
done
expect 0 '400 cases' "${vary[@]}" -o shards.h5 --collect
cmp -s one.h5 shards.h5 || complain 'shards give another table'
rm shards.h5
expect 0 '' "${vary[@]}" -o shards.h5 --shard 2/3
expect 1 'cases are missing' "${vary[@]}" -o shards.h5 --collect

# A full disk: what is finished stays, and the sweep goes on elsewhere or later.
if (ulimit -f 8; "$holdfast" "${vary[@]}" -o full.h5 --quiet) >out 2>err; then
    complain 'a full disk was not noticed'
fi
expect 0 '' "${vary[@]}" -o full.h5 --resume
cmp -s one.h5 full.h5 || complain 'a full disk gives another table'

# A row is the run by itself, to the bit: --set, and from the table.
expect 0 'the same to the bit' sweep one.h5 --rerun 123 -o case.h5
"$holdfast" sweep block.yaml --vary floor.level.coulomb=3,5 --vary bodies.block.mass=2 --of block.position \
    -o sets.csv --quiet
got=$(sed -n '3s/^\([^,]*,\)\{5\}\([^,]*\),.*/\2/p' sets.csv)
want=$("$holdfast" run block.yaml --set forces.floor.level.coulomb=5 --set bodies.block.mass=2 --json |
       sed -n 's/.*"block.position": \([^,]*\),*/\1/p' | head -n 1)
[ -n "$got" ] && python3 -c "import sys; sys.exit(float('$got') != float('$want'))" ||
    complain "sweep gives $got, run $want"

# The table for other programs.
expect 0 '' sweep one.h5 --csv one.csv --quiet
[ "$(wc -l <one.csv)" = 401 ] || complain "one.csv has $(wc -l <one.csv) lines"
head -n 1 one.csv | grep -q '^case,floor.level.coulomb,block.mass,verdict,time,max(abs(block.velocity))' ||
    complain "$(head -n 1 one.csv)"
expect 0 '"cases": 400' sweep one.h5 --json
if python3 -c 'import h5py' 2>/dev/null; then
    python3 -c "
import h5py
t = h5py.File('one.h5')['table'][:]
assert len(t) == 400 and t['floor.level.coulomb'][-1] == 20 and t['verdict'][0] == b'trustworthy'" ||
        complain 'h5py reads another table'
fi


# Parquet: read by a decoder of its own.
expect 0 '' sweep one.h5 --parquet one.parquet --quiet
"$(dirname "$0")/read_parquet.py" one.parquet one.csv || complain 'one.parquet differs from one.csv'
expect 0 '400 cases in .* 0 failed' "${vary[@]}" -o direct.parquet
"$(dirname "$0")/read_parquet.py" direct.parquet one.csv || complain 'direct.parquet differs from one.csv'
expect 2 'not read' sweep direct.parquet
expect 2 'must end in .parquet' sweep one.h5 --parquet x.csv

# What is finished is not run again; what differs is.
before=$(stat -c %Y.%i one.h5)
expect 0 '400 of them before' "${vary[@]}" -o one.h5 --resume
[ "$(stat -c %Y.%i one.h5)" = "$before" ] || complain 'a finished table was written again'
cp one.h5 other.h5
expect 0 '400 cases' "${vary[@]}" -o other.h5 --resume --after 0.1
grep -q 'of them before' out && complain 'a table of another sweep was taken for this one'

# Cases of a CSV file, and a failed one among them.
printf 'block.mass,floor.level.coulomb\n1,2\n-1,2\n3,4\n' >cases.csv
expect 0 '1 failed' sweep block.yaml --cases cases.csv --of block.position -o cases.h5
grep -q 'case 1 failed: .*mass' out || complain "no message: $(cat out)"
expect 1 '' sweep block.yaml --cases cases.csv --of block.position -o cases.h5 --strict

# Monte Carlo, whole recordings, indices.
expect 0 '' sweep block.yaml --vary floor.level.coulomb=normal:10:1 --samples 3 --design lhs --recordings runs \
    -o mc.h5 --regimes --energy
[ "$(ls runs | wc -l)" = 3 ] || complain "recordings: $(ls runs)"
expect 0 'first' sweep block.yaml --vary floor.level.coulomb=uniform:5:10 --vary block.mass=uniform:1:2 \
    --samples 16 --indices sobol --of block.position -o s.h5
expect 0 'mean size' sweep block.yaml --vary floor.level.coulomb=uniform:5:10 --vary block.mass=uniform:1:2 \
    --samples 4 --indices morris --of block.position -o m.h5
expect 0 '2 cases' sweep block.yaml --methods rk4,rk4-tau -o x.h5
expect 0 '7 cases' sweep spring-pull --variants all -o x.h5 --duration 0.1
expect 0 '4 cases' sweep spring-pull --vary variant=,dahl --vary method=rk4,rk4-tau -o x.csv --duration 0.1
cut -d, -f2,3 x.csv | tr '\n' ' ' | grep -q 'variant,method ,rk4 ,rk4-tau dahl,rk4 dahl,rk4-tau' || complain "$(cat x.csv)"
printf 'variant,method\ndahl,rk4\n,rk4-tau\n' >cases.csv
expect 0 '0 failed' sweep spring-pull --cases cases.csv -o x.csv --duration 0.1
expect 2 "unknown method 'rk5'" sweep block.yaml --vary method=rk5 -o x.h5
expect 2 "did you mean 'block.mass'" sweep block.yaml --vary mass=1,2 -o x.h5
expect 2 'no variants' sweep block.yaml --variants all -o x.h5
expect 2 'unknown method' sweep block.yaml --methods rk5 -o x.h5

# Wrong usage.
expect 2 'name of a folder' report one.h5 -o one.html --runs a/b
expect 2 'name of a folder' report one.h5 -o one.html --runs ..
expect 2 'goes with the table of a sweep' report case.h5 -o case.html --runs runs
expect 2 'name is missing' sweep block.yaml --vary block.mass=1,2
expect 2 'expected random, lhs or sobol' sweep block.yaml --vary block.mass=1,2 --design grid -o x.h5
expect 2 'expected I/N' sweep block.yaml --vary block.mass=1,2 --shard 4/3 -o x.h5
expect 2 'did you mean' sweep block.yaml --vary blok.mass=1,2 -o x.h5
expect 2 'nothing varies' sweep block.yaml -o x.h5
expect 2 'must end in|ends in' sweep block.yaml --vary block.mass=1,2 -o x.txt
expect 2 'cannot open' sweep block.yaml --cases nothing.csv -o x.h5
expect 2 'cases 0 to 399' sweep one.h5 --rerun 400
expect 2 'is a table' sweep one.h5 --vary a=1
echo nonsense >broken.h5
expect 2 'HDF5' sweep broken.h5
exit "$bad"
