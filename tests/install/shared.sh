#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Shared libraries: they build, export what public headers mark with HF_API and what they use of each
# other, each under its version, and nothing else; the README's program runs with them, as installed.
#   shared.sh SOURCE-FOLDER WORK-FOLDER CC LIBDIR
set -euo pipefail
source=$1 work=$2 cc=$3 libdir=$4
export LC_ALL=C
rm -rf "$work"
mkdir -p "$work"
cd "$work"
cmake -S "$source" -B build -DCMAKE_C_COMPILER="$cc" -DBUILD_SHARED_LIBS=ON -DHF_BUILD_TESTS=OFF \
    -DHF_INSTALL_PYTHON=python >log 2>&1 || { cat log; exit 1; }
cmake --build build --parallel 2 >log 2>&1 || { tail -30 log; exit 1; }
cmake --install build --prefix "$work/tree" >log

public=$(grep -h '^HF_API ' -r "$source/include/holdfast" |
    sed -E 's/^[^(]*[ *](hf_[a-z0-9_]+)\(.*/\1/' | sort -u)
shown=0
for library in tree/"$libdir"/libholdfast*.so; do
    readelf -d "$library" | grep -q 'SONAME.*\.so\.[0-9]*\.[0-9]*\]' ||
        { echo "$library has no SONAME with a version"; exit 1; }
    exported=$(nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }')
    while read -r symbol; do
        name=${symbol%%@*}
        case $symbol in
        *@@HOLDFAST_PRIVATE_*) ;;
        *@@HOLDFAST_*) grep -qx "$name" <<<"$public" || { echo "$library: $name is not public"; exit 1; } ;;
        *) echo "$library: $symbol is exported without a version"; exit 1 ;;
        esac
        shown=$((shown + 1))
    done <<<"$exported"
done
[ "$shown" -gt 200 ] || { echo "only $shown symbols"; exit 1; }
all=$(nm -D --defined-only tree/"$libdir"/libholdfast*.so)
for name in hf_sim_step hf_sim_set_parameter hf_law_info_find; do
    grep -q " $name@@HOLDFAST_[0-9]" <<<"$all" ||
        { echo "$name is not exported"; exit 1; }
done

"$source/tests/project/readme.sh" "$source/README.md" "$work/readme"
cd readme
export LD_LIBRARY_PATH=$work/tree/$libdir PKG_CONFIG_PATH=$work/tree/$libdir/pkgconfig
# shellcheck disable=SC2046
"$cc" -std=c17 -Wl,--as-needed arm.c -o arm $(pkg-config --cflags --libs holdfast-models holdfast-contact)
./arm

# The Python module with the shared libraries, where it could be built
if [ -d "$work/tree/python" ]; then
    PYTHONPATH=$work/tree/python /usr/bin/python3 -c 'import holdfast; print("Python", holdfast.__version__)'
fi
