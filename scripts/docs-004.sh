# SPDX-License-Identifier: Apache-2.0
# Figures and numbers of the machines of document 004. Read by docs.sh, whose tools it uses.

# The landing point over a smooth floor, and the exact laws beside it.
smooth_point() {
    "$holdfast" compare point-2d-smooth --channel point.position.z --channel point.velocity.x \
        -o docs/figures/point-2d-smooth.svg | fence | put compare-point-2d-smooth
    echo docs/figures/point-2d-smooth.svg
}

# Time-stepping: the landing point, and a box that holds.
steps() {
    for name in point-2d box-on-slope; do
        "$holdfast" compare $name | fence | put compare-$name
    done
}

document_004() {
    smooth_point
    steps
}
