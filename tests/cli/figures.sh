#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# holdfast plot on recordings of both formats.
#   figures.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

command -v gnuplot >/dev/null || { echo "gnuplot is not installed"; exit 77; }
for format in csv h5; do
    expect 0 '' run block.yaml -q -o "run.$format"
    expect 0 '' plot "run.$format" block floor.force -o a.svg
    stdout_is_empty plot
    stderr_is_empty plot
    for name in block.position block.velocity floor.force; do
        grep -q "$name" a.svg || complain "run.$format: no $name in the figure"
    done
    expect 0 '' plot "run.$format" block.velocity --x block.position --title 'phase' -o a.png
    expect 0 '' plot -o a.pdf "run.$format" floor.mode
    expect 2 "did you mean 'block.velocity'" plot "run.$format" block.velocty -o b.svg
    expect 2 'must be .svg, .png or .pdf' plot "run.$format" block.velocity -o b.gif
    expect 1 'cannot create: No such file' plot "run.$format" block.velocity -o nowhere/b.svg
done
# Several runs in one figure: a curve for each file, a panel for each channel.
expect 0 '' run block.yaml -q --set forces.floor.level=4 -o other.csv
expect 0 '' plot run.h5 other.csv block.velocity floor.force -o both.svg
for name in run.h5 other.csv 'block.velocity' 'floor.force'; do
    grep -q "$name" both.svg || complain "no $name in the figure of two runs"
done
expect 0 '' plot run.h5 run.csv other.csv block.velocity --x block.position --title phases -o three.svg
grep -q phases three.svg || complain 'the title of three runs'
expect 2 'CHANNEL is missing' plot run.h5 other.csv -o b.svg
expect 2 "did you mean 'block.velocity'" plot run.h5 other.csv block.velocty -o b.svg
expect 0 '' run block.yaml -q --set 'record=[floor.force]' -o less.csv
expect 2 "less.csv has no channel 'block.velocity'" plot run.h5 less.csv block.velocity -o b.svg
# Damage: every answer is a message, whatever HDF5 does with the file.
size=$(stat -c %s run.h5)
for i in $(seq 40); do
    cp run.h5 damaged.h5
    place=$((i * 7919 % (size < 12000 ? size : 12000)))
    printf "\\x$(printf %x $((i * 37 % 256)))" | dd of=damaged.h5 bs=1 seek=$place conv=notrunc 2>/dev/null
    "$holdfast" plot damaged.h5 block.position -o d.svg 2>err
    code=$?
    [ "$code" = 0 ] || [ "$code" = 2 ] || complain "byte $place changed: exit code $code: $(head -n 3 err)"
    [ "$code" = 0 ] || grep -q 'error: ' err || complain "byte $place changed: no message: $(cat err)"
done
printf '1,2' >>run.csv
expect 0 'warning: run.csv: the last row is not complete' plot run.csv block.position -o a.svg
PATH=/nowhere "$holdfast" plot run.csv block.position -o c.svg 2>err
[ $? = 1 ] || complain 'without gnuplot: exit code'
/bin/grep -q 'gnuplot.*not installed' err || complain "without gnuplot: $(cat err)"
exit "$bad"
