#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Installs into a folder of its own, moves that elsewhere, and uses it from another project, by
# pkg-config and by find_package.
#   run.sh BUILD-FOLDER SOURCE-FOLDER WORK-FOLDER CC LIBDIR "FLAGS" WHOLE(0|1)
set -euo pipefail
build=$1 source=$2 work=$3 cc=$4 libdir=$5 flags=$6 whole=$7

rm -rf "$work"
mkdir -p "$work"
cd "$work"
cmake --install "$build" --prefix "$work/first" >install.log || { cat install.log; exit 1; }
mv first moved # an installed tree does not depend on its place
export LD_LIBRARY_PATH=$work/moved/$libdir
export PKG_CONFIG_PATH=$work/moved/$libdir/pkgconfig
modules=holdfast
outside="own_law own_coupling" # from outside the tree
programs="program $outside"
if [ "$whole" = 1 ]; then
    modules="holdfast-models holdfast-record"
    programs="program $outside whole"
fi

echo "with pkg-config"
for program in $outside; do
    cp "$source/../../examples/$program.c" .
done
for program in $programs; do
    needs=holdfast file=$source/$program.c
    [ "$program" != whole ] || needs=$modules
    [ ! -e "$program.c" ] || file=$program.c
    # shellcheck disable=SC2046,SC2086
    "$cc" -std=c17 -Wall -Wextra -pedantic -Werror $flags "$file" -o "$program" \
        $(pkg-config --cflags --libs $needs) -lm
    "./$program"
done

echo "with find_package"
cmake -S "$source/project" -B other -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_C_FLAGS="$flags" -DWHOLE="$whole" >other.log || { cat other.log; exit 1; }
cmake --build other >>other.log || { cat other.log; exit 1; }
for program in $programs; do
    "other/$program"
done

if [ -x moved/bin/holdfast ]; then
    moved/bin/holdfast --version
    # Its modules are found from there, and not in the folder of the build.
    moved/bin/holdfast run rolling-sphere --duration 0.1 -o moved/run.h5 >run.log || { cat run.log; exit 1; }
    if [ -e "moved/$libdir/holdfast/holdfast-nlp.so" ]; then
        moved/bin/holdfast run point-2d --method nlp --duration 0.46 >run.log || { cat run.log; exit 1; }
    fi
    rm -r "moved/$libdir/holdfast"
    if moved/bin/holdfast run rolling-sphere --duration 0.1 -o moved/run.h5 >run.log 2>&1; then
        echo "the installed command takes a module from elsewhere"
        exit 1
    fi
    grep -q "moved/.*holdfast-hdf5.so: this part of holdfast is not installed" run.log || { cat run.log; exit 1; }
fi
