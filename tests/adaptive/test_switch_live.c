// SPDX-License-Identifier: Apache-2.0
// Method switch where numbers change while it runs, where machines begin as they cannot, and where
// several things come to rest at once: against exact solutions.
#include <math.h>
#include <string.h>

#include "adaptive_test.h"

#define HEAD                                                                                       \
    "gravity: [0, 0, -10]\nmethod: {type: switch, step: 0.01, rtol: 1e-9, atol: 1e-10}\n"          \
    "bodies:\n"

static hf_sim *begin(const char *machine, hf_model **model)
{
    *model = model_of(machine);
    return sim_from(*model, NULL);
}

static void finish(hf_model *model, hf_sim *sim)
{
    hf_check_below(hf_sim_verdict(sim).ledger, 1e-6, "ledger", "closed");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A sim that takes the state of another goes on as it would, to the bit.
static void goes_on_the_same(const hf_model *model, hf_sim *sim)
{
    hf_error error = {0};
    size_t size = hf_sim_save_size(sim);
    void *saved = malloc(size);
    assert_non_null(saved);
    hf_sim_save(sim, saved);
    hf_sim *a = sim_from(model, NULL), *b = sim_from(model, NULL);
    assert_int_equal(hf_sim_restore(a, saved, size, &error), HF_OK);
    run_until(b, 0.1); // it has seen something else
    assert_int_equal(hf_sim_restore(b, saved, size, &error), HF_OK);
    for (int k = 0; k < 10; ++k) {
        step(a);
        step(b);
        for (int i = 0; i < model->nq + model->nv; ++i) {
            hf_check_same_bits(a->x[i], b->x[i], "state");
        }
    }
    hf_check_near(value_of(a, "box.velocity.x"), 1.4, 1e-7, "velocity", "v - mu g t");
    hf_sim_destroy(a);
    hf_sim_destroy(b);
    free(saved);
}

// Friction between shapes that is changed on the way: what slides is braked by the new one from
// then on, whether the force has it or one of the surfaces tells more of the pair.
static void friction_changes_on_the_way(void **state)
{
    (void)state;
    static const char *const surfaces[] = {"", ", rolling_friction: 1e-3", ", restitution: 0.1",
                                           ", friction: 0.5", ", friction: 0.25"};
    static const double factors[] = {1.0, 1.0, 1.0, 0.5, 0.25}; // of the surface
    for (int i = 0; i < 5; ++i) {
        char text[800];
        hf_error error = {0};
        hf_model *model;
        (void)snprintf(text, sizeof text,
                       "friction_rule: product\n" HEAD
                       "  floor: {type: static, position: [0, 0, -0.5], shape: {type: box, "
                       "size: [9, 9, 1]%s}}\n"
                       "  box: {type: rigid, mass: 2, position: [0, 0, 0.05], velocity: [2, "
                       "0, 0], shape: {type: box, size: [0.4, 0.4, 0.1]}}\n"
                       "forces:\n  - {name: touch, type: collide, among: all, friction: %g, "
                       "restitution: 0}\n",
                       surfaces[i], 0.2 / factors[i]);
        hf_sim *sim = begin(text, &model);
        run_until(sim, 0.2);
        hf_check_near(value_of(sim, "box.velocity.x"), 1.6, 1e-7, "velocity", "v - mu g t");
        goes_on_the_same(model, sim);
        assert_int_equal(hf_sim_set_parameter(sim, "touch.friction", 0.5 / factors[i], &error),
                         HF_OK);
        run_until(sim, 0.4);
        hf_check_near(value_of(sim, "box.velocity.x"), 0.6, 1e-7, "velocity", "with the new one");
        run_until(sim, 0.6);
        hf_check_near(value_of(sim, "box.velocity.x"), 0.0, 1e-12, "velocity", "at rest");
        hf_check_near(value_of(sim, "box.position.x"), 0.36 + 1.6 * 1.6 / 10.0, 1e-7, "place",
                      "v^2/(2 mu g) from where it changed");
        finish(model, sim);
    }
}

// Shapes that begin far inside of each other are refused, in words that name both.
static void deep_starts_are_refused(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_model *model = model_of(
        HEAD
        "  floor: {type: static, position: [0, 0, -0.5], shape: {type: box, size: [9, 9, 1]}}\n"
        "  box: {type: rigid, mass: 2, position: [0, 0, 0.02], shape: {type: box, size: [0.4, "
        "0.4, 0.1]}}\n"
        "forces:\n  - {name: touch, type: collide, among: all}\n");
    hf_sim_def def = hf_sim_def_default(model);
    hf_sim *sim = hf_sim_create(model, &def, &error);
    if (sim != NULL) {
        assert_int_not_equal(hf_sim_step(sim, &error), HF_OK);
    }
    assert_non_null(strstr(error.text, "box"));
    assert_non_null(strstr(error.text, "floor"));
    assert_non_null(strstr(error.text, "0.03 m"));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    // Put there later, too
    model = model_of(
        HEAD
        "  floor: {type: static, position: [0, 0, -0.5], shape: {type: box, size: [9, 9, 1]}}\n"
        "  box: {type: rigid, mass: 2, position: [0, 0, 0.05], shape: {type: box, size: [0.4, "
        "0.4, 0.1]}}\n"
        "forces:\n  - {name: touch, type: collide, among: all}\n");
    sim = sim_from(model, NULL);
    run_until(sim, 0.1);
    const double inside[7] = {0.0, 0.0, 0.02, 1.0, 0.0, 0.0, 0.0};
    error = (hf_error){0};
    hf_status status = hf_sim_set_position(sim, hf_model_find_body(model, "box"), inside, &error);
    status = status == HF_OK ? hf_sim_step(sim, &error) : status;
    assert_int_not_equal(status, HF_OK);
    assert_non_null(strstr(error.text, "0.03 m"));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Two slides that a gear joins, and a third one alone, slide and stop: the joined ones in the same
// moment, each with one change of mode. m = 1 + 2/4, level 1 + 2/2: 4/3 m/s^2.
static void joined_ones_stop_together(void **state)
{
    (void)state;
    for (int order = 0; order < 2; ++order) {
        hf_model *model;
        char text[1000];
        (void)snprintf(text, sizeof text,
                       HEAD "  %s: {type: mass, dim: 1, mass: 1, velocity: 2}\n"
                            "  m: {type: mass, dim: 1, mass: 2, velocity: -1}\n"
                            "  %s: {type: mass, dim: 1, mass: 1, velocity: 2}\n"
                            "loops:\n  gear: {type: ratio, ratio: {%s: 1, m: 2}}\n"
                            "forces:\n"
                            "  - {name: f%s, on: %s, type: friction, law: coulomb, level: 1}\n"
                            "  - {name: fm, on: m, type: friction, law: coulomb, level: 2}\n"
                            "  - {name: f%s, on: %s, type: friction, law: coulomb, level: 1}\n",
                       order == 0 ? "a" : "z", order == 0 ? "z" : "a", order == 0 ? "a" : "z",
                       order == 0 ? "a" : "z", order == 0 ? "a" : "z", order == 0 ? "z" : "a",
                       order == 0 ? "z" : "a");
        hf_sim *sim = begin(text, &model);
        const char *joined = order == 0 ? "a.velocity" : "z.velocity";
        const char *alone = order == 0 ? "z.velocity" : "a.velocity";
        run_until(sim, 1.2);
        hf_check_near(value_of(sim, joined), 2.0 - 1.2 * 4.0 / 3.0, 1e-8, "velocity", "v - a t");
        hf_check_near(value_of(sim, "m.velocity"), -1.0 + 1.2 * 2.0 / 3.0, 1e-8, "velocity",
                      "half of it");
        run_until(sim, 1.8);
        hf_check_near(value_of(sim, joined), 0.0, 0.0, "velocity", "at rest");
        hf_check_near(value_of(sim, "m.velocity"), 0.0, 0.0, "velocity", "at rest");
        hf_check_near(value_of(sim, alone), 0.2, 1e-8, "velocity", "v - t");
        run_until(sim, 3.0);
        for (int k = 1; k <= 3; ++k) {
            hf_force_stats stats = hf_sim_force_stats(sim, (hf_force){k});
            bool lone =
                strstr(hf_model_force_name(model, (hf_force){k}), order == 0 ? "fz" : "fa") != NULL;
            assert_int_equal(stats.transitions, 1);
            hf_check_near(stats.slip_seconds, lone ? 2.0 : 1.5, 0.011, "time in slip", "v/a");
        }
        hf_check_near(hf_sim_energy(sim).dissipated, 5.0, 1e-7, "heat", "all that moved");
        finish(model, sim);
    }
}

// Two bodies that rest on each other under switch, pulled by a force that grows: friction lets go
// in the moment it reaches its level, of two machines side by side each at its own.
static void each_breaks_away_alone(void **state)
{
    (void)state;
    hf_model *model;
    hf_sim *sim =
        begin(HEAD "  a: {type: mass, dim: 2, mass: 1}\n  b: {type: mass, dim: 2, mass: 2}\n"
                   "signals: {pull: \"3*t\"}\n"
                   "forces:\n"
                   "  - {name: pa, on: a.x, type: force, value: pull}\n"
                   "  - {name: qa, on: a.y, type: force, value: \"4*t\"}\n"
                   "  - {name: pb, on: b.x, type: force, value: pull}\n"
                   "  - {name: fa, on: a, type: friction, law: coulomb, level: 2}\n"
                   "  - {name: fb, on: b, type: friction, law: coulomb, level: 4.5}\n",
              &model);
    // 5 t = 2 at 0.4 s; 3 t = 4.5 at 1.5 s
    run_until(sim, 0.39);
    hf_check_near(value_of(sim, "a.velocity.x"), 0.0, 0.0, "velocity", "at rest");
    run_until(sim, 1.4);
    // along (0.6, 0.8): integral of 5 t - 2
    hf_check_near(value_of(sim, "a.velocity.x"), 0.6 * 2.5, 1e-7, "velocity", "5 (t - 0.4)^2/2");
    hf_check_near(value_of(sim, "a.velocity.y"), 0.8 * 2.5, 1e-7, "velocity", "5 (t - 0.4)^2/2");
    hf_check_near(value_of(sim, "b.velocity.x"), 0.0, 0.0, "velocity", "at rest");
    run_until(sim, 2.5);
    hf_check_near(value_of(sim, "b.velocity.x"), 0.75, 1e-7, "velocity", "3 (t - 1.5)^2/4");
    finish(model, sim);
}

// A ball hits a rotor by a lever of 0.2 m, M v d = (I + mu r m L + M d^2) w: the bearing's friction
// takes mu r of the impulse m L w that it bears, and what is not of that load takes no part.
static void bearing_in_an_impact(void **state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        double mass = k % 2 == 0 ? 1.0 : 0.3, mu = k < 2 ? 0.1 : 0.0;
        hf_model *model;
        char text[900];
        (void)snprintf(
            text, sizeof text,
            "method: {type: switch, step: 1e-3, rtol: 1e-9, atol: 1e-10}\nbodies:\n"
            "  ball: {type: mass, dim: 1, mass: %g, position: -0.1, velocity: 1}\n"
            "  rotor: {type: tree, joints: {pin: {type: revolute, axis: [0, 1, 0], mass: 1,\n"
            "          center: [0.2, 0, 0], inertia: [0.01, 0.01, 0.01]}}}\n"
            "forces:\n"
            "  - {name: hit, ratio: {rotor.pin: 0.2, ball: -1}, type: stop, low: 0}\n"
            "  - {name: bearing, on: rotor.pin, type: friction, law: coulomb,\n"
            "     level: {friction: %g}, normal: {joint: rotor.pin}}\n",
            mass, mu);
        hf_sim *sim = begin(text, &model);
        run_until(sim, 0.1);
        double want = mass * 0.2 / (0.05 + mu * 0.2 + mass * 0.04);
        hf_check_near(value_of(sim, "rotor.pin.velocity"), want, 1e-7, "spin", "closed form");
        hf_check_near(value_of(sim, "ball.velocity"), 0.2 * want, 1e-7, "ball", "stays with it");
        finish(model, sim);
    }
}

// Pulled by more than friction holds, from the first moment and where a force jumps: in a plane,
// and on a floor. What is left over accelerates it, the way it is pulled.
static void slips_at_once(void **state)
{
    (void)state;
    static const double pulls[] = {1.01, 1.3, 1.7, 4.0}; // by what friction holds
    for (int k = 0; k < 8; ++k) {
        double pull = pulls[k % 4], later = k < 4 ? 0.0 : 0.5;
        char text[1000];
        hf_model *model;
        (void)snprintf(text, sizeof text,
                       HEAD "  flat: {type: mass, dim: 2, mass: 2}\n"
                            "  block: {type: mass, dim: 3, mass: 1}\n"
                            "signals: {jump: \"t < %g ? 0.5 : %.17g\"}\n"
                            "forces:\n"
                            "  - {name: px, on: flat.x, type: force, value: \"0.6*4*jump\"}\n"
                            "  - {name: py, on: flat.y, type: force, value: \"-0.8*4*jump\"}\n"
                            "  - {name: rub, on: flat, type: friction, law: coulomb, level: 4}\n"
                            "  - {name: bx, on: block.x, type: force, value: \"-0.8*3*jump\"}\n"
                            "  - {name: by, on: block.y, type: force, value: \"0.6*3*jump\"}\n"
                            "  - {name: floor, on: block.z, type: stop, low: 0}\n"
                            "  - {name: drag, on: block.xy, type: friction, law: coulomb, level: "
                            "{friction: 0.3}, normal: floor}\n",
                       later, pull);
        hf_sim *sim = begin(text, &model);
        run_until(sim, later + 1.0);
        hf_check_near(value_of(sim, "flat.velocity.x"), 0.6 * 2.0 * (pull - 1.0), 1e-7, "velocity",
                      "(F - L) t/m");
        hf_check_near(value_of(sim, "flat.velocity.y"), -0.8 * 2.0 * (pull - 1.0), 1e-7, "velocity",
                      "(F - L) t/m");
        hf_check_near(value_of(sim, "block.velocity.x"), -0.8 * 3.0 * (pull - 1.0), 1e-7,
                      "velocity", "(F - mu m g) t/m");
        hf_check_near(value_of(sim, "block.velocity.y"), 0.6 * 3.0 * (pull - 1.0), 1e-7, "velocity",
                      "(F - mu m g) t/m");
        finish(model, sim);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(friction_changes_on_the_way), cmocka_unit_test(deep_starts_are_refused),
        cmocka_unit_test(joined_ones_stop_together),   cmocka_unit_test(each_breaks_away_alone),
        cmocka_unit_test(bearing_in_an_impact),        cmocka_unit_test(slips_at_once),
    };
    return hf_run_tests(tests);
}
