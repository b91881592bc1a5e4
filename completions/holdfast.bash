# SPDX-License-Identifier: Apache-2.0
# bash completion for holdfast. Made by scripts/generate.sh; do not edit.

_holdfast_examples()
{
    "${COMP_WORDS[0]}" examples 2>/dev/null | cut -d ' ' -f 1
}

_holdfast_channels()
{
    case $1 in
    *.csv) head -n 1 -- "$1" 2>/dev/null | tr -d '\r' | tr ',' '\n' | tail -n +2 ;;
    *.h5 | *.hdf5) h5dump -y -w 0 -d /names "$1" 2>/dev/null | sed '1,/DATA {/d' |
        grep -o '"[^"]*"' | tr -d '"' ;;
    esac
}

_holdfast_words()
{
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$2")
}

_holdfast_files()
{
    local found
    compopt -o filenames 2>/dev/null
    mapfile -t found < <(shopt -s extglob; compgen -f -X "!*.@($1)" -- "$2"; compgen -d -- "$2")
    COMPREPLY+=("${found[@]}")
}

_holdfast()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        _holdfast_words 'run compare sweep fit excite law check tune channels parameters import export examples plot report fc3d schema help --help --version' "$cur"
        return
    fi
    case $command in
    run)
        case $prev in
        --output | -o) _holdfast_files 'csv|h5|hdf5' "$cur"; return ;;
        --save) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --from) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --report) _holdfast_files 'html' "$cur"; return ;;
        --variant) return ;;
        --input) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --method) _holdfast_words ' euler semi-implicit-euler verlet rk4 rk4-tau discrete adaptive switch timestep nlp' "$cur"; return ;;
        --step) return ;;
        --family) _holdfast_words ' bdf adams erk' "$cur"; return ;;
        --rtol) return ;;
        --atol) return ;;
        --duration) return ;;
        --set) return ;;
        --sensitivity) return ;;
        --base) return ;;
        --start) return ;;
        --model) return ;;
        --inertia) return ;;
        --collide) return ;;
        --package) return ;;
        --every) return ;;
        --dump) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
        --dump-every) return ;;
        --dump-above) return ;;
        esac
        case $cur in
        -*) _holdfast_words '--output --save --from --report --variant --input --realtime --method --step --family --rtol --atol --duration --set --sensitivity --base --start --model --inertia --collide --package --every --dump --dump-every --dump-above --strict --no-verify --verify --json --quiet --help' "$cur"; return ;;
        esac
        _holdfast_words "$(_holdfast_examples)" "$cur"; _holdfast_files 'yaml|yml' "$cur";
        ;;
    compare)
        case $prev in
        --laws) _holdfast_words ' stiction dahl lugre coulomb continuous compound maxwell-slip karnopp viscous-approximation quinn elastoplastic leuven gms armstrong hayward-armstrong bouc-wen all' "$cur"; return ;;
        --methods) _holdfast_words ' euler semi-implicit-euler verlet rk4 rk4-tau discrete adaptive switch timestep nlp' "$cur"; return ;;
        --steps) return ;;
        --force) return ;;
        --duration) return ;;
        --set) return ;;
        --output | -o) _holdfast_files 'svg|png|pdf' "$cur"; return ;;
        --channel) return ;;
        --report) _holdfast_files 'html' "$cur"; return ;;
        --csv) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --jobs) return ;;
        esac
        case $cur in
        -*) _holdfast_words '--laws --methods --steps --force --duration --set --output --channel --separate --report --csv --jobs --json --strict --help' "$cur"; return ;;
        esac
        _holdfast_words "$(_holdfast_examples)" "$cur"; _holdfast_files 'yaml|yml' "$cur";
        ;;
    sweep)
        case $prev in
        --vary) return ;;
        --variants) return ;;
        --methods) _holdfast_words ' euler semi-implicit-euler verlet rk4 rk4-tau discrete adaptive switch timestep nlp' "$cur"; return ;;
        --cases) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --samples) return ;;
        --design) return ;;
        --seed) return ;;
        --indices) return ;;
        --of) return ;;
        --after) return ;;
        --every) return ;;
        --duration) return ;;
        --set) return ;;
        --recordings) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
        --output | -o) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --csv) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --parquet) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --jobs) return ;;
        --shard) return ;;
        --rerun) return ;;
        esac
        case $cur in
        -*) _holdfast_words '--vary --variants --methods --cases --samples --design --seed --indices --of --regimes --energy --after --every --duration --set --recordings --output --csv --parquet --jobs --shard --resume --collect --rerun --json --quiet --strict --help' "$cur"; return ;;
        esac
        _holdfast_words "$(_holdfast_examples)" "$cur"; _holdfast_files 'yaml|yml' "$cur";
        ;;
    fit)
        case $prev in
        --log) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --validate) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --input) return ;;
        --match) return ;;
        --free) return ;;
        --prior) return ;;
        --offset) return ;;
        --scale) return ;;
        --each-log) return ;;
        --cutoff) return ;;
        --thin) return ;;
        --laws) return ;;
        --segments) return ;;
        --hold) return ;;
        --loss) return ;;
        --loss-scale) return ;;
        --starts) return ;;
        --evolve) return ;;
        --seed) return ;;
        --iterations) return ;;
        --set) return ;;
        --output | -o) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --report) _holdfast_files 'html' "$cur"; return ;;
        --jobs) return ;;
        esac
        case $cur in
        -*) _holdfast_words '--log --validate --input --match --free --prior --offset --scale --per-log --each-log --inverse --cutoff --thin --laws --segments --fixed-starts --hold --loss --loss-scale --logarithmic --starts --evolve --seed --iterations --set --output --report --profile --json --jobs --quiet --help' "$cur"; return ;;
        esac
        _holdfast_words "$(_holdfast_examples)" "$cur"; _holdfast_files 'yaml|yml' "$cur";
        ;;
    excite)
        case $prev in
        --input) return ;;
        --match) return ;;
        --free) return ;;
        --limit) return ;;
        --duration) return ;;
        --period) return ;;
        --harmonics) return ;;
        --rate) return ;;
        --segment) return ;;
        --criterion) return ;;
        --trials) return ;;
        --seed) return ;;
        --set) return ;;
        --output | -o) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        esac
        case $cur in
        -*) _holdfast_words '--input --match --free --limit --duration --period --harmonics --rate --segment --criterion --trials --seed --set --output --json --quiet --help' "$cur"; return ;;
        esac
        _holdfast_words "$(_holdfast_examples)" "$cur"; _holdfast_files 'yaml|yml' "$cur";
        ;;
    law)
        case $prev in
        --set) return ;;
        --velocity) return ;;
        --output | -o) _holdfast_files 'svg|png|pdf' "$cur"; return ;;
        --csv) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        esac
        case $cur in
        -*) _holdfast_words '--set --velocity --output --csv --list --help' "$cur"; return ;;
        esac
        _holdfast_words ' stiction dahl lugre coulomb continuous compound maxwell-slip karnopp viscous-approximation quinn elastoplastic leuven gms armstrong hayward-armstrong bouc-wen' "$cur";
        ;;
    check)
        case $prev in
        --set) return ;;
        esac
        case $cur in
        -*) _holdfast_words '--set --help' "$cur"; return ;;
        esac
        _holdfast_words "$(_holdfast_examples)" "$cur"; _holdfast_files 'yaml|yml' "$cur";
        ;;
    tune)
        case $prev in
        --set) return ;;
        esac
        case $cur in
        -*) _holdfast_words '--set --help' "$cur"; return ;;
        esac
        _holdfast_words "$(_holdfast_examples)" "$cur"; _holdfast_files 'yaml|yml' "$cur";
        ;;
    channels)
        case $prev in
        --set) return ;;
        esac
        case $cur in
        -*) _holdfast_words '--set --json --help' "$cur"; return ;;
        esac
        if [ "$COMP_CWORD" -eq 2 ]; then _holdfast_words "$(_holdfast_examples)" "$cur"; _holdfast_files 'yaml|yml' "$cur"; return; fi
        :
        ;;
    parameters)
        case $prev in
        --set) return ;;
        esac
        case $cur in
        -*) _holdfast_words '--set --json --help' "$cur"; return ;;
        esac
        _holdfast_words "$(_holdfast_examples)" "$cur"; _holdfast_files 'yaml|yml' "$cur";
        ;;
    import)
        case $prev in
        --output | -o) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --base) return ;;
        --start) return ;;
        --model) return ;;
        --inertia) return ;;
        --collide) return ;;
        --package) return ;;
        --name) return ;;
        esac
        case $cur in
        -*) _holdfast_words '--output --base --start --model --inertia --collide --package --name --strict --json --help' "$cur"; return ;;
        esac
        if [ "$COMP_CWORD" -eq 2 ]; then compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return; fi
        :
        ;;
    export)
        case $prev in
        --output | -o) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --fmi) return ;;
        --outputs) return ;;
        --locals) return ;;
        --set) return ;;
        --variant) return ;;
        --method) _holdfast_words ' euler semi-implicit-euler verlet rk4 rk4-tau discrete adaptive switch timestep nlp' "$cur"; return ;;
        --step) return ;;
        --base) return ;;
        --start) return ;;
        --model) return ;;
        --inertia) return ;;
        --collide) return ;;
        --package) return ;;
        esac
        case $cur in
        -*) _holdfast_words '--output --fmi --outputs --locals --set --variant --method --step --base --start --model --inertia --collide --package --help' "$cur"; return ;;
        esac
        _holdfast_words "$(_holdfast_examples)" "$cur"; _holdfast_files 'yaml|yml' "$cur";
        ;;
    examples)
        case $prev in
        esac
        case $cur in
        -*) _holdfast_words '--help' "$cur"; return ;;
        esac
        _holdfast_words "$(_holdfast_examples)" "$cur";
        ;;
    plot)
        case $prev in
        --output | -o) _holdfast_files 'svg|png|pdf' "$cur"; return ;;
        --x) _holdfast_words "$(_holdfast_channels "${COMP_WORDS[2]}")" "$cur"; return ;;
        --y) return ;;
        --color) return ;;
        --title) return ;;
        esac
        case $cur in
        -*) _holdfast_words '--output --x --y --color --title --help' "$cur"; return ;;
        esac
        if [ "$COMP_CWORD" -eq 2 ]; then _holdfast_files 'csv|h5|hdf5' "$cur"; return; fi
        _holdfast_words "$(_holdfast_channels "${COMP_WORDS[2]}")" "$cur";
        ;;
    report)
        case $prev in
        --output | -o) _holdfast_files 'html' "$cur"; return ;;
        --runs) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
        esac
        case $cur in
        -*) _holdfast_words '--output --runs --help' "$cur"; return ;;
        esac
        _holdfast_files 'csv|h5|hdf5' "$cur";
        ;;
    fc3d)
        case $prev in
        --solver) _holdfast_words ' auto gauss-seidel newton interior proximal admm continuation lemke' "$cur"; return ;;
        --tolerance) return ;;
        --iterations) return ;;
        --seconds) return ;;
        --solution) _holdfast_files 'h5|hdf5' "$cur"; return ;;
        --csv) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        esac
        case $cur in
        -*) _holdfast_words '--solver --tolerance --scaled --natural --iterations --seconds --guess --solution --csv --json --help' "$cur"; return ;;
        esac
        _holdfast_files 'h5|hdf5' "$cur";
        ;;
    schema)
        case $prev in
        esac
        case $cur in
        -*) _holdfast_words '--help' "$cur"; return ;;
        esac
        :
        ;;
    help)
        case $prev in
        esac
        case $cur in
        -*) _holdfast_words '--help' "$cur"; return ;;
        esac
        :
        ;;
    esac
}

complete -F _holdfast holdfast
