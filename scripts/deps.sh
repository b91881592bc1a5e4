#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that Holdfast needs, and only those that are missing.
#   scripts/deps.sh [core|web|browser|bench|docs|python|embedded|deb|format|lint]...      (default: core)
set -eu

core="build-essential cmake pkg-config libfyaml-dev libexpat1-dev libpng-dev libhdf5-dev zlib1g-dev
      libsundials-dev coinor-libipopt-dev libcmocka-dev gnuplot-nox"
web="nodejs npm"
browser="chromium"
bench="libmujoco-dev libode-dev libbullet-dev valgrind libsiconos-numerics-dev libsuitesparse-dev libopenblas-dev
       python3-scipy"
docs="mkdocs doxygen"
python="python3-dev python3-numpy python3-build python3-setuptools python3-wheel python3-venv python3-pip
        python3-pytest python3-pandas python3-xarray python3-matplotlib python3-yaml python3-jsonschema"
embedded="gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm"
deb="debhelper dh-python dpkg-dev fakeroot"
format="clang-format"
lint="clang clang-format clang-tidy"

wanted=
for group in "${@:-core}"; do
    case $group in
    core) wanted="$wanted $core" ;;
    web) # a node from elsewhere serves as well
        command -v node >/dev/null && command -v npm >/dev/null || wanted="$wanted $web" ;;
    browser) wanted="$wanted $browser" ;;
    bench) wanted="$wanted $core $bench" ;;
    docs) wanted="$wanted $docs" ;;
    python) wanted="$wanted $python" ;;
    embedded) wanted="$wanted $embedded" ;;
    deb) wanted="$wanted $core $deb" ;;
    format) wanted="$wanted $core $format" ;;
    lint) wanted="$wanted $core $lint" ;;
    *)
        echo "deps.sh: unknown group '$group' (core, web, browser, bench, docs, python, embedded, deb, format, lint)" >&2
        exit 2
        ;;
    esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "Not a Debian system: nothing was installed. Needed, by their Debian names:" $wanted >&2
    exit 0
fi

missing=
for package in $wanted; do
    case " $missing " in *" $package "*) continue ;; esac
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        echo "Holdfast needs packages that are not installed. Run this once, then try again:" >&2
        echo "    sudo apt-get install --no-install-recommends$missing" >&2
        exit 1
    fi
fi

install() {
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
        $missing
}

echo "Installing:$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Package lists may be absent or out of date: fetch them only when the first try fails.
if ! install >"$log" 2>&1; then
    if ! { $as_root apt-get update -q && install; } >"$log" 2>&1; then
        cat "$log" >&2
        echo "deps.sh: could not install:$missing" >&2
        exit 1
    fi
fi
