#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# holdfast fit: a log of a simulated machine gives its numbers back.
#   fit.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

cat >axis.yaml <<'MODEL'
name: axis
method: {type: discrete, step: 2e-3}
duration: 4
parameters: {level: 3} # of the guide
bodies:
  slide: {type: mass, dim: 1, mass: 2.0} # kg
signals:
  drive: {input: 0}
forces:
  - {name: motor, on: slide, type: force, value: drive}
  - {name: guide, on: slide, type: friction, law: coulomb, level: {coulomb: level, viscous: 1.5}}
MODEL
# The log: the same machine, driven by an expression
"$holdfast" run axis.yaml --quiet --set 'signals.drive=9*sin(3*t)+4*sin(7*t)' --set level=4 --set bodies.slide.mass=2.5 \
    --set 'record=[drive.value, slide.position]' -o log.csv || complain 'the log was not made'
fit="fit axis.yaml --log log.csv --hold linear --input drive=drive.value --match slide.position=slide.position"
expect 0 '^level +4 ' $fit --free level,bodies.slide.mass
expect 0 'bodies.slide.mass +2.5 ' $fit --free 'level,*.mass' -o fitted.yaml --report fit.html
expect 0 'Trustworthy' $fit --free level --json
# What cannot be written ends with 1, and the numbers are printed all the same
for out in '-o missing/fitted.yaml' '--report missing/fit.html'; do
    expect 1 'missing/fit(ted.yaml|.html): No such file' $fit --free level $out
    grep -qE '^level +[0-9.]+ ' out || complain "$out: the numbers were not printed"
done
expect 0 '^level +4 ' $fit --free parameters.level,bodies.slide.mass # as --set has it
grep -q 'level: 4\|level: 3.99\|level: 4.0' fitted.yaml || complain 'the fitted file has no new level'
grep -q '# of the guide' fitted.yaml || complain 'a comment was lost'
"$holdfast" check fitted.yaml >/dev/null || complain 'the fitted file is no model'
expect 0 '"profiles"' $fit --free level --json --profile
expect 0 'half of it' $fit --free level --profile
grep -q '<svg' fit.html || complain 'the page has no figures'
# The same as a section of the file, with numbers of a log
{ cat axis.yaml; printf 'fit:\n  logs: [{file: log.csv, gain: 1}]\n  inputs: {drive: drive.value}\n  hold: linear\n'
  printf '  match: {slide.position: {column: slide.position}}\n  free: {level: {low: 0, high: 9}, "*.mass": {prior: [2.5, 1]}}\n'; } >section.yaml
expect 0 '^level +4 ' fit section.yaml -q
expect 0 'white deviation' fit section.yaml --inverse
sed 's/  free: .*/  free: level/' section.yaml >lone.yaml
expect 0 '^level +[0-9]' fit lone.yaml -q
# Logs that are given twice
expect 0 'Trustworthy.*no log was kept to validate' $fit --free level,bodies.slide.mass --validate log.csv
expect 0 'log.csv has the rows of log.csv, which was fitted to: it agrees with itself' $fit --free level,bodies.slide.mass --validate log.csv
expect 0 'Doubtful: a log counts twice' $fit --free level,bodies.slide.mass --log log.csv -o twice.yaml
grep -q '^# Doubtful: a log counts twice' twice.yaml || complain 'the fitted file does not have the verdict'
expect 0 'nearest' fit section.yaml --free level --laws coulomb --iterations 5
sed 's/hold: linear/hodl: linear/' section.yaml >wrong.yaml
expect 2 "wrong.yaml:[0-9]+:3: error: fit: unknown key 'hodl'; did you mean 'hold'" fit wrong.yaml
sed 's/file: log.csv/fiel: log.csv/' section.yaml >wrong.yaml
expect 2 "wrong.yaml:[0-9]+:[0-9]+: error: fit: expected the name of a log" fit wrong.yaml
for wrong in 'iterations: 2.5' 'starts: 0' 'seed: many' 'iterations: [3]'; do
    sed "s/hold: linear/$wrong/" section.yaml >wrong.yaml
    expect 2 'wrong.yaml:[0-9]+:[0-9]+: error: fit: expected a whole number from 1 up' fit wrong.yaml
done
sed 's/hold: linear/segments: [1, -1]/' section.yaml >wrong.yaml
expect 2 "wrong.yaml:[0-9]+:17: error: fit: expected a length above 0 s, or 'all', got '-1'" fit wrong.yaml
sed 's/low: 0, high: 9/low: 9, high: 1/' section.yaml >wrong.yaml
expect 2 'wrong.yaml:[0-9]+:[0-9]+: error: fit: expected a number above the lower bound' fit wrong.yaml
sed 's/{column: slide.position}/{column: slide.position, deviation: 0}/' section.yaml >wrong.yaml
expect 2 'wrong.yaml:[0-9]+:[0-9]+: error: fit: expected a deviation above 0' fit wrong.yaml
sed 's/hold: linear/per_log: maybe/' section.yaml >wrong.yaml
expect 2 'wrong.yaml:[0-9]+:[0-9]+: error: fit: expected true or false' fit wrong.yaml
expect 2 'No such file' fit section.yaml --log nothing.csv
expect 2 'each-log stiffness: expected the name of a free number' fit section.yaml --each-log stiffness
# A log in HDF5, as run writes it
"$holdfast" run axis.yaml --quiet --set 'signals.drive=9*sin(3*t)+4*sin(7*t)' --set level=4 --set bodies.slide.mass=2.5 \
    --set 'record=[drive.value, slide.position]' -o log.h5 || complain 'the log in HDF5 was not made'
expect 0 '^level +4 ' fit axis.yaml --log log.h5 --hold linear --input drive=drive.value --match slide.position=slide.position --free level,bodies.slide.mass
echo nothing >broken.h5
expect 2 'broken.h5' fit axis.yaml --log broken.h5 --match slide.position=q --free level
# A parameter that is given in another unit
sed 's/parameters: {level: [0-9.]*/parameters: {grams: {value: 2300, unit: g}, level: 3/; s/mass: [0-9.]*/mass: grams/' axis.yaml >grams.yaml
expect 0 'grams +2.5 .* kg ' fit grams.yaml --log log.csv --hold linear --input drive=drive.value --match slide.position=slide.position --free grams,level -o grams-fitted.yaml
grep -q 'grams: {value: 2500, unit: g}' grams-fitted.yaml || complain 'the value is not in the unit of the file'
# Derivatives of a run
expect 0 '' run oscillator-forced -q --sensitivity forces.friction.level.coulomb --sensitivity initial.block.position -o s.csv
head -1 s.csv | grep -q 'd(block.position)/d(initial.block.position),d(block.position)/d(forces.friction.level.coulomb)' || complain 'no derivatives in the header'
tail -1 s.csv | grep -q ',22.1291' || complain 'the derivative is not 22.1291'
expect 2 'static level above' run oscillator-forced -q --method discrete --step 0.01 --sensitivity bodies.block.mass -o s.csv
expect 2 'it needs -o FILE' run oscillator-forced -q --sensitivity bodies.block.mass
expect 2 "no number 'nothing'" run oscillator-forced -q --sensitivity nothing -o s.csv
expect 2 'at its bound' run bouncing-ball-hybrid --set forces.floor.restitution=0 --sensitivity forces.floor.restitution -q -o s.csv
# A step that the friction does not bear
sed 's/type: discrete/type: rk4/; s/law: coulomb, level: {coulomb: level, viscous: 1.5}/law: dahl, level: {coulomb: level}, stiffness: 1e9/' axis.yaml >stiff.yaml
expect 0 "larger than the largest stable step of 'guide'" fit stiff.yaml --log log.csv --hold linear --input drive=drive.value --match slide.position=slide.position --free level
expect 0 'Doubtful: the simulation is unstable' fit stiff.yaml --log log.csv --hold linear --input drive=drive.value --match slide.position=slide.position --free level
# What is wrong
expect 2 "nothing is free" $fit
expect 2 'log.csv:1:1: error: the log lasts 4 s, shorter than half a segment of 9 s' $fit --free level --segments 9
expect 2 "'level' is free already" $fit --free level,level
expect 2 "'level' is free already" $fit --free 'l*' --free level=0..9
expect 2 "no number 'levle'.*did you mean 'level'" $fit --free levle
expect 2 "no channel 'slide.positon'" fit axis.yaml --log log.csv --match slide.positon=slide.position --free level
expect 2 'expected SIGNAL=COLUMN' $fit --free level --input drive
expect 2 'expected lengths in seconds' $fit --free level --segments -1
expect 2 'expected squares, soft-l1 or huber' $fit --free level --loss cubes
expect 2 "log.csv:1:1: error: channel 'slide.position': there is no column 'slide.positon'; the log has drive.value, slide.position; did you mean 'slide.position'" fit axis.yaml --log log.csv --match slide.position=slide.positon --free level
expect 2 "log.csv:1:1: error: channel 'slide.position': '2\*slide.positon': unknown name 'slide.positon'" fit axis.yaml --log log.csv --match 'slide.position=2*slide.positon' --free level
expect 2 "unknown friction law 'culomb'" $fit --free level --laws stiction,culomb
expect 2 'writes no model' $fit --free level --laws coulomb -o fitted.yaml
# Columns of a recording have dots in their names, in expressions too
expect 0 '^level +4 ' fit axis.yaml --log log.csv --hold linear --input 'drive=1e3*drive.value/1000' --match "slide.position=0.5*slide.position + 'slide.position'/2" --free level,bodies.slide.mass
printf 'time,q\n0,1\n0.1,nan\n' >bad.csv
expect 2 'bad.csv:3:5: error: the number nan is not finite' fit axis.yaml --log bad.csv --match slide.position=q --free level
exit $bad
