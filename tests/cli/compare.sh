#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# holdfast compare and variants: the same numbers as runs by themselves, whatever the threads.
#   compare.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

json() { # json EXPRESSION: true for the object d of the last command
    if command -v python3 >/dev/null; then
        python3 -c "
import json, sys
d = json.load(open('out'), parse_constant=lambda name: sys.exit('not JSON: ' + name))
r = d.get('runs', {})
sys.exit(0 if ($1) else 'false: ' + sys.argv[1])" "$1" || complain "JSON: $1"
    fi
}

# The seven laws of [Kikuuwe2005], Table I.
expect 0 '^spring-pull: 7 runs' compare spring-pull
stderr_is_empty 'compare spring-pull'
for name in K1 K2 K3 Q1 Q2 Q3 P; do
    grep -qE "^  $name +discrete" out || complain "compare does not show $name: $(cat out)"
done
expect 0 '^Q3: doubtful: the step, 0.001 s, is larger than the largest stable step' compare spring-pull
expect 1 'P .*trustworthy$' compare spring-pull --strict
expect 0 '"verdict": "doubtful"' compare spring-pull --json
expect 0 '"runs"' compare spring-pull --json
json "list(r) == ['K1', 'K2', 'K3', 'Q1', 'Q2', 'Q3', 'P']"
json "r['P']['drift'] == 0 and r['P']['chatter'] == 0 and r['P']['largest_force'] == 10"
json "abs(r['P']['final']['block.position'] - 3.973247799) < 1e-9"
json "abs(r['K2']['drift'] - 7.81e-3) < 1e-5 and abs(r['K3']['drift'] - 5.77e-5) < 1e-6"
json "r['K1']['drift'] > 0.1 and r['Q3']['chatter'] > 500 and r['Q2']['drift'] < 1e-12"
json "all(v['status'] == 'completed' and v['steps'] == 4000 for v in r.values())"

# In parallel or not, and beside a run by itself: the same numbers.
numbers() { grep -v cpu_seconds out; }
"$holdfast" compare spring-pull --json --jobs 1 >out && numbers >one.txt
"$holdfast" compare spring-pull --json --jobs 7 >out && numbers >seven.txt
cmp -s one.txt seven.txt || complain "threads change numbers: $(diff one.txt seven.txt | head -n 4)"
"$holdfast" run spring-pull --variant Q3 --json >run.txt 2>/dev/null
for channel in block.position block.velocity floor.force; do
    alone=$(grep -o "\"$channel\": [^,]*" run.txt)
    grep -A 40 '"Q3"' one.txt | grep -qF "$alone" || complain "run and compare differ in $channel"
done

# Laws in the place of the machine's; a method that does not admit one says so, the rest runs.
expect 0 'coulomb rk4 +not run: .*not admitted by method rk4' \
    compare block.yaml --laws stiction,lugre:damping=100,coulomb --methods rk4,discrete --duration 0.3
grep -qE '^  stiction rk4 +rk4' out || complain "no row of stiction: $(cat out)"
grep -qE '^  lugre:damping=100 discrete' out || complain "no row of lugre: $(cat out)"
expect 0 '"stiction 1e-3": \{' compare block.yaml --laws stiction --steps 1e-3,5e-4 --json --duration 0.1
json "r['stiction 1e-3']['steps'] == 100 and r['stiction 5e-4']['steps'] == 200"
expect 0 'rk4-tau' compare block.yaml --methods rk4,rk4-tau --duration 0.1
expect 0 '"karnopp:threshold=0.5:level=\{coulomb: 3, viscous: 1\}"' compare block.yaml --json \
    --laws 'karnopp:threshold=0.5:level={coulomb: 3, viscous: 1}' --methods discrete --duration 0.1
expect 0 '"largest_force": 3' compare block.yaml --laws coulomb --set forces.floor.level=3 --json \
    --methods discrete --force floor
expect 0 'hayward-armstrong' compare block.yaml --laws all --duration 0.05 --csv table.csv
[ "$(wc -l <table.csv)" -ge 16 ] || complain "table.csv has $(wc -l <table.csv) lines"
head -n 1 table.csv | grep -q '^run,status,verdict,method,step,time,drift,chatter,largest_force' || complain "$(head -n 1 table.csv)"

# A run that leaves the finite numbers is a row too.
expect 0 'failed after t = ' compare block.yaml --laws dahl,stiction --steps 1e-2 --methods rk4
grep -q 'left the finite numbers' out || complain "no reason of a failed run: $(cat out)"

if command -v gnuplot >/dev/null; then
    expect 0 '' compare spring-pull -o figure.svg
    grep -q '</svg>' figure.svg || complain 'figure.svg is no figure'
    expect 0 '' compare spring-pull --separate --channel block.velocity -o figure.svg
    expect 2 'must end in .svg' compare spring-pull -o figure.gif
    expect 2 "record no channel 'block.speed'" compare spring-pull -o figure.svg --channel block.speed
fi

# Variants of runs and checks.
expect 2 "there is no variant 'K4' \(did you mean 'K[123]'" run spring-pull --variant K4
expect 2 'the file has no variants' run block.yaml --variant K1
sed 's/^record/variants: {a: {forces.flor.level: 1}}\nrecord/' block.yaml >wrong.yaml
expect 2 "^wrong.yaml:[0-9]+:[0-9]+: error: variant a: there is no 'flor' in forces; did you mean 'floor'" check wrong.yaml
stdout_is_empty 'check of a wrong variant'

# Wrong usage.
expect 2 'nothing to compare' compare block.yaml
expect 2 "unknown friction law 'stiktion'; did you mean 'stiction'" compare block.yaml --laws stiktion
expect 2 "unknown method 'rk5' \(did you mean 'rk4'" compare block.yaml --methods rk5
expect 2 "expected positive numbers, not '-1'" compare block.yaml --steps 1e-3,-1
expect 2 'expected LAW,LAW' compare block.yaml --laws stiction,,dahl
expect 2 'give both' compare block.yaml --methods rk4 --force floor
expect 2 "there is no force 'roof'" compare block.yaml --laws dahl --force roof
expect 2 'there is no example' compare nothing-at-all
expect 1 'cannot create' compare spring-pull --csv nowhere/a.csv
# A page of all runs; a build without node has none to write and says so.
if "$holdfast" compare block.yaml --laws stiction,lugre --methods rk4,rk4-tau --jobs 2 --report all.html >out 2>err; then
    for name in 'stiction rk4' 'stiction rk4-tau' 'lugre rk4' 'lugre rk4-tau'; do
        grep -q "\"label\": *\"$name\"" all.html || complain "compare --report: no run '$name' on the page"
    done
else
    grep -q 'the page was not built' err || complain "compare --report: $(cat err)"
fi
expect 2 'must end in .html' compare block.yaml --laws stiction --report all.pdf
exit "$bad"
