#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# holdfast law: every law alone, finite numbers, what each is known for.
#   law.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

expect 0 '^stiction ' law --list
laws=$(grep -oE '^[a-z-]+' out)
[ "$(wc -w <<<"$laws")" -ge 15 ] || complain "few laws: $laws"
for law in $laws; do
    [ -e "$root/docs/laws/$law.md" ] || complain "docs/laws/$law.md is missing"
    "$holdfast" law "$law" --csv "$law.csv" >"$law.out" 2>"$law.err" &
    [ "$(jobs -r | wc -l)" -lt 2 ] || wait -n
done
wait
for law in $laws; do
    [ -s "$law.err" ] && complain "$law: $(cat "$law.err")"
    grep -q '^Measured' "$law.out" || complain "$law: $(cat "$law.out")"
    grep -qiE 'nan|inf' "$law.csv" "$law.out" && complain "$law: numbers that are not finite"
    tests=$(tail -n +2 "$law.csv" | cut -d , -f 1 | sort -u | tr '\n' ' ')
    [ "$tests" = 'break-away drift lag map presliding stribeck ' ] || complain "$law: tests $tests"
done

# drift LAW: |drift| in m/s
drift() { sed -n 's/^  drift  *-*\([^ ]*\) m.*/\1/p' "$1.out"; }
less() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a < b) }'; }
for law in stiction coulomb continuous compound quinn gms; do
    less "$(drift $law)" 1e-15 || complain "$law drifts by $(drift $law) m/s"
done
for law in dahl lugre viscous-approximation; do
    less 1e-4 "$(drift $law)" || complain "$law does not drift: $(drift $law) m/s"
done
grep -q 'loops close to 0 N' compound.out || complain "compound: $(grep loops compound.out)"
grep -qE 'break-away +1 N at 0.5 N/s, 1 N at 500' coulomb.out || complain "coulomb: $(grep break coulomb.out)"
# The Stribeck curve goes from the static to the kinetic level.
expect 0 '1 N at 0.1 m/s' law lugre --csv s.csv --set 'level={kinetic: 1, static: 1.5, stribeck_velocity: 0.01}'
first=$(grep -m 1 '^stribeck' s.csv | cut -d , -f 4)
less 1.499 "$first" && less "$first" 1.5 || complain "Stribeck curve begins at $first N"
expect 0 'steady force +10 N at the least' law stiction --set 'level={friction: 0.5}' --set normal=20

if command -v gnuplot >/dev/null; then
    expect 0 '' law armstrong -o figure.svg
    grep -q '</svg>' figure.svg || complain 'figure.svg is no figure'
    expect 2 'must end in .svg' law dahl -o figure.gif
fi
expect 2 "there is no friction law 'lugr' \(did you mean 'lugre'\?\)" law lugr
expect 2 "there is no friction law 'spring'" law spring
expect 2 'NAME is missing' law
expect 2 'give no NAME' law dahl --list
expect 2 "unknown key 'stifness'; did you mean 'stiffness'" law dahl --set stifness=1
expect 2 '^holdfast: error: --set stiffness=-1: stiffness must be positive' law dahl --set stiffness=-1
expect 2 'expected a positive number' law dahl --velocity 0
expect 1 'cannot create' law dahl --csv nowhere/a.csv
exit "$bad"
