#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Signals during a long run: SIGINT and SIGTERM end it cleanly, SIGKILL leaves a readable file.
#   interrupt.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

# start FILE: a run that takes hours; waits until it records.
start() {
    rm -f "$1"
    # A shell without job control starts background commands with SIGINT ignored; env gives it back.
    env --default-signal=INT "$holdfast" run block.yaml --duration 1e7 -o "$1" --every 100 >out 2>err &
    child=$!
    for _ in $(seq 200); do
        [ -s "$1" ] && break
        sleep 0.05
    done
    sleep 0.3
}

readable() {
    "$holdfast" plot "$1" block.position -o figure.svg 2>plot.err || complain "$1 cannot be read: $(cat plot.err)"
}

command -v gnuplot >/dev/null || { echo "gnuplot is not installed"; exit 77; }
for file in a.csv a.h5; do
    for signal in INT TERM; do
        start "$file"
        kill -"$signal" "$child"
        wait "$child"
        code=$?
        [ "$code" = 1 ] || complain "$file, SIG$signal: exit code $code"
        grep -qE 'interrupted at t = [0-9.e+]+ s' err || complain "$file, SIG$signal: $(cat err)"
        grep -q ': interrupted' out || complain "$file, SIG$signal: no summary: $(cat out)"
        readable "$file"
    done
    if [ "$file" = a.csv ]; then
        [ "$(tail -c 1 a.csv)" = '' ] || complain 'a.csv does not end with its line'
    elif command -v h5dump >/dev/null; then
        h5dump -a /completed a.h5 >dump
        grep -q '(0): 0' dump || complain 'a.h5 is marked as completed'
        h5dump -d /time a.h5 >dump 2>&1 || complain 'h5dump cannot read a.h5'
    fi
    start "$file"
    sleep 1.2 # one flush at least
    kill -KILL "$child"
    wait "$child" 2>/dev/null
    readable "$file"
    [ "$(stat -c %s "$file")" -gt 10000 ] || complain "$file holds little after a kill"
done
exit "$bad"
