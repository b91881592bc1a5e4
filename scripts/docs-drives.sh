# SPDX-License-Identifier: Apache-2.0
# Figures of drives. Read by docs.sh, whose tools it uses.

# drive NAME EVERY CHANNEL...: runs an example and draws it.
drive() {
    drive_name=$1
    run "$drive_name" "$drive_name.h5" --every "$2"
    shift 2
    figure "$drive_name" "$drive_name.h5" "$@"
}

drives() {
    drive lossy-gear 10 load.shaft.velocity loss.force loss.mode
    drive worm-gear 50 load.position load.velocity loss.force
    drive planetary-gear 100 sun.axle.velocity ring.axle.velocity carrier.axle.velocity brake.force
    drive lead-screw 8 nut.position carriage.position carriage.velocity slideway.force
    drive car-drivetrain 20 engine.shaft.velocity gearbox.shaft.velocity car.velocity clutch.force
    drive conveyor-line 4 box-1.velocity.x box-20.position.y pusher.slide.position servo.force
    drive bowed-string 4 bead-8.velocity bead-8.position hair.force
    drive brake-squeal 4 pad.position.x pad.velocity.x rub.force
    drive own-law 20 machine.position mount.force mount.state.0
}
