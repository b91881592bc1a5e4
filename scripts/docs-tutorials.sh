# SPDX-License-Identifier: Apache-2.0
# What the tutorials print. Read by docs.sh, whose tools it uses: each tutorial's first model is run as
# the page says.

# model PAGE FILE: the first model file of a page.
model() {
    awk '/^```yaml/ { inside = 1; next } /^```/ && inside { exit } inside' "docs/tutorials/$1.md" >"$work/$2"
}

# table FILE: a sweep's table without what is the same in all rows.
table() {
    cut -d, -f2- "$1" | sed -E 's/,trustworthy,[0-9.]+,/,/; s/,verdict,time,/,/; s/,(message)?$//; s/([0-9]\.[0-9]{4})[0-9]+/\1/g'
}

tutorials() {
    command=$(realpath "$holdfast")
    model brake flywheel.yaml
    (cd "$work" && "$command" run flywheel.yaml) | fence | put tutorial-brake
    (cd "$work" && "$command" sweep flywheel.yaml --vary press=300:1500:7 --of 'first(brake.mode == 0)' --of rig.wheel.velocity -q -o press.csv)
    table "$work/press.csv" | fence | put tutorial-brake-sweep
    (cd "$work" && "$command" sweep flywheel.yaml --set press=900 --vary mu=normal:0.35:0.05 --samples 200 --seed 1 \
        --of 'first(brake.mode == 0)' -o spread.csv) | sed 's/ in [0-9.]* s$//' | fence | put tutorial-brake-spread
    (cd "$work" && "$command" compare flywheel.yaml --set press=900 --laws coulomb,stiction,lugre --methods switch,timestep,rk4-tau) |
        fence | put tutorial-brake-laws
    model robot-arm arm.yaml
    (cd "$work" && "$command" run arm.yaml) | fence | put tutorial-arm
    (cd "$work" && "$command" sweep arm.yaml --vary payload=0:2:9 --of 'max(abs(arm.shoulder.velocity))' \
        --of 'max(abs(arm.elbow.velocity))' -q -o payload.csv)
    table "$work/payload.csv" | fence | put tutorial-arm-sweep
    model contacts tray.yaml
    (cd "$work" && "$command" run tray.yaml) | fence | put tutorial-contacts
    (cd "$work" && "$command" sweep tray.yaml --vary rate=5,10,20 --duration 6 --of 'first(light.velocity.x > 0.1)' \
        --of 'first(heavy.velocity.x > 0.1)' -q -o tray.csv)
    table "$work/tray.csv" | fence | put tutorial-contacts-sweep
}
