# SPDX-License-Identifier: Apache-2.0
# bash completion for holdfast

_holdfast_examples()
{
    "${COMP_WORDS[0]}" examples 2>/dev/null | cut -d ' ' -f 1
}

_holdfast_methods()
{
    "${COMP_WORDS[0]}" run --help 2>/dev/null | sed -n 's/^ *--method M *//p' | tr ',' ' '
}

_holdfast_laws()
{
    "${COMP_WORDS[0]}" law --list 2>/dev/null | grep -oE '^[a-z-]+'
}

_holdfast_channels()
{
    case $1 in
    *.csv) head -n 1 -- "$1" 2>/dev/null | tr -d '\r' | tr ',' '\n' | tail -n +2 ;;
    *.h5 | *.hdf5) h5ls -- "$1/channels" 2>/dev/null | cut -d ' ' -f 1 | tr -d '\\' ;;
    esac
}

_holdfast()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W 'run compare law check tune examples plot report fc3d --help --version' -- "$cur")
        return
    fi
    case $prev in
    -o | --output | --report | --input | --csv | --solution)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        return
        ;;
    --method | --methods)
        mapfile -t COMPREPLY < <(compgen -W "$(_holdfast_methods)" -- "$cur")
        return
        ;;
    --laws)
        mapfile -t COMPREPLY < <(compgen -W "all $(_holdfast_laws)" -- "$cur")
        return
        ;;
    --solver)
        mapfile -t COMPREPLY < <(compgen -W 'auto gauss-seidel newton interior proximal admm continuation lemke' -- "$cur")
        return
        ;;
    --family)
        mapfile -t COMPREPLY < <(compgen -W 'bdf adams erk' -- "$cur")
        return
        ;;
    --step | --steps | --rtol | --atol | --duration | --set | --every | --title | --variant | --force | \
        --channel | --jobs | --velocity | --tolerance | --iterations | --seconds)
        return
        ;;
    --x)
        mapfile -t COMPREPLY < <(compgen -W "$(_holdfast_channels "${COMP_WORDS[2]}")" -- "$cur")
        return
        ;;
    esac
    local options=--help words= files=
    case $command in
    run)
        options='--output --report --method --step --family --rtol --atol --duration --set --every --variant --input --realtime --dump --dump-every --dump-above --json --quiet --help'
        words=$(_holdfast_examples)
        files='@(yaml|yml)'
        ;;
    compare)
        options='--laws --methods --steps --force --duration --set --output --channel --separate --csv --jobs --json --help'
        words=$(_holdfast_examples)
        files='@(yaml|yml)'
        ;;
    law)
        options='--set --velocity --output --csv --list --help'
        words=$(_holdfast_laws)
        ;;
    check | tune)
        options='--set --help'
        words=$(_holdfast_examples)
        files='@(yaml|yml)'
        ;;
    examples)
        words=$(_holdfast_examples)
        ;;
    plot)
        options='--output --x --title --help'
        if [ "$COMP_CWORD" -eq 2 ]; then
            files='@(csv|h5|hdf5)'
        else
            words=$(_holdfast_channels "${COMP_WORDS[2]}")
        fi
        ;;
    report)
        options='--output --help'
        files='@(csv|h5|hdf5)'
        ;;
    fc3d)
        options='--solver --tolerance --scaled --iterations --seconds --guess --solution --csv --json --help'
        files='@(h5|hdf5)'
        ;;
    esac
    case $cur in
    -*)
        mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
        return
        ;;
    esac
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
    if [ -n "$files" ]; then
        compopt -o filenames 2>/dev/null
        local found
        mapfile -t found < <(shopt -s extglob; compgen -f -X "!*.$files" -- "$cur"; compgen -d -- "$cur")
        COMPREPLY+=("${found[@]}")
    fi
}

complete -F _holdfast holdfast
