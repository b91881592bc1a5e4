#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Help, version, manual and completions: they exist, and know the same options.
#   help.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

expect 0 "^holdfast $(sed -n 's/^#define HF_VERSION *"\(.*\)"/\1/p' "$root/include/holdfast/base.h")\$" --version
expect 0 '^Usage: holdfast COMMAND' --help
expect 0 '^Usage: holdfast COMMAND' -h
commands=$(sed -n '/^Commands:/,/^$/s/^  \([a-z0-9]*\) .*/\1/p' out)
# The list of examples: whole sentences, or words with an ellipsis behind them, on one line each.
"$holdfast" examples >out
[ "$(wc -l <out)" -ge 50 ] || complain "examples: fewer than 50 are listed"
awk 'length > 140 || !/[.]$/ { bad = 1; print } END { exit bad }' out >cut || complain "examples: no whole sentence: $(cat cut)"
for command in run check tune examples plot; do
    grep -qx "$command" <<<"$commands" || complain "--help does not list $command"
done
manual="$root/man/holdfast.1" bash_file="$root/completions/holdfast.bash" zsh_file="$root/completions/_holdfast"
for command in $commands; do
    expect 0 "^Usage: holdfast $command" "$command" --help
    stderr_is_empty "$command --help"
    expect 0 "^Usage: holdfast $command" "$command" -h
    awk 'length > 100 { exit 1 }' out || complain "$command --help is wider than 100 columns"
    for file in "$manual" "$bash_file" "$zsh_file"; do
        grep -q "\\b$command\\b" "$file" || complain "$file does not know $command"
    done
    for option in $(grep -oE '^ .{0,5}--[a-z]+' out | grep -oE '[a-z]+$'); do
        grep -q -- "\\\\-\\\\-$option" "$manual" || complain "the manual does not know --$option"
        grep -q -- "--$option" "$bash_file" || complain "bash completion does not know --$option"
        grep -q -- "--$option" "$zsh_file" || complain "zsh completion does not know --$option"
    done
done
# What is made from the tables of the commands is current.
"$root/scripts/generate.sh" "$holdfast" "$work" || complain 'scripts/generate.sh failed'
for file in completions/holdfast.bash completions/_holdfast completions/holdfast.fish man/holdfast.1; do
    diff -u "$root/$file" "$file" || complain "$file is not current: run scripts/generate.sh"
done
for command in $commands; do
    grep -q "__fish_use_subcommand -a $command " "$root/completions/holdfast.fish" || complain "fish does not know $command"
done
if command -v groff >/dev/null; then
    [ -z "$(groff -man -Tutf8 -ww -z "$manual" 2>&1)" ] || complain "groff: $(groff -man -Tutf8 -ww -z "$manual" 2>&1)"
fi
for shell in zsh fish; do
    file=$zsh_file
    [ $shell = zsh ] || file=$root/completions/holdfast.fish
    ! command -v $shell >/dev/null || $shell -n "$file" || complain "$shell completion does not parse"
done
# Every option that is misspelt by a letter gets its hint, however many there are.
expect 2 "unknown option '--quite'; did you mean '--quiet'\?" run block.yaml --quite
expect 2 "unknown option '--jsn'; did you mean '--json'\?" run block.yaml --jsn
for command in $commands; do
    for option in $("$holdfast" "$command" --help | grep -oE '^ .{0,5}--[a-z-]+' | grep -oE -- '--[a-z-]+' | grep -E '.{6}'); do
        expect 2 "did you mean '$option'" "$command" "${option}x"
    done
done
bash -n "$bash_file" || complain 'bash completion does not parse'
mkdir bin && ln -s "$holdfast" bin/holdfast
complete_line() { # complete_line WORD...: what bash offers for the last word
    PATH="$PWD/bin:$PATH" bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _holdfast
        printf "%s\n" "${COMPREPLY[@]}"' bash "$bash_file" "$@" 2>/dev/null
}
grep -qx run <<<"$(complete_line holdfast r)" || complain 'completion of a command'
grep -qx rolling-sphere <<<"$(complete_line holdfast run rolling)" || complain 'completion of an example'
grep -qx block.yaml <<<"$(complete_line holdfast run bl)" || complain 'completion of a model file'
grep -qx rk4-tau <<<"$(complete_line holdfast run x --method rk)" || complain 'completion of a method'
grep -qx -- --step <<<"$(complete_line holdfast run x --st)" || complain 'completion of an option'
printf 'time,a.b,c.d\n' >x.csv
grep -qx c.d <<<"$(complete_line holdfast plot x.csv c)" || complain 'completion of a channel'
# A closed pipe is told.
"$holdfast" --help 2>err >/dev/full
[ $? = 1 ] || complain 'stdout full: exit code'
grep -q 'cannot write to standard output' err || complain "stdout full: $(cat err)"
exit "$bad"
