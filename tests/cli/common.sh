# SPDX-License-Identifier: Apache-2.0
# What the scripts share. Sourced with the command's path and the project's root as arguments; works
# in a folder of its own, which is removed at the end.
set -uo pipefail
holdfast=$1
root=$2
bad=0
work=$(mktemp -d /tmp/holdfast-cli-XXXXXX)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

cat >block.yaml <<'MODEL'
name: block on a spring
method: {type: rk4, step: 1e-3}
duration: 1
bodies:
  block: {type: mass, dim: 1, mass: 1.0, position: 0.0}
signals:
  pull: "2*t"
forces:
  - {name: spring, on: block, type: spring, to: pull, stiffness: 90}
  - {name: floor, on: block, type: friction, law: stiction, level: {coulomb: 10}, stiffness: 1e5, damping: 100}
record: [block.position, block.velocity, floor.force, floor.mode]
MODEL

complain() {
    echo "FAILED: $*"
    bad=1
}

# expect CODE 'regex in stdout and stderr together, or nothing' argument...
expect() {
    local code=$1 pattern=$2 got
    shift 2
    "$holdfast" "$@" >out 2>err
    got=$?
    [ "$got" = "$code" ] || complain "holdfast $*: exit code $got, expected $code: $(cat err)"
    [ -z "$pattern" ] || grep -qE -- "$pattern" out err || complain "holdfast $*: no '$pattern' in: $(cat out err)"
}

stdout_is_empty() {
    [ ! -s out ] || complain "$1: something on stdout: $(head -c 200 out)"
}

stderr_is_empty() {
    [ ! -s err ] || complain "$1: something on stderr: $(head -c 200 err)"
}
