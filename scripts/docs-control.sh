# SPDX-License-Identifier: Apache-2.0
# Figures and numbers of controllers. Read by docs.sh, whose tools it uses.

control() {
    "$holdfast" run servo-stick -o "$work/servo-stick.h5" |
        sed "s| in $work/servo-stick.h5| in servo-stick.h5|" | fence | put run-servo-stick
    figure servo-stick servo-stick.h5 servo.error servo.integral bearing.force
    "$holdfast" compare servo-stick --channel servo.error -o docs/figures/servo-stick-variants.svg |
        fence | put compare-servo-stick
    echo docs/figures/servo-stick-variants.svg
    run docs/models/windup.yaml windup.h5 --every 10
    figure windup windup.h5 kept.position wound.position digital.position first.force second.force
    "$(dirname "$example")/external-controller" | fence | put external-controller
    "$(dirname "$example")/felt-friction" | fence | put felt-friction
}
