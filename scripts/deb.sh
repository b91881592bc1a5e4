#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds the Debian packages libholdfast0.1, libholdfast-dev, holdfast and python3-holdfast into build-deb.
#   scripts/deb.sh            builds
#   scripts/deb.sh check      installs them in a clean root (debootstrap), runs the command, a C program and Python
set -euo pipefail
cd "$(dirname "$0")/.."
folder=build-deb
version=$(sed -n 's/^#define HF_VERSION *"\(.*\)"/\1/p' include/holdfast/base.h)

# The tree as it is, without build folders, and the page that reports are made of.
build() {
    rm -rf $folder/holdfast $folder/*.deb
    mkdir -p $folder/holdfast
    git ls-files -z --cached --others --exclude-standard | xargs -0 -I '{}' sh -c '[ ! -f "{}" ] || printf "%s\0" "{}"' |
        tar -c --null -T - | tar -x -C $folder/holdfast
    if [ -f web/dist/page.html ]; then
        mkdir -p $folder/holdfast/web/dist
        cp web/dist/page.html $folder/holdfast/web/dist
    fi
    cp -r packaging/debian $folder/holdfast/debian
    printf 'holdfast (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' "$version" \
        "$(sed -n 's/^Maintainer: //p' packaging/debian/control)" "$(date -R -d "@$(git log -1 --format=%ct)")" \
        >$folder/holdfast/debian/changelog
    if ! (cd $folder/holdfast && dpkg-buildpackage -b -us -uc -rfakeroot) >$folder/build.log 2>&1; then
        tail -n 30 $folder/build.log
        exit 1
    fi
    ls $folder/*.deb
}

# A stranger's machine: nothing but Debian, and the four packages.
check() {
    local root=$folder/root
    [ "$(id -u)" = 0 ] || { echo "deb.sh check: needs root, for chroot" >&2; exit 2; }
    [ -x $root/usr/bin/apt-get ] || debootstrap --variant=minbase bookworm $root "${MIRROR:-$(mirror)}" >$folder/root.log 2>&1 ||
        { tail -n 5 $folder/root.log; exit 1; }
    cp /etc/apt/sources.list $root/etc/apt/ 2>/dev/null || rm -f $root/etc/apt/sources.list
    cp -r /etc/apt/sources.list.d /etc/apt/apt.conf.d $root/etc/apt/ 2>/dev/null || true
    rm -rf $root/packages
    mkdir $root/packages
    cp $folder/*.deb tests/install/program.c $root/packages
    rm -f $root/packages/*dbgsym*
    chroot $root sh -eu -c '
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq
        apt-get install -y -qq --reinstall --no-install-recommends /packages/holdfast_*.deb /packages/lib*.deb /packages/python3-*.deb
        cd /tmp
        holdfast --version
        holdfast run rolling-sphere -q -o run.csv --report run.html
        [ "$(wc -l <run.csv)" -gt 10 ] && [ -s run.html ]
        holdfast run two-link-arm-exact -q --duration 0.1
        python3 -c "import holdfast as hf; print(\"Python\", hf.__version__)"
        apt-get install -y -qq --no-install-recommends gcc libc6-dev pkg-config >/dev/null
        cc /packages/program.c -o program $(pkg-config --cflags --libs holdfast) -lm
        ./program' >$folder/check.log 2>&1 || { tail -n 20 $folder/check.log; exit 1; }
    tail -n 3 $folder/check.log
}

# Where this machine has its own packages from.
mirror() {
    sed -n 's/^deb \(\[.*\] \)\{0,1\}\([^ ]*\) bookworm .*/\2/p; s/^URIs: *//p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1
}

case ${1:-build} in
build) build ;;
check) check ;;
*)
    sed -n '3,5s/^# \{0,1\}//p' "$0" >&2
    exit 2
    ;;
esac
