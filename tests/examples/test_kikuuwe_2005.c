// SPDX-License-Identifier: Apache-2.0
// The examples of [Kikuuwe2005], section V, read from their files.
#include <hf_test.h>
#include <holdfast/holdfast.h>

#include <math.h>
#include <stdio.h>

#define FOLDER HF_SOURCE_DIR "/examples/"

typedef struct machine {
    hf_model *model;
    hf_sim *sim;
    hf_error error;
} machine;

static machine start(const char *file, const char *variant)
{
    machine m = {0};
    char path[600];
    const hf_overrides overrides = {.variant = variant};
    (void)snprintf(path, sizeof path, "%s%s", FOLDER, file);
    hf_spec *spec = hf_spec_load(path, &overrides, &m.error);
    m.model = spec == NULL ? NULL : hf_model_compile(spec, &m.error);
    hf_spec_destroy(spec);
    m.sim = m.model == NULL ? NULL : hf_sim_create(m.model, NULL, &m.error);
    if (m.sim == NULL) {
        fail_msg("%s", m.error.text);
    }
    return m;
}

static void end(machine *m)
{
    hf_sim_destroy(m->sim);
    hf_model_destroy(m->model);
}

static void steps(machine *m, int count)
{
    for (int k = 0; k < count; ++k) {
        if (hf_sim_step(m->sim, &m->error) != HF_OK) {
            fail_msg("%s", m->error.text);
        }
    }
}

static double value(const machine *m, const char *channel)
{
    hf_channel found = hf_model_find_channel(m->model, channel);
    assert_true(found.id > 0);
    return hf_sim_value(m->sim, found);
}

// ------------------------------------------------------------------------------------------------
// Simulation I

static void spring_pull(void **state)
{
    (void)state;
    const char *origin = "reference, T = 1 ms";
    machine m = start("spring-pull.yaml", NULL);
    double away = 0.0, stop = 0.0;
    for (int k = 1; k <= 4000; ++k) {
        bool rested = value(&m, "block.velocity") == 0.0;
        steps(&m, 1);
        bool rests = value(&m, "block.velocity") == 0.0;
        away = rested && !rests ? 1e-3 * k : away;
        stop = !rested && rests ? 1e-3 * k : stop;
        if (k == 1000) {
            hf_check_near(value(&m, "block.position"), 1.798152942, 1e-9, "P: x(1)", origin);
            hf_check_near(value(&m, "block.velocity"), 3.791914991, 1e-9, "P: v(1)", origin);
        } else if (k == 2000) {
            hf_check_near(value(&m, "block.position"), 3.971698294, 1e-9, "P: x(2)", origin);
        }
    }
    hf_check_near(value(&m, "block.position"), 3.973247799, 1e-9, "P: x(4)", origin);
    hf_check_near(value(&m, "floor.force"), -2.407698, 1e-6, "P: f(4)", origin);
    hf_check_near(value(&m, "block.position"), 3.973261817, 2e-5, "P: x(4)", "exact");
    assert_true(value(&m, "block.velocity") == 0.0);
    hf_check_near(away, 1.0 / 18.0, 1.5e-3, "P: break-away", "exact, to one step");
    hf_check_near(stop, 2.021236604, 1.5e-3, "P: stop", "exact, to one step");
    end(&m);
}

// Mean velocity from t = 3.5 to 4 s.
static double creep(const char *variant)
{
    machine m = start("spring-pull.yaml", variant);
    steps(&m, 3500);
    double from = value(&m, "block.position");
    steps(&m, 500);
    double speed = (value(&m, "block.position") - from) / 0.5;
    end(&m);
    return speed;
}

static void spring_pull_karnopp(void **state)
{
    (void)state;
    machine m = start("spring-pull.yaml", "K1");
    double fastest = 0.0;
    for (int k = 1; k <= 20000; ++k) {
        steps(&m, 1);
        if (k == 4000) {
            hf_check_near(value(&m, "block.position"), 3.79894453607, 1e-9, "K1: x(4)",
                          "reference");
        }
        fastest = k > 19000 ? fmax(fastest, fabs(value(&m, "block.velocity"))) : fastest;
    }
    hf_check_below(0.9, fastest, "K1: largest speed after 19 s", "it never stops");
    end(&m);
    hf_check_near(creep("K2"), 7.81e-3, 5e-6, "K2: creep", "reference");
    hf_check_near(creep("K3"), 5.77e-5, 1e-6, "K3: creep", "reference");
}

static void spring_pull_quinn(void **state)
{
    (void)state;
    machine m = start("spring-pull.yaml", "Q1");
    steps(&m, 4000);
    hf_check_near(value(&m, "block.position"), 4.08196277883, 1e-10, "Q1: x(4)", "reference");
    assert_true(value(&m, "block.velocity") > 1e-9); // still moving
    end(&m);

    m = start("spring-pull.yaml", "Q2");
    steps(&m, 4000);
    hf_check_near(value(&m, "block.position"), 3.973247799, 1e-9, "Q2: x(4)", "as P");
    hf_check_near(value(&m, "block.velocity"), 0.0, 1e-15, "Q2: v(4)", "as P");
    end(&m);

    m = start("spring-pull.yaml", "Q3");
    steps(&m, 3000);
    int turns = 0;
    double last = 0.0;
    for (int k = 0; k < 1000; ++k) {
        steps(&m, 1);
        double f = value(&m, "floor.force");
        turns += f * last < 0.0 && fabs(f - last) > 15.0 ? 1 : 0;
        last = f;
    }
    hf_check_below(400, turns, "Q3: turns of the force in the last second", "it chatters");
    end(&m);
}

// ------------------------------------------------------------------------------------------------
// Simulations II, III and IV

static void zero_crossing(void **state)
{
    (void)state;
    static const double p_want[] = {-0.08, -0.03, 0.0, 0.03, 0.06};
    static const double q_want[] = {-0.08, -0.03, 0.02, 0.05, 0.08};
    machine p = start("zero-crossing.yaml", "P"), q = start("zero-crossing.yaml", "Q2");
    for (int k = 0; k < 5; ++k) {
        steps(&p, 1);
        steps(&q, 1);
        hf_check_near(value(&p, "block.velocity"), p_want[k], 1e-15, "P: v",
                      "Kikuuwe et al. 2005 Simulation II");
        hf_check_near(value(&q, "block.velocity"), q_want[k], 1e-15, "Q2: v",
                      "Kikuuwe et al. 2005 Simulation II");
        if (k == 2) { // the stick branch is exactly zero
            assert_true(value(&p, "block.velocity") == 0.0);
        }
    }
    end(&p);
    end(&q);
}

static void planar_friction(void **state)
{
    (void)state;
    machine m = start("planar-friction.yaml", NULL);
    int stop = 0;
    for (int k = 1; k <= 6000; ++k) {
        steps(&m, 1);
        bool rests = value(&m, "puck.velocity.x") == 0.0 && value(&m, "puck.velocity.y") == 0.0;
        stop = rests && stop == 0 ? k : stop;
        assert_true(stop == 0 || rests); // and it stays
        double f = hypot(value(&m, "plane.force.x"), value(&m, "plane.force.y"));
        hf_check_below(f, 10.0 * (1.0 + 1e-15), "|f|", "level");
    }
    assert_int_equal(stop, 4633);
    hf_check_near(value(&m, "puck.position.x"), 1.087168782, 1e-9, "x at the stop", "reference");
    hf_check_near(value(&m, "puck.position.y"), 2.436798199, 1e-9, "y at the stop", "reference");
    end(&m);
}

static void hysteresis(void **state)
{
    (void)state;
    static const int at[] = {1200, 3400,  5200,  6600,  7650,  8400, 8900,
                             9400, 10150, 11200, 12600, 14400, 16600}; // steps
    static const double want[] = {-55.0, 55.0,         -53.1,        45.338554329,
                                  -38.0, 27.700328427, -19.799671597};
    enum { TURNS = 13 };
    double force[TURNS];
    machine m = start("hysteresis.yaml", NULL);
    for (int i = 0, k = 0; i < TURNS; ++i) {
        steps(&m, at[i] - k);
        k = at[i];
        force[i] = value(&m, "friction.force");
    }
    for (int i = 0; i < 7; ++i) {
        hf_check_near(force[i], want[i], 1e-9, "force at a turn", "reference");
    }
    for (int i = 0; i < 6; ++i) {
        hf_check_near(force[TURNS - 1 - i], force[i], 1e-12, "force at a loop's end", "its start");
    }
    end(&m);
}

// ------------------------------------------------------------------------------------------------
// Section VI

static void haptic_plane(void **state)
{
    (void)state;
    machine m = start("haptic-plane.yaml", NULL);
    double farthest = 0.0, travel = 0.0;
    for (int k = 1; k <= 8000; ++k) {
        steps(&m, 1);
        farthest =
            fmax(farthest, hypot(value(&m, "controller.gap.x"), value(&m, "controller.gap.y")));
        travel += 1e-3 * hypot(value(&m, "puck.velocity.x"), value(&m, "puck.velocity.y"));
        // Under less than 6 N from rest the puck is where it was, to the bit.
        if (k <= 500) {
            assert_true(value(&m, "puck.position.x") == 0.5);
        }
    }
    hf_check_below(0.8, travel, "way of the puck", "moves");
    // 10 Nm of joint friction on a controller of 50 kN/m
    hf_check_below(farthest, 2e-3, "grip from puck", "the joints' friction is not felt");
    // The controller does not act on the puck: the same without the arm's friction.
    machine other = {0};
    const char *const items[] = {"forces.shoulder-friction.level=0",
                                 "forces.elbow-friction.level=0"};
    const hf_overrides overrides = {.items = items, .count = 2};
    hf_spec *spec = hf_spec_load(FOLDER "haptic-plane.yaml", &overrides, &other.error);
    assert_non_null(spec);
    other.model = hf_model_compile(spec, &other.error);
    hf_spec_destroy(spec);
    assert_non_null(other.model);
    other.sim = hf_sim_create(other.model, NULL, &other.error);
    assert_non_null(other.sim);
    steps(&other, 8000);
    assert_true(value(&other, "puck.position.x") == value(&m, "puck.position.x"));
    end(&other);
    end(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_pull),       cmocka_unit_test(spring_pull_karnopp),
        cmocka_unit_test(spring_pull_quinn), cmocka_unit_test(zero_crossing),
        cmocka_unit_test(planar_friction),   cmocka_unit_test(hysteresis),
        cmocka_unit_test(haptic_plane),
    };
    return hf_run_tests(tests);
}
