#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# holdfast-laws asks for nothing but mathematical functions, and the four memory functions that
# compilers call of their own accord even on a bare microcontroller.
#   freestanding.sh OBJECT...
set -euo pipefail
LC_ALL=C nm --undefined-only "$@" | awk '
    NF == 2 && $1 == "U" { wanted[$2]; next }
    END {
        if (NR == 0) { print "no symbols found"; exit 1 }
        split("memcpy memmove memset memcmp _GLOBAL_OFFSET_TABLE_ __cpu_model", list, " ")
        for (i in list) allowed[list[i]]
        split("acos acosh asin asinh atan atan2 atanh cbrt copysign cos cosh erf erfc exp exp2 " \
              "expm1 fabs fdim floor ceil fma fmax fmin fmod frexp hypot ldexp log log10 log1p " \
              "log2 lround modf nextafter pow remainder rint round scalbn sin sincos sinh sqrt " \
              "tan tanh tgamma trunc", list, " ")
        for (i in list) allowed[list[i]]
        for (name in wanted)
            if (!(name in allowed) && name !~ /^hf_/) { print "needs " name; bad = 1 }
        exit bad
    }'
