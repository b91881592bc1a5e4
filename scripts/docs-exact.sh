# SPDX-License-Identifier: Apache-2.0
# Figures and numbers of exact friction and contacts in space. Read by docs.sh, whose tools it uses.

exact_in_space() {
    for name in rolling-sphere-exact spinning-coin-box-exact oscillator-2d \
        dragged-block; do
        "$holdfast" run $name -o "$work/$name.h5" | sed "s| in $work/$name.h5| in $name.h5|" |
            fence | put "run-$name"
    done
    figure rolling-sphere-exact rolling-sphere-exact.h5 sphere.velocity.x floor.rate.tangent1 \
        floor.force.x floor.force.z
    figure spinning-coin-box-exact spinning-coin-box-exact.h5 coin.position.z coin.angular_velocity
    figure oscillator-2d oscillator-2d.h5 puck.position.y --x puck.position.x
    figure dragged-block dragged-block.h5 block.position.y --x block.position.x
}
