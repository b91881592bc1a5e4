#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Heavy parts are loaded only when a run asks for them, and are missed by name.
#   modules.sh HOLDFAST ROOT
. "$(dirname "$0")/common.sh"

# The command itself needs neither HDF5, nor IPOPT and its BLAS, nor MPI.
if command -v ldd >/dev/null; then
    ldd "$holdfast" >libraries
    heavy=$(grep -E 'hdf5|ipopt|blas|lapack|mumps|mpi\.so' libraries)
    [ -z "$heavy" ] || complain "the command links $heavy"
fi

# A finished run ends in a small memory too. Sanitizers reserve terabytes: not with them.
if [ "$(nm "$holdfast" 2>/dev/null | grep -c __asan)" = 0 ]; then
    for output in small.csv small.h5; do
        (
            ulimit -v 100000
            timeout 60 "$holdfast" run block.yaml -o $output >out 2>err
        ) || complain "ulimit -v 100000, -o $output: exit code $? (124: it hangs): $(cat out err)"
        [ -s $output ] || complain "ulimit -v 100000: no $output"
    done
fi

# A command without its modules runs what needs none, and says which file it misses.
mkdir bare
cp "$holdfast" bare/holdfast
holdfast=$work/bare/holdfast
expect 0 'recorded' run block.yaml -o bare.csv
expect 1 'holdfast-hdf5\.so: this part of holdfast is not installed' run block.yaml -o bare.h5
[ ! -e bare.h5 ] || complain "bare.h5 was left behind"
if [ -e "$(dirname "$1")/lib/holdfast/holdfast-nlp.so" ]; then
    expect 2 'holdfast-nlp\.so: this part of holdfast is not installed' run point-2d --method nlp
fi
mkdir -p bare/lib/holdfast
echo "no library" >bare/lib/holdfast/holdfast-hdf5.so
expect 1 'bare/lib/holdfast/holdfast-hdf5\.so: cannot load: ' run block.yaml -o bare.h5
exit "$bad"
