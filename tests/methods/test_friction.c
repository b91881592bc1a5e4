// SPDX-License-Identifier: Apache-2.0
// Friction that holds: no drift below the level, for a minute, under every method. And what happens
// when the state leaves the finite numbers.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { METHODS = 5 };

static const hf_method_type FIXED_STEP[METHODS] = {HF_METHOD_EULER, HF_METHOD_SEMI_IMPLICIT_EULER,
                                                   HF_METHOD_RK4, HF_METHOD_RK4_TAU,
                                                   HF_METHOD_DISCRETE};

// As long as people wait for a machine to creep [s].
enum { SECONDS = 60 };

// ------------------------------------------------------------------------------------------------
// Zero drift

static void check_no_drift(const hf_machine *machine, const char *const *channels, int count)
{
    for (int i = 0; i < METHODS; ++i) {
        hf_run run = hf_run_open(machine, FIXED_STEP[i], 1e-3);
        hf_run_to(&run, 10.0);
        double settled[3], largest = 0.0;
        for (int k = 0; k < count; ++k) {
            settled[k] = hf_run_value(&run, channels[k]);
        }
        for (int t = 11; t <= SECONDS; ++t) {
            hf_run_to(&run, t);
            for (int k = 0; k < count; ++k) {
                largest = fmax(largest, fabs(hf_run_value(&run, channels[k]) - settled[k]));
            }
        }
        hf_check_below(largest, 1e-12, hf_method_name(FIXED_STEP[i]), "it has settled and holds");
        hf_run_close(&run);
    }
}

// A block pulled with eight tenths of the level.
static void pulled_block(void **state)
{
    (void)state;
    hf_machine m = hf_machine_create();
    int block = hf_add_mass(&m, "block!", 2.0, 0.0, 0.3);
    hf_add_force(&m, "pull!", HF_LAW_FORCE, block, -1)->force.values[0].constant = 4.0;
    hf_part *floor = hf_add_force(&m, "floor!", HF_LAW_STICTION, block, -1);
    floor->law.stiction.level = hf_level_coulomb(5.0);
    floor->law.stiction.stiffness = 1e4;
    floor->law.stiction.damping = 100.0;
    static const char *const channels[] = {"block.position"};
    check_no_drift(&m, channels, 1);
}

// A block on a slope of 20 degrees, mu = 0.5, gravity straight down: tan(20 degrees) = 0.364.
static void block_on_a_slope(void **state)
{
    (void)state;
    const double angle = 20.0 * 3.14159265358979323846 / 180.0;
    hf_machine m = hf_machine_create();
    m.gravity.z = -9.81;
    hf_part *block = hf_machine_add(&m, HF_PART_MASS, "block!");
    block->mass.mass = 1.5;
    block->mass.position[2] = 0.01;
    block->mass.velocity[1] = 0.2;
    int index = hf_machine_index(&m, block);
    hf_part *slope = hf_add_force(&m, "slope!", HF_LAW_CONTACT, index, -1);
    slope->force.coupling = hf_coupling_def_default(HF_COUPLING_PLANE);
    slope->force.coupling.to_frame.turn = (hf_quat){cos(0.5 * angle), 0.0, sin(0.5 * angle), 0.0};
    slope->law.contact.stiffness = 1e4;
    slope->law.contact.damping = 100.0;
    slope->law.contact.friction = hf_level_coefficient(0.5);
    static const char *const channels[] = {"block.position.x", "block.position.y",
                                           "block.position.z"};
    check_no_drift(&m, channels, 3);
    // Steeper than friction, it slides at g (sin - mu cos).
    const double steep = 35.0 * 3.14159265358979323846 / 180.0;
    m.parts[1].force.coupling.to_frame.turn =
        (hf_quat){cos(0.5 * steep), 0.0, sin(0.5 * steep), 0.0};
    m.parts[0].mass.velocity[1] = 0.0;
    hf_run run = hf_run_open(&m, HF_METHOD_RK4, 1e-4);
    hf_run_to(&run, 1.0);
    double before = hf_run_value(&run, "slope.rate.tangent1");
    hf_run_to(&run, 2.0);
    hf_check_near(hf_run_value(&run, "slope.rate.tangent1") - before,
                  9.81 * (sin(steep) - 0.5 * cos(steep)), 1e-6, "acceleration", "closed form");
    hf_run_close(&run);
}

// Static above kinetic: it holds up to the static level, and once slipping slides at the kinetic.
static double slow_ramp(void *context, double t)
{
    (void)context;
    return 2.0 * t;
}

static void break_away(void **state)
{
    (void)state;
    hf_machine m = hf_machine_create();
    int block = hf_add_mass(&m, "block!", 1.0, 0.0, 0.0);
    int ramp = hf_add_function(&m, "ramp!", slow_ramp);
    hf_add_force(&m, "pull!", HF_LAW_FORCE, block, -1)->signals[0] = ramp;
    hf_part *floor = hf_add_force(&m, "floor!", HF_LAW_STICTION, block, -1);
    floor->law.stiction.level = hf_level_coulomb(1.0);
    floor->law.stiction.level.peak[0] = floor->law.stiction.level.peak[1] = 3.0;
    for (int i = 0; i < METHODS; ++i) {
        hf_run run = hf_run_open(&m, FIXED_STEP[i], 2e-4);
        hf_run_to(&run, 1.4);
        hf_check_near(hf_run_value(&run, "floor.mode"), 0.0, 0.0, "mode", "2.8 N is held");
        hf_run_to(&run, 1.6);
        hf_check_near(hf_run_value(&run, "floor.mode"), 1.0, 0.0, "mode", "3.2 N is not");
        hf_check_near(hf_run_value(&run, "floor.force"), -1.0, 1e-12, "force", "kinetic level");
        hf_force_stats stats = hf_sim_force_stats(run.sim, hf_model_find_force(run.model, "floor"));
        assert_int_equal(stats.transitions, 1);
        hf_check_near(stats.stick_seconds, 1.5, 5e-3, "time in stick", "3 N at 2 N/s");
        hf_check_near(stats.stick_seconds + stats.slip_seconds, 1.6, 1e-9, "time", "all of it");
        hf_check_near(stats.largest_force, 3.0, 5e-3, "largest force", "static level");
        hf_run_close(&run);
    }
}

// ------------------------------------------------------------------------------------------------
// Not finite

// `names`: of the components that may be first.
static void check_stop(hf_run *run, hf_status status, const hf_error *error,
                       const char *const names[2])
{
    assert_int_equal(status, HF_ERROR_NOT_FINITE);
    assert_int_equal(error->status, HF_ERROR_NOT_FINITE);
    if (strncmp(error->text, "t = ", 4) != 0 ||
        (strstr(error->text, names[0]) == NULL && strstr(error->text, names[1]) == NULL)) {
        fail_msg("'%s' does not name the time and %s or %s", error->text, names[0], names[1]);
    }
    double t = strtod(error->text + 4, NULL);
    hf_check_near(t, hf_sim_time(run->sim) + hf_sim_method(run->sim).step, 1e-9, "time named",
                  "end of the step that failed");
    int count = hf_model_channel_count(run->model);
    for (int i = 1; i <= count; ++i) {
        char channel[100];
        hf_model_channel_name(run->model, (hf_channel){i}, channel, sizeof channel);
        bool of_body = strstr(channel, "position") != NULL || strstr(channel, "velocity") != NULL;
        assert_true(!of_body || isfinite(hf_sim_value(run->sim, (hf_channel){i})));
    }
}

// Far beyond the stable step the state grows without bound.
static void state_leaves_the_numbers(void **state)
{
    (void)state;
    hf_machine m = hf_machine_create();
    int block = hf_add_mass(&m, "block!", 1.0, 0.01, 0.0);
    (void)hf_add_mass(&m, "bystander!", 1.0, 0.0, 1.0);
    hf_add_force(&m, "spring!", HF_LAW_SPRING, block, -1)->law.spring.stiffness = 1e12;
    for (int i = 0; i < METHODS; ++i) {
        hf_run run = hf_run_open(&m, FIXED_STEP[i], 1e-3);
        hf_error error = {0};
        hf_status status = HF_OK;
        double x = 0.0, t = 0.0;
        int steps = 0;
        for (; status == HF_OK && steps < 1000; ++steps) {
            x = hf_run_value(&run, "block.position");
            t = hf_sim_time(run.sim);
            status = hf_sim_step(run.sim, &error);
        }
        check_stop(&run, status, &error, (const char *const[]){"'block'", "'spring'"});
        hf_check_same_bits(hf_run_value(&run, "block.position"), x, "last finite position");
        hf_check_same_bits(hf_sim_time(run.sim), t, "time");
        assert_int_equal(hf_sim_get_stats(run.sim).steps, steps - 1);
        // Once more: the same answer, and the sim can still be reset
        assert_int_equal(hf_sim_step(run.sim, &error), HF_ERROR_NOT_FINITE);
        hf_sim_reset(run.sim);
        assert_int_equal(hf_sim_step(run.sim, &error), HF_OK);
        hf_run_close(&run);
    }
}

static double broken(void *context, double t)
{
    (void)context;
    return t < 0.0105 ? 1.0 : NAN;
}

static void input_is_not_a_number(void **state)
{
    (void)state;
    hf_machine m = hf_machine_create();
    int block = hf_add_mass(&m, "block!", 1.0, 0.0, 0.0);
    int signal = hf_add_function(&m, "broken!", broken);
    hf_add_force(&m, "push!", HF_LAW_FORCE, block, -1)->signals[0] = signal;
    for (int i = 0; i < METHODS; ++i) {
        hf_run run = hf_run_open(&m, FIXED_STEP[i], 1e-3);
        hf_error error = {0};
        hf_status status = HF_OK;
        while (status == HF_OK && hf_sim_time(run.sim) < 0.1) {
            status = hf_sim_step(run.sim, &error);
        }
        check_stop(&run, status, &error, (const char *const[]){"'block'", "'push'"});
        hf_check_near(hf_sim_time(run.sim), 0.0105, 1.1e-3, "time", "the last good step");
        hf_run_close(&run);
    }
}

// ------------------------------------------------------------------------------------------------
// What a method does not admit

static void methods_refuse(void **state)
{
    (void)state;
    hf_machine m = hf_machine_create();
    int block = hf_add_mass(&m, "block!", 1.0, 0.0, 0.0);
    hf_add_force(&m, "floor!", HF_LAW_STICTION, block, -1)->law.stiction.damping = 0.0;
    hf_model *model = hf_machine_compile(&m, NULL);
    hf_error error = {0};
    hf_sim_def def = hf_sim_def_default(model);
    def.method.type = HF_METHOD_RK4;
    assert_null(hf_sim_create(model, &def, &error));
    assert_int_equal(error.status, HF_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "'floor'"));
    assert_non_null(strstr(error.text, "rk4-tau"));
    def.method.type = HF_METHOD_RK4_TAU;
    hf_sim *sim = hf_sim_create(model, &def, &error);
    assert_non_null(sim);
    hf_sim_destroy(sim);
    static const double steps[] = {0.0, -1.0, NAN, INFINITY};
    for (int i = 0; i < 4; ++i) {
        def.method.step = steps[i];
        assert_null(hf_sim_create(model, &def, &error));
        assert_int_equal(error.status, HF_ERROR_RANGE);
    }
    hf_model_destroy(model);
}

// A ball that bounces without any damping or friction is an ordinary differential equation.
static void frictionless_contact(void **state)
{
    (void)state;
    hf_machine m = hf_machine_create();
    m.gravity.z = -10.0;
    hf_part *ball = hf_machine_add(&m, HF_PART_RIGID, "ball!");
    ball->rigid.position.z = 0.3;
    int index = hf_machine_index(&m, ball);
    hf_part *floor = hf_add_force(&m, "floor!", HF_LAW_CONTACT, index, -1);
    floor->force.coupling = hf_coupling_def_default(HF_COUPLING_PLANE);
    floor->force.coupling.radius = 0.1;
    floor->law.contact.damping = 0.0;
    floor->law.contact.friction = hf_level_coefficient(0.0);
    hf_run run = hf_run_open(&m, HF_METHOD_RK4, 1e-5);
    hf_stability advice = hf_sim_stability(run.sim, (hf_force){1});
    hf_check_near(advice.largest_step, sqrt(8.0 / 1e5), 1e-6, "largest step", "K T^2/m < 8");
    hf_run_to(&run, 1.0);
    hf_energy energy = hf_sim_energy(run.sim);
    hf_check_below(fabs(energy.residual), 1e-5 * energy.turnover, "residual", "elastic bounces");
    hf_run_close(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulled_block),
        cmocka_unit_test(block_on_a_slope),
        cmocka_unit_test(break_away),
        cmocka_unit_test(state_leaves_the_numbers),
        cmocka_unit_test(input_is_not_a_number),
        cmocka_unit_test(methods_refuse),
        cmocka_unit_test(frictionless_contact),
    };
    return hf_run_tests(tests);
}
