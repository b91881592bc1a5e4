#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds libholdfast-laws for a Cortex-M4, freestanding, runs the motor compensator on it in an
# emulator, and compares what it prints with what the same program prints here.
#   scripts/cortex-m4.sh HOST-PROGRAM FOLDER       exit code 77: the tools are not installed
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")/.." && pwd)
host=$1
folder=$2

for tool in arm-none-eabi-gcc arm-none-eabi-nm qemu-system-arm; do
    command -v $tool >/dev/null || {
        echo "skipped: $tool is missing (scripts/deps.sh embedded installs it)"
        exit 77
    }
done

mkdir -p "$folder"
cpu="-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16"
flags="-std=c17 -Os -ffp-contract=off -ffunction-sections -fdata-sections -Wall -Wextra -Werror"

# The laws: freestanding, nothing from the C library but mathematics (and memory copies that the
# compiler itself makes).
sources=$(sed -n 's/^ *\([a-z0-9_]*\.c\).*/\1/p' "$here/src/laws/CMakeLists.txt" | sort -u)
objects=
for source in $sources; do
    object=$folder/${source%.c}.o
    arm-none-eabi-gcc $cpu $flags -ffreestanding -I"$here/include" -I"$here/src" \
        -c "$here/src/laws/$source" -o "$object"
    objects="$objects $object"
done
foreign=$(arm-none-eabi-nm -u $objects | sed -n 's/^ *U //p' | sort -u |
    grep -v -E '^(hf_|__aeabi_|mem(cpy|set|move)$|exp$|expm1$|pow$|sqrt$|fabs$|fmax$|fmin$|log$|log1p$|sin$|cos$|acos$|asin$|atan2$|cbrt$|tanh$|floor$|hypot$|copysign$|frexp$|ldexp$|nextafter$|isfinite$|strcmp$)' || true)
if [ -n "$foreign" ]; then
    echo "the laws need more than mathematics:" $foreign
    exit 1
fi

example=$here/examples/motor-compensation
arm-none-eabi-gcc $cpu $flags -I"$here/include" "$example/motor_compensation.c" \
    "$example/cortex-m4/startup.c" $objects --specs=rdimon.specs \
    -T "$example/cortex-m4/memory.ld" \
    -Wl,--gc-sections -lm -o "$folder/motor-compensation.elf"
arm-none-eabi-size "$folder/motor-compensation.elf"

"$host" >"$folder/host.txt"
timeout 400 qemu-system-arm -M mps2-an386 -nographic -monitor none -serial none \
    -semihosting-config enable=on,target=native -kernel "$folder/motor-compensation.elf" \
    >"$folder/cortex-m4.txt"
cat "$folder/cortex-m4.txt"
if ! diff "$folder/host.txt" "$folder/cortex-m4.txt"; then
    echo "the Cortex-M4 prints something else than the host"
    exit 1
fi
echo "the Cortex-M4 prints what the host prints"
