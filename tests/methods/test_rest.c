// SPDX-License-Identifier: Apache-2.0
// What has no velocity sticks: frictions that hold the same motion break away where the sum of
// their static levels is reached, at every step, and rest at the bound is stick.
#include <hf_machine.h>

#include <math.h>

static void shared_break_away(void **state)
{
    (void)state;
    static const char *const methods[] = {"euler", "semi-implicit-euler", "discrete"};
    static const double steps[] = {1e-2, 1e-3, 3e-4};
    for (int i = 0; i < 9; ++i) {
        char text[700];
        (void)snprintf(text, sizeof text,
                       "method: {type: %s, step: %g}\n"
                       "bodies: {block: {type: mass, dim: 1, mass: 1}}\n"
                       "signals: {pull: \"2*t\"}\n"
                       "forces:\n"
                       "  - {name: rope, on: block, type: force, value: pull}\n"
                       "  - {name: brake, on: block, type: friction, law: coulomb, level: 3}\n"
                       "  - {name: bearing, on: block, type: friction, law: coulomb,\n"
                       "     level: {coulomb: 1, static: 2}}\n",
                       methods[i / 3], steps[i % 3]);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 2.45);
        hf_check_near(value_of(sim, "block.velocity"), 0.0, 0.0, "velocity", "4.9 of 5 N");
        hf_check_near(value_of(sim, "brake.mode"), 0.0, 0.0, "brake", "nothing moves");
        hf_check_near(value_of(sim, "bearing.mode"), 0.0, 0.0, "bearing", "nothing moves");
        run_until(sim, 2.55);
        hf_check_below(0.01, value_of(sim, "block.velocity"), "velocity", "5.1 of 5 N");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

static void rest_at_the_bound(void **state)
{
    (void)state;
    hf_model *model =
        model_of("method: {type: discrete, step: 1e-3}\n"
                 "bodies: {block: {type: mass, dim: 1, mass: 0.7}}\n"
                 "forces:\n"
                 "  - {name: rope, on: block, type: force, value: 10}\n"
                 "  - {name: floor, on: block, type: friction, law: coulomb, level: 10}\n");
    hf_sim *sim = sim_from(model, NULL);
    run_until(sim, 1.0);
    hf_check_near(value_of(sim, "block.position"), 0.0, 0.0, "position", "10 of 10 N");
    hf_check_near(value_of(sim, "floor.mode"), 0.0, 0.0, "mode", "zero velocity is stick");
    hf_force_stats stats = hf_sim_force_stats(sim, hf_model_find_force(model, "floor"));
    hf_check_near(stats.slip_seconds, 0.0, 0.0, "time in slip", "it never moved");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Methods that hold friction exactly, and the same step for all.
static const char *const exact[] = {"euler", "semi-implicit-euler", "discrete", "switch",
                                    "timestep"};
enum { EXACT = sizeof exact / sizeof *exact };

static hf_sim *start(const char *method, const char *machine, hf_model **model)
{
    char text[2000];
    (void)snprintf(text, sizeof text, "method: {type: %s, step: 1e-3}\n%s", method, machine);
    *model = model_of(text);
    return sim_from(*model, NULL);
}

// Nothing moves up to 0.2 % below a torque, and something does from 0.4 % above it on.
static void breaks_away(const char *machine, const char *velocity, double rise, double torque)
{
    for (int i = 0; i < EXACT; ++i) {
        hf_model *model;
        hf_sim *sim = start(exact[i], machine, &model);
        run_until(sim, 0.998 * torque / rise);
        hf_check_near(value_of(sim, velocity), 0.0, 1e-9, exact[i], "held");
        run_until(sim, 1.004 * torque / rise);
        hf_check_below(1e-4, fabs(value_of(sim, velocity)), exact[i], "let go");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Two links, a friction of 6 N at the end of each. The first link's end can move along one line
// only. Least work of the motions that are possible: 6 N (1 + sin(0.4)) 1 m a radian.
static void points_of_links(void **state)
{
    (void)state;
    breaks_away(
        "bodies:\n"
        "  arm:\n"
        "    type: tree\n"
        "    joints:\n"
        "      a: {type: revolute, axis: [0, -1, 0], position: 0.7, mass: 1,\n"
        "          center: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}\n"
        "      b: {type: revolute, parent: a, offset: [1, 0, 0], axis: [0, -1, 0],\n"
        "          position: 0.4, mass: 1, center: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}\n"
        "forces:\n"
        "  - {name: drive, on: arm.a, type: torque, value: \"10*t\"}\n"
        "  - {name: rub, on: arm.a, point: [1, 0, 0], type: friction, law: coulomb,\n"
        "     level: {coulomb: 5, static: 6}}\n"
        "  - {name: rub2, on: arm.b, point: [1, 0, 0], type: friction, law: coulomb,\n"
        "     level: {coulomb: 5, static: 6}}\n",
        "arm.a.velocity", 10.0, 6.0 * (1.0 + sin(0.4)));
}

// A slider-crank with frictions at the crank's end, 0.1 m, and at the pin on the slider, whose way
// x = r cos(a) + (l^2 - r^2 sin(a)^2)^(1/2) the loop prescribes.
static void points_behind_a_loop(void **state)
{
    (void)state;
    double s = 0.1 * sin(1.0), way = s + s * 0.1 * cos(1.0) / sqrt(0.09 - s * s);
    breaks_away(
        "bodies:\n"
        "  engine:\n"
        "    type: tree\n"
        "    joints:\n"
        "      crank: {type: revolute, axis: [0, -1, 0], position: 1, mass: 1,\n"
        "              center: [0.05, 0, 0], inertia: [0.0002, 0.004, 0.004]}\n"
        "      rod: {type: revolute, parent: crank, offset: [0.1, 0, 0], axis: [0, -1, 0],\n"
        "            guess: -1.3, mass: 0.5, center: [0.15, 0, 0],\n"
        "            inertia: [0.0001, 0.00375, 0.00375]}\n"
        "  rail: {type: tree, joints: {slider: {type: prismatic, axis: [1, 0, 0],\n"
        "         guess: 0.28, mass: 2}}}\n"
        "loops: {pin: {type: point, on: engine.rod, to: rail.slider, point: [0.3, 0, 0]}}\n"
        "forces:\n"
        "  - {name: drive, on: engine.crank, type: torque, value: \"t\"}\n"
        "  - {name: rub, on: engine.crank, point: [0.1, 0, 0], type: friction,\n"
        "     law: coulomb, level: {coulomb: 5, static: 6}}\n"
        "  - {name: rub2, on: engine.rod, point: [0.3, 0, 0], type: friction,\n"
        "     law: coulomb, level: {coulomb: 3, static: 4}}\n",
        "engine.crank.velocity", 1.0, 0.6 + 4.0 * way);
}

// A belt that moves across a rail at 1 m/s: friction of 10 N lies along the slip, so that 5 N along
// the rail are balanced at tan(30 degrees) m/s, and no force however small is held.
static void belt_across_a_rail(void **state)
{
    (void)state;
    for (int i = 0; i < EXACT; ++i) {
        hf_model *model;
        hf_sim *sim = start(exact[i],
                            "bodies:\n"
                            "  rail: {type: tree, joints: {slider: {type: prismatic,\n"
                            "         axis: [1, 0, 0], mass: 2}}}\n"
                            "  belt: {type: driven, dim: 3, velocity: [0, 1, 0]}\n"
                            "forces:\n"
                            "  - {name: push, on: rail.slider, type: force, value: 5}\n"
                            "  - {name: rub, on: rail.slider, point: [0, 0, 0], to: belt,\n"
                            "     type: friction, law: coulomb, level: 10}\n",
                            &model);
        run_until(sim, 5.0);
        hf_check_near(value_of(sim, "rail.slider.velocity"), 1.0 / sqrt(3.0), 1e-4, exact[i],
                      "tan(30 degrees)");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A stop without restitution stops, at every step and speed; with 1/2 half of the speed is left.
static void stops_by_steps(void **state)
{
    (void)state;
    for (int i = 0; i < 10; ++i) {
        char machine[400];
        hf_model *model;
        double restitution = i < 5 ? 0.0 : 0.5, speed = 0.731;
        (void)snprintf(machine, sizeof machine,
                       "bodies: {block: {type: mass, dim: 1, mass: 2, velocity: -%g}}\n"
                       "forces: [{name: end, on: block, type: stop, low: -0.0502,\n"
                       "          restitution: %g}]\n",
                       speed, restitution);
        hf_sim *sim = start(exact[i % 5], machine, &model);
        run_until(sim, 0.2);
        hf_check_near(value_of(sim, "block.velocity"), restitution * speed, 1e-12, exact[i % 5],
                      "restitution times the speed");
        hf_check_below(-0.0502 - 1e-12, value_of(sim, "block.position"), exact[i % 5], "the stop");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// The place of a body at the end under each method, at steps of 1 ms.
static void same_place(const char *machine, double end, const char *channel, double want,
                       double allowed)
{
    for (int i = 0; i < EXACT; ++i) {
        hf_model *model;
        hf_sim *sim = start(exact[i], machine, &model);
        run_until(sim, end);
        hf_check_near(value_of(sim, channel), want, allowed, exact[i], "by hand and by switch");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A pile of three on a belt that jumps to another velocity: what stuck to the belt slips from there
// on with 4 N, not with the 6 N that held it at rest, which would shake the second one off.
static void belts_that_jump(void **state)
{
    (void)state;
    same_place("bodies:\n"
               "  belt: {type: driven, velocity: \"t < 1.5 ? 0.8 : (t < 2.2 ? -0.5 : 0)\"}\n"
               "  a: {type: mass, dim: 1, mass: 1}\n"
               "  b: {type: mass, dim: 1, mass: 2}\n"
               "  c: {type: mass, dim: 1, mass: 0.5}\n"
               "forces:\n"
               "  - {name: ab, on: a, to: belt, type: friction, law: coulomb,\n"
               "     level: {coulomb: 4, static: 6}}\n"
               "  - {name: bb, on: b, to: a, type: friction, law: coulomb,\n"
               "     level: {coulomb: 2, static: 2.5}}\n"
               "  - {name: cc, on: c, to: b, type: friction, law: coulomb, level: 1}\n"
               "  - {name: coil, on: c, type: spring, stiffness: 30, damping: 0.1}\n",
               4.0, "a.position", 1.14654, 2e-3);
}

// The same after an impact: a cart bounces off a wall, and the pile on it is not shaken off by the
// 6 N that held it, but braked by 4 N, of which 2.67 N go on to the upper block, which 2.9 N hold.
static void carts_that_bounce(void **state)
{
    (void)state;
    same_place("bodies:\n"
               "  cart: {type: mass, dim: 1, mass: 500, velocity: 0.8}\n"
               "  a: {type: mass, dim: 1, mass: 1, velocity: 0.8}\n"
               "  b: {type: mass, dim: 1, mass: 2, velocity: 0.8}\n"
               "forces:\n"
               "  - {name: ab, on: a, to: cart, type: friction, law: coulomb,\n"
               "     level: {coulomb: 4, static: 6}}\n"
               "  - {name: bb, on: b, to: a, type: friction, law: coulomb,\n"
               "     level: {coulomb: 2, static: 2.9}}\n"
               "  - {name: wall, on: cart, type: stop, high: 0.4, restitution: 0.5}\n",
               3.0, "b.position", -0.04853, 3e-3);
}

// A block that is pulled over a table that shakes up and down. Steps in which nothing loads its
// friction do not make it one that begins to slip, with the static coefficient.
static void open_and_sliding(void **state)
{
    (void)state;
    same_place("gravity: [0, 0, -9.81]\n"
               "bodies:\n"
               "  table: {type: driven, axes: z, position: \"0.002*sin(40*t)\"}\n"
               "  b: {type: mass, axes: xz, mass: 1}\n"
               "signals: {pull: \"t < 0.7 ? 3 : 5.5\"}\n"
               "forces:\n"
               "  - {name: seat, on: b.z, to: table, type: stop, low: 0, restitution: 0}\n"
               "  - {name: rub, on: b.x, type: friction, law: coulomb, normal: seat,\n"
               "     level: {friction: 0.5, static_friction: 0.6}}\n"
               "  - {name: rope, on: b.x, type: force, value: pull}\n",
               2.0, "b.position.x", 0.48402, 0.03);
}

// 100 kg slide to rest on a plate of next to nothing, which friction below holds: it neither goes
// along nor takes long to solve. m v^2/2 = 40 N x.
static void heavy_on_light(void **state)
{
    (void)state;
    static const double plates[] = {1e-3, 1e-5};
    static const double steps[] = {1e-2, 1e-3};
    for (int i = 0; i < 4 * EXACT; ++i) {
        double h = steps[i / 2 % 2];
        char text[700];
        (void)snprintf(text, sizeof text,
                       "method: {type: %s, step: %g}\n"
                       "bodies:\n"
                       "  plate: {type: mass, dim: 1, mass: %g}\n"
                       "  block: {type: mass, dim: 1, mass: 100, velocity: 0.5}\n"
                       "forces:\n"
                       "  - {name: top, on: block, to: plate, type: friction, law: coulomb,\n"
                       "     level: {kinetic: 40, static: 60}}\n"
                       "  - {name: floor, on: plate, type: friction, law: coulomb,\n"
                       "     level: {kinetic: 30, static: 55}}\n",
                       exact[i / 4], h, plates[i % 2]);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        run_until(sim, 1.5);
        hf_check_near(value_of(sim, "plate.position"), 0.0, 1e-9, exact[i / 4], "held");
        hf_check_near(value_of(sim, "block.position"), 0.3125, 0.3 * h, exact[i / 4],
                      "closed form");
        assert_true(hf_sim_verdict(sim).trustworthy);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// A block slides at 0.33 m/s and comes to rest within a step: its mode is that of its motion, under
// every method, at the instant before too.
static void sliding_until_rest(void **state)
{
    (void)state;
    for (int i = 0; i < EXACT; ++i) {
        char text[400];
        (void)snprintf(text, sizeof text,
                       "method: {type: %s, step: 0.01}\n"
                       "bodies: {block: {type: mass, dim: 1, mass: 1, velocity: -0.33}}\n"
                       "forces:\n"
                       "  - {name: floor, on: block, type: friction, law: coulomb, level: 5}\n",
                       exact[i]);
        hf_model *model = model_of(text);
        hf_sim *sim = sim_from(model, NULL);
        for (int k = 1; k <= 10; ++k) {
            run_until(sim, 0.01 * k);
            double moves = value_of(sim, "block.velocity") < 0.0 ? -1.0 : 0.0;
            hf_check_near(moves, k <= 6 ? -1.0 : 0.0, 0.0, exact[i], "at rest from 66 ms on");
            hf_check_near(value_of(sim, "floor.mode"), moves, 0.0, exact[i], "as it moves");
        }
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_break_away),    cmocka_unit_test(rest_at_the_bound),
        cmocka_unit_test(heavy_on_light),       cmocka_unit_test(points_of_links),
        cmocka_unit_test(points_behind_a_loop), cmocka_unit_test(belt_across_a_rail),
        cmocka_unit_test(stops_by_steps),       cmocka_unit_test(belts_that_jump),
        cmocka_unit_test(open_and_sliding),     cmocka_unit_test(carts_that_bounce),
        cmocka_unit_test(sliding_until_rest),
    };
    return hf_run_tests(tests);
}
