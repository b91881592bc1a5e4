#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One machine with inputs, parameters in several units and a table, as FMUs of both versions.
#   drive.sh HOLDFAST ROOT HOST
. "$(dirname "$0")/common.sh"

cp -r "$root/tests/fmi/drive" "a folder"
expect 0 'recorded' run "a folder/drive.yaml" -o plain.csv
expect 0 'recorded' run "a folder/drive.yaml" -o changed.csv --set 'mass=3 kg' --set mu=10 --set signals.motor.input=20
for version in 2 3; do
    expect 0 "^slider$version.fmu: FMI $version.0, co-simulation, 1 input, 4 parameters, 5 outputs, 1 local variable, 1 file" \
        export "a folder/drive.yaml" -o slider$version.fmu --fmi $version --locals energy.residual
    unpack slider$version.fmu "un packed/$version"
    "$host" drive "$work/un packed/$version" plain.csv changed.csv >log 2>&1 || complain "FMI $version: $(cat log)"
    grep -q 'PASSED  \] 1[23] test' log || complain "FMI $version: $(cat log)"
    if command -v python3 >/dev/null; then
        python3 "$root/tests/fmi/description.py" "un packed/$version" $version || complain "FMI $version: the description is wrong"
    fi
done

# A run that is doubtful, and one that fails
cat >stiff.yaml <<'MODEL'
name: stiff
method: {type: rk4, step: 1e-3}
parameters: {k: {value: 4e6, unit: N/m}}
bodies: {block: {type: mass, dim: 1, mass: 1.0, position: 0.1}}
forces:
  - {name: spring, on: block, type: spring, stiffness: k}
record: [block.position]
MODEL
for version in 2 3; do
    expect 0 'co-simulation, 0 inputs, 1 parameter, 1 output$' export stiff.yaml -o stiff$version.fmu --fmi $version
    unpack stiff$version.fmu stiff$version
    "$host" stiff "$work/stiff$version" >log 2>&1 || complain "FMI $version, stiff: $(cat log)"
done

# Channels that are there only where they are asked for
expect 0 '1 output, 1 local variable' export spring-mass -o asked.fmu --outputs block.acceleration --locals block.pose.z
expect 0 '5 outputs, 1 local variable' export "a folder/drive.yaml" -o asked.fmu --locals slider.acceleration

# The same model makes the same bytes; another one another token.
expect 0 '' export "a folder/drive.yaml" -o again.fmu --fmi 3 --locals energy.residual
cmp slider3.fmu again.fmu || complain "the same model makes other bytes"
token() { unpack "$1" "token/$1"; grep -o 'guid="[^"]*"\|Token="[^"]*"' "token/$1/modelDescription.xml"; }
echo '1.5,0' >>"a folder/tables/load.csv"
expect 0 '' export "a folder/drive.yaml" -o table.fmu --fmi 3 --locals energy.residual
[ "$(token table.fmu)" != "$(token slider3.fmu)" ] || complain "another table, the same token"
expect 0 '' export "a folder/drive.yaml" -o other.fmu --fmi 3 --locals energy.residual --set 'mass=2001 g'
[ "$(token other.fmu)" != "$(token table.fmu)" ] || complain "another parameter, the same token"

# The binary needs nothing but the C library.
if command -v ldd >/dev/null && [ "$(nm "$holdfast" 2>/dev/null | grep -c __asan)" = 0 ]; then
    ldd "un packed"/2/binaries/*/*.so | grep -vE 'linux-vdso|ld-linux|libc\.so|libm\.so|libpthread' >needs
    [ ! -s needs ] || complain "the binary needs $(cat needs)"
fi

# What is wrong is told, and nothing is left behind.
expect 2 "the FMU's file is missing: -o FILE.fmu" export "a folder/drive.yaml"
expect 2 "'x.zip' must end in .fmu" export "a folder/drive.yaml" -o x.zip
expect 2 'versions are 2 and 3, not 1' export "a folder/drive.yaml" -o x.fmu --fmi 1
expect 2 "no channel matches 'slider.positon'; did you mean 'slider.position'" export "a folder/drive.yaml" -o x.fmu --outputs slider.positon
expect 2 'nowhere/x.fmu.part: No such file' export "a folder/drive.yaml" -o nowhere/x.fmu
expect 2 'FMUs have not the method nlp' export point-2d -o x.fmu --method nlp
expect 2 "unknown key 'wheels'" export "a folder/drive.yaml" -o x.fmu --set wheels=4
rm "a folder/tables/load.csv"
expect 2 "file 'tables/load.csv': No such file" export "a folder/drive.yaml" -o x.fmu
[ -z "$(ls x.fmu* 2>/dev/null)" ] || complain "left behind: $(ls x.fmu*)"
exit "$bad"
