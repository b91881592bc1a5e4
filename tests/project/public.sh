#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The public headers are whole: holdfast.h includes them all, every installed library has its own,
# none speaks of a header or a folder that is not installed, no size of an array is a bare number,
# every function has a comment, and a law's definition is checked by the compiler.
#   public.sh ROOT CC
set -uo pipefail
cd "$1" || exit 1
cc=$2
bad=0
complain() {
    echo "$1"
    bad=1
}

# All by one include.
all=$(echo '#include <holdfast/holdfast.h>' | "$cc" -std=c17 -Iinclude -M -xc - | tr -s ' \\' '\n')
headers=$(find include -name '*.h' | LC_ALL=C sort)
for header in $headers; do
    grep -qx "$header" <<<"$all" || complain "$header is not included by holdfast.h"
done

# A header for every library.
libraries=$(sed -n 's/^ *hf_pkgconfig(\(holdfast[a-z-]*\) .*/\1/p' cmake/HoldfastInstall.cmake)
[ "$(wc -w <<<"$libraries")" -ge 9 ] || complain "cmake/HoldfastInstall.cmake: too few libraries found"
for library in $libraries; do
    [ -f "include/holdfast/${library#holdfast-}.h" ] || complain "$library is installed without a header"
done

# Nothing private.
while IFS=: read -r header line text; do
    for name in $(grep -oE '[a-z0-9_/]+\.(h|def)\b' <<<"$text"); do
        [ -f "include/$name" ] || [ -f "include/holdfast/$name" ] || [ -f "include/holdfast/laws/$name" ] ||
            echo "#include <$name>" | "$cc" -std=c17 -fsyntax-only -xc - 2>/dev/null ||
            complain "$header:$line: speaks of $name, which is not installed"
    done
    ! grep -q '\bsrc/' <<<"$text" || complain "$header:$line: speaks of a folder of the sources"
    ! grep -qE '\[[0-9]{2,}\];' <<<"$text" || complain "$header:$line: the size of an array is a bare number"
done < <(grep -nE '\.(h|def)\b|\bsrc/|\[[0-9]+\];' $headers)

# Every function has a comment: on its line, or above it in its paragraph.
while IFS= read -r found; do
    complain "$found: no comment says what it does"
done < <(awk '
    FNR == 1 || /^$/ { said = 0 }
    /^\/\// { said = 1 }
    /^HF_API/ && !said && !/\/\// { print FILENAME ":" FNR }' $headers)

# The definition of another law is refused.
try() {
    printf '#include <holdfast/holdfast.h>\nvoid f(hf_force_def *force, const hf_%s_def *def);\n%s\n' "$1" \
        "void f(hf_force_def *force, const hf_$1_def *def) { hf_force_use_spring(force, def); }" |
        "$cc" -std=c17 -Iinclude -Werror -fsyntax-only -xc - 2>/dev/null
}
try spring || complain "hf_force_use_spring does not take a spring's definition"
! try stiction || complain "hf_force_use_spring takes the definition of another law"

# So it is by the union's members, and the way that programs had before still compiles.
member() {
    printf '#include <holdfast/holdfast.h>\nvoid f(hf_force_def *force, const hf_%s_def *def);\n%s\n' "$1" \
        "void f(hf_force_def *force, const hf_$1_def *def) { force->law = HF_LAW_SPRING; force->$2 = def; }" |
        "$cc" -std=c17 -pedantic -Iinclude -Werror -fsyntax-only -xc - 2>/dev/null
}
member spring spring || complain "hf_force_def.spring does not take a spring's definition"
! member stiction spring || complain "hf_force_def.spring takes the definition of another law"
member spring def || complain "hf_force_def.def does not take a definition"

# Nobody puts a law and the address of a definition side by side by hand: examples, documentation,
# benchmarks and tests of installed programs show hf_force_use_NAME. HF_LAW_FORCE has no definition.
while IFS= read -r found; do
    complain "$found: a law by hand, where hf_force_use_NAME or hf_force_use_own belongs"
done < <(find examples docs README.md bench tests/install -name '*.c' -o -name '*.h' -o -name '*.md' |
    xargs grep -nE '(\.|->)law = (HF_LAW_|type\b)' | grep -v 'HF_LAW_FORCE')

[ "$bad" = 0 ] && echo "$(wc -w <<<"$headers") public headers are whole"
exit "$bad"
