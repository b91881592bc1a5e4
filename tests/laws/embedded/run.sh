#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the laws for a Cortex-M4, runs them under qemu and compares every force with the host's.
#   run.sh ROOT COMPARE-PROGRAM
# Exit code 77 (skipped) without gcc-arm-none-eabi, its C library, or qemu-system-arm.
set -euo pipefail
root=$1 compare=$2
here=$root/tests/laws/embedded
cc=arm-none-eabi-gcc
for tool in $cc qemu-system-arm; do
    command -v $tool >/dev/null || { echo "$tool is not installed"; exit 77; }
done
echo '#include <math.h>' | $cc -fsyntax-only -xc - 2>/dev/null ||
    { echo "the C library for $cc is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
$cc -mcpu=cortex-m4 -mthumb -mfloat-abi=soft -std=c17 -O2 -ffreestanding -ffp-contract=off \
    -fno-math-errno -ffunction-sections -Wall -Wextra -Werror -I"$root/include" -I"$here" \
    -nostartfiles -Wl,--gc-sections -T "$here/cortex-m4.ld" \
    "$here/target.c" "$here/trace.c" "$root"/src/laws/*.c -lm -o "$work/laws.elf"
arm-none-eabi-size "$work/laws.elf"
timeout 60 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none \
    -semihosting-config enable=on,target=native,chardev=out -chardev file,id=out,path="$work/out" \
    -kernel "$work/laws.elf" </dev/null
"$compare" <"$work/out"
