// SPDX-License-Identifier: Apache-2.0
// What a program does with a sim that runs: advance to any time, look at all of it at once, ask for
// its right-hand side and linearization, change its parameters. Methods are found without tables.
#include <math.h>

#include <hf_machine.h>

static const char *const PENDULUM = "gravity: [0, 0, -9.81]\n"
                                    "method: {type: rk4, step: 1e-3}\n"
                                    "signals: {motor: {input: 0}}\n"
                                    "bodies:\n"
                                    "  arm:\n"
                                    "    type: tree\n"
                                    "    joints:\n"
                                    "      pin: {type: revolute, axis: [0, 1, 0], mass: 2,\n"
                                    "        center: [0, 0, -0.5], inertia: [0.1, 0.1, 0.1],\n"
                                    "        position: 0.3}\n"
                                    "forces:\n"
                                    "  - {name: drive, on: arm.pin, type: force, value: motor}\n"
                                    "  - {name: damper, on: arm.pin, type: spring, stiffness: 3,\n"
                                    "     damping: 0.2}\n";

// A block that is pulled over a floor: it sticks, breaks away, slides and stops.
static const char *const BLOCK =
    "method: {type: %s, step: %s}\n"
    "bodies:\n"
    "  block: {type: mass, dim: 1, mass: 2}\n"
    "signals: {pull: \"12*sin(2*t)\"}\n"
    "forces:\n"
    "  - {name: pull-force, on: block, type: force, value: pull}\n"
    "  - {name: floor, on: block, type: friction, law: %s, level: 4%s}\n";

static hf_model *block_model(const char *method, const char *step, const char *law,
                             const char *more)
{
    char text[800];
    (void)snprintf(text, sizeof text, BLOCK, method, step, law, more);
    return model_of(text);
}

static hf_status advance(hf_sim *sim, double until, bool stop)
{
    hf_error error = {0};
    hf_status status = hf_sim_advance(sim, until, stop, &error);
    if (status < 0) {
        fail_msg("%s", error.text);
    }
    return status;
}

static double value(hf_sim *sim, const char *name)
{
    hf_channel channel = hf_model_find_channel(hf_sim_model(sim), name);
    assert_true(channel.id > 0);
    return hf_sim_value(sim, channel);
}

static double parameter(const hf_sim *sim, const char *name)
{
    hf_error error = {0};
    double number;
    if (hf_model_get_parameter(hf_sim_model(sim), name, &number, &error) < 0) {
        fail_msg("%s", error.text);
    }
    return number;
}

static void set(hf_sim *sim, const char *name, double number)
{
    hf_error error = {0};
    if (hf_sim_set_parameter(sim, name, number, &error) < 0) {
        fail_msg("%s", error.text);
    }
}

// ------------------------------------------------------------------------------------------------
// Times

// Any time is met exactly, by every method that is linked; what follows is the step's rest.
static void any_time(void **state)
{
    (void)state;
    const char *const methods[] = {"rk4", "rk4-tau", "discrete", "adaptive", "timestep", "switch"};
    hf_rng rng = hf_rng_create(20);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        bool exact = i >= 4;
        hf_model *model = block_model(methods[i], "1e-3", exact ? "coulomb" : "stiction",
                                      exact ? "" : ", stiffness: 1e5, damping: 200");
        hf_sim *sim = sim_from(model, NULL);
        double t = 0.0;
        for (int k = 0; k < 60; ++k) {
            t += hf_rng_uniform(&rng, 1e-4, 0.03);
            assert_int_equal(advance(sim, t, false), HF_OK);
            hf_check_same_bits(hf_sim_time(sim), t, "time");
        }
        // The rest of the step, to its end
        step(sim);
        double end = hf_sim_time(sim);
        hf_check_near(end / 1e-3, ceil(t / 1e-3), 1e-9, "end of the step", "multiples of the step");
        assert_true(end > t && end <= t + 1.001e-3);
        assert_int_equal(advance(sim, t, false), HF_OK); // not ahead: nothing
        hf_check_same_bits(hf_sim_time(sim), end, "time");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// Steps by hf_sim_advance over multiples of the step are those of hf_sim_step, to the bit; times
// that are rounded otherwise than k * step are the same times.
static void whole_steps(void **state)
{
    (void)state;
    hf_model *model = block_model("rk4", "0.1e-2", "stiction", ", stiffness: 1e4, damping: 200");
    hf_sim *a = sim_from(model, NULL), *b = sim_from(model, NULL);
    for (int k = 1; k <= 1000; ++k) {
        step(a);
        assert_int_equal(advance(b, (double)k / 1000.0, false), HF_OK);
        hf_check_same_bits(hf_sim_positions(b)[0], hf_sim_positions(a)[0], "position");
    }
    assert_int_equal(hf_sim_get_stats(a).steps, hf_sim_get_stats(b).steps);
    hf_error error = {0};
    assert_int_equal(hf_sim_advance(b, INFINITY, false, &error), HF_ERROR_RANGE);
    assert_int_equal(hf_sim_advance(b, NAN, false, &error), HF_ERROR_RANGE);
    hf_sim_destroy(a);
    hf_sim_destroy(b);
    hf_model_destroy(model);
}

// switch: 12 sin(2 t) reaches 4 N at t = asin(1/3)/2. Others: at the end of a step nearby.
static void events(void **state)
{
    (void)state;
    const double first = asin(1.0 / 3.0) / 2.0;
    hf_model *model = block_model("switch", "0.01", "coulomb", "");
    hf_sim *sim = sim_from(model, NULL);
    assert_int_equal(advance(sim, 10.0, true), HF_EVENT);
    hf_check_near(hf_sim_time(sim), first, 1e-7, "break-away", "12 sin(2 t) = 4");
    assert_int_equal(advance(sim, 10.0, true), HF_EVENT);
    double second = hf_sim_time(sim);
    assert_true(second > first + 0.5 && fabs(hf_sim_velocities(sim)[0]) < 1e-6);
    assert_int_equal(advance(sim, second + 1e-3, true), HF_OK);
    hf_check_same_bits(hf_sim_time(sim), second + 1e-3, "time");
    hf_sim_destroy(sim);
    hf_model_destroy(model);

    model = block_model("timestep", "1e-3", "coulomb", "");
    sim = sim_from(model, NULL);
    assert_int_equal(advance(sim, 10.0, true), HF_EVENT);
    hf_check_near(hf_sim_time(sim), first, 3e-3, "break-away", "12 sin(2 t) = 4, within steps");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Views

static void views(void **state)
{
    (void)state;
    hf_model *model = block_model("rk4", "1e-3", "stiction", ", stiffness: 1e4, damping: 200");
    hf_sim *sim = sim_from(model, NULL);
    const double *q = hf_sim_positions(sim), *v = hf_sim_velocities(sim);
    const double *values = hf_sim_values(sim);
    for (int k = 0; k < 300; ++k) {
        step(sim);
    }
    assert_ptr_equal(q, hf_sim_positions(sim));
    assert_ptr_equal(values, hf_sim_values(sim));
    for (int id = 1; id <= hf_model_channel_count(model); ++id) {
        hf_channel channel = {id};
        char name[200];
        hf_model_channel_name(model, channel, name, sizeof name);
        hf_check_same_bits(values[id - 1], hf_sim_value(sim, channel), name);
        hf_channel_slot slot = hf_model_channel_slot(model, channel);
        const double *homes[] = {values, q, v};
        hf_check_same_bits(homes[slot.home][slot.index], hf_sim_value(sim, channel), name);
    }
    hf_body_slots slots = hf_model_body_slots(model, hf_model_find_body(model, "block"));
    hf_check_same_bits(q[slots.position], value(sim, "block.position"), "position");
    assert_int_equal(slots.velocity_count, 1);
    hf_check_same_bits(hf_sim_law_states(sim)[0], value(sim, "floor.state.0"), "bristle");
    // Reading allocates nothing
    long long before = hf_test_allocations();
    (void)hf_sim_values(sim);
    assert_int_equal(hf_test_allocations() - before, 0);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Right-hand side

// I q'' = -m g l sin q - K q - B q' + motor, I = 0.1 + 2 0.5^2.
static void linearization(void **state)
{
    (void)state;
    const double inertia = 0.6, weight = 2.0 * 9.81 * 0.5;
    hf_model *model = model_of(PENDULUM);
    hf_sim *sim = sim_from(model, NULL);
    hf_error error = {0};
    hf_rng rng = hf_rng_create(21);
    assert_int_equal(hf_sim_state_size(sim), 2);
    assert_int_equal(hf_model_input_count(model), 1);
    for (int k = 0; k < 50; ++k) {
        double q = hf_rng_uniform(&rng, -3.0, 3.0), v = hf_rng_uniform(&rng, -5.0, 5.0);
        double u = hf_rng_uniform(&rng, -5.0, 5.0), z[2] = {q, v}, rate[2], a[4], b[2];
        hf_sim_set_input(sim, hf_model_input(model, 0), u);
        assert_int_equal(hf_sim_rate(sim, z, false, rate, &error), HF_OK);
        hf_check_same_bits(rate[0], v, "q'");
        hf_check_near(rate[1], (u - weight * sin(q) - 3.0 * q - 0.2 * v) / inertia, 1e-12, "v'",
                      "closed form");
        assert_int_equal(hf_sim_linearize(sim, z, false, a, b, &error), HF_OK);
        const double want[] = {0.0, 1.0, (-weight * cos(q) - 3.0) / inertia, -0.2 / inertia};
        hf_check_near_array(a, want, 4, 3e-9, "A", "closed form");
        const double gain[] = {0.0, 1.0 / inertia};
        hf_check_near_array(b, gain, 2, 3e-9, "B", "closed form");
    }
    // Neither the state nor what follows is touched
    hf_sim *other = sim_from(model, NULL);
    hf_sim_set_input(sim, hf_model_input(model, 0), 0.0);
    for (int k = 0; k < 20; ++k) {
        double a[4];
        assert_int_equal(hf_sim_linearize(sim, NULL, false, a, NULL, &error), HF_OK);
        step(sim);
        step(other);
    }
    hf_check_same_bits(hf_sim_positions(sim)[0], hf_sim_positions(other)[0], "position");
    assert_int_equal(hf_sim_get_stats(sim).evaluations, hf_sim_get_stats(other).evaluations);
    hf_sim_destroy(sim);
    hf_sim_destroy(other);
    hf_model_destroy(model);
}

static void set_valued(void **state)
{
    (void)state;
    const char *const methods[] = {"timestep", "switch", "discrete"};
    for (size_t i = 0; i < 3; ++i) {
        hf_model *model = block_model(methods[i], "1e-3", "coulomb", "");
        hf_sim *sim = sim_from(model, NULL);
        hf_error error = {0};
        double rate[8];
        assert_int_equal(advance(sim, 0.6, false), HF_OK);
        assert_int_equal(hf_sim_rate(sim, NULL, false, rate, &error), HF_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.text, "force 'floor': law 'coulomb'"));
        assert_int_equal(hf_sim_rate(sim, NULL, true, rate, &error), HF_OK);
        hf_check_near(rate[1], 12.0 * sin(1.2) / 2.0, 1e-9, "v'", "without friction");
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------------
// Parameters

static bool count_one(void *context, const hf_parameter *parameter)
{
    assert_true(parameter->name[0] != '\0' && parameter->unit != NULL);
    *(int *)context += 1;
    return true;
}

typedef struct wanted_unit {
    const char *name, *unit;
    int found;
} wanted_unit;

static bool compare_unit(void *context, const hf_parameter *parameter)
{
    for (wanted_unit *w = context; w->name != NULL; ++w) {
        if (strcmp(w->name, parameter->name) == 0) {
            assert_string_equal(parameter->unit, w->unit);
            w->found += 1;
        }
    }
    return true;
}

// Units are those of the coordinate: a force on what turns is a torque.
static void units(void **state)
{
    (void)state;
    hf_model *model = model_of(
        "bodies:\n"
        "  block: {type: mass, dim: 1, mass: 1}\n"
        "  shaft: {type: rotor, inertia: 1}\n"
        "  arm: {type: tree, joints: {elbow: {type: revolute, mass: 1, inertia: [1, 1, 1],\n"
        "        spring: 2, friction: {law: coulomb, level: {kinetic: 1, static: 2,\n"
        "        stribeck_velocity: 1}}, servo: {kp: 1, ki: 1, kd: 1, reference: 1}}}}\n"
        "forces:\n"
        "  - {name: pad, on: block, type: friction, law: stiction, level: 1}\n"
        "  - {name: motor, on: shaft, type: torque, value: 1}\n"
        "  - {name: rope, ratio: {block: 1, shaft: -0.1}, type: spring, stiffness: 1}\n"
        "  - {name: gear, ratio: {arm.elbow: 1, shaft: -2}, type: spring, stiffness: 1}\n");
    wanted_unit wanted[] = {{"pad.level", "N", 0},
                            {"pad.level.viscous", "Ns/m", 0},
                            {"pad.stiffness", "N/m", 0},
                            {"motor.value", "Nm", 0},
                            {"rope.stiffness", "N/m", 0},
                            {"gear.stiffness", "Nm/rad", 0},
                            {"gear.damping", "Nms/rad", 0},
                            {"arm.elbow.spring.rest", "rad", 0},
                            {"arm.elbow.friction.level", "Nm", 0},
                            {"arm.elbow.friction.level.stribeck_velocity", "rad/s", 0},
                            {"arm.elbow.friction.level.viscous", "Nms/rad", 0},
                            {"arm.elbow.servo.proportional", "Nm/rad", 0},
                            {"arm.elbow.servo.integral", "Nm/(rad s)", 0},
                            {"arm.elbow.servo.reference", "rad", 0},
                            {NULL, NULL, 0}};
    hf_model_parameters(model, compare_unit, wanted);
    for (const wanted_unit *w = wanted; w->name != NULL; ++w) {
        if (w->found != 1) {
            fail_msg("%s was listed %d times", w->name, w->found);
        }
        double number = NAN;
        hf_error error = {0};
        if (hf_model_get_parameter(model, w->name, &number, &error) < 0) {
            fail_msg("%s", error.text); // also where a body's name begins the force's
        }
    }
    hf_model_destroy(model);
}

// A sim whose parameters were set at t = 0 is the sim of the machine with these parameters, to the
// bit, and its neighbour with the same model is not touched.
static void at_the_start(void **state)
{
    (void)state;
    hf_model *model = block_model("rk4", "1e-3", "stiction", ", stiffness: 1e4, damping: 200");
    hf_model *wanted = model_of("method: {type: rk4, step: 1e-3}\n"
                                "gravity: [0, 0, -1]\n"
                                "bodies:\n"
                                "  block: {type: mass, dim: 1, mass: 3}\n"
                                "signals: {pull: \"12*sin(2*t)\"}\n"
                                "forces:\n"
                                "  - {name: pull-force, on: block, type: force, value: pull}\n"
                                "  - {name: floor, on: block, type: friction, law: stiction,\n"
                                "     level: {kinetic: 5, static: 5, viscous: 0.5},\n"
                                "     stiffness: 2e4, damping: 200}\n");
    const char *const names[] = {"block.mass", "floor.level", "floor.level.viscous",
                                 "floor.stiffness", "gravity.z"};
    const double numbers[] = {3.0, 5.0, 0.5, 2e4, -1.0};
    hf_error error = {0};
    hf_sim *sim = sim_from(model, NULL), *want = sim_from(wanted, NULL);
    hf_sim *beside = sim_from(model, NULL), *plain = sim_from(model, NULL);
    int count = 0;
    hf_model_parameters(model, count_one, &count);
    assert_int_equal(count, 3 + 1 + 8); // gravity, mass; level and 5 of it, stiffness, damping
    if (hf_sim_set_parameters(sim, names, numbers, 5, &error) < 0) {
        fail_msg("%s", error.text);
    }
    for (int i = 0; i < 5; ++i) {
        hf_check_same_bits(parameter(sim, names[i]), numbers[i], names[i]);
    }
    for (int k = 0; k < 2000; ++k) {
        step(sim);
        step(want);
        step(beside);
        step(plain);
        hf_check_same_bits(hf_sim_positions(sim)[0], hf_sim_positions(want)[0], "position");
    }
    hf_check_same_bits(hf_sim_positions(beside)[0], hf_sim_positions(plain)[0], "the neighbour");
    hf_check_same_bits(parameter(beside, "floor.level"), 4.0, "the neighbour's level");
    hf_check_near(hf_sim_energy(sim).residual, hf_sim_energy(want).residual, 1e-12, "residual",
                  "the machine written so");
    hf_sim_destroy(sim);
    hf_sim_destroy(want);
    hf_sim_destroy(beside);
    hf_sim_destroy(plain);
    hf_model_destroy(model);
    hf_model_destroy(wanted);
}

// In the middle of a run, by every method: state kept, ledger balanced, and a level that is raised
// stops the block.
static void in_a_run(void **state)
{
    (void)state;
    const char *const methods[] = {"rk4", "rk4-tau", "discrete", "adaptive", "timestep", "switch"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; ++i) {
        bool exact = i >= 4;
        hf_model *model = block_model(methods[i], "1e-3", exact ? "coulomb" : "stiction",
                                      exact ? "" : ", stiffness: 1e5, damping: 200");
        hf_sim *sim = sim_from(model, NULL);
        assert_int_equal(advance(sim, 0.7, false), HF_OK);
        double q = hf_sim_positions(sim)[0], v = hf_sim_velocities(sim)[0];
        assert_true(v > 0.5);
        set(sim, "floor.level", 40.0);
        hf_check_same_bits(hf_sim_positions(sim)[0], q, "position");
        hf_check_same_bits(hf_sim_velocities(sim)[0], v, "velocity");
        hf_check_near(hf_sim_time(sim), 0.7, 1e-15, "time", "until");
        assert_int_equal(advance(sim, 1.2, false), HF_OK);
        hf_check_near(hf_sim_velocities(sim)[0], 0.0, 1e-3, "velocity", "40 N hold 12 N");
        set(sim, "block.mass", 7.0);
        assert_int_equal(advance(sim, 2.0, false), HF_OK);
        hf_energy energy = hf_sim_energy(sim);
        hf_check_below(fabs(energy.residual), 2e-2 * energy.turnover, "residual", "the ledger");
        // Saved states carry on with the same numbers only
        size_t size = hf_sim_save_size(sim);
        void *saved = malloc(size);
        assert_non_null(saved);
        hf_error error = {0};
        hf_sim_save(sim, saved);
        assert_int_equal(hf_sim_restore(sim, saved, size, &error), HF_OK);
        hf_sim *fresh = sim_from(model, NULL);
        assert_int_equal(hf_sim_restore(fresh, saved, size, &error), HF_ERROR_STATE);
        free(saved);
        hf_sim_destroy(fresh);
        hf_sim_destroy(sim);
        hf_model_destroy(model);
    }
}

// What a file may not say is refused with the same words, and changes nothing.
static void refused(void **state)
{
    (void)state;
    hf_model *model = block_model("rk4", "1e-3", "stiction", ", stiffness: 1e4, damping: 200");
    hf_sim *sim = sim_from(model, NULL);
    static const struct {
        const char *name;
        double number;
        hf_status status;
        const char *text;
    } cases[] = {
        {"block.mass", 0.0, HF_ERROR_RANGE, "mass 'block': mass must be positive, got 0 kg"},
        {"floor.stiffness", -1.0, HF_ERROR_RANGE, "force 'floor': law 'stiction': stiffness"},
        {"floor.level.static", 1.0, HF_ERROR_RANGE, "level"},
        {"floor.level", NAN, HF_ERROR_RANGE, "must be finite"},
        {"floor.colour", 1.0, HF_ERROR_NAME, "it has level, level.kinetic"},
        {"flor.level", 1.0, HF_ERROR_NAME, "no body, force or signal"},
        {"mass", 1.0, HF_ERROR_NAME, "as in block.mass"},
        {"block.", 1.0, HF_ERROR_NAME, "it has mass"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_error error = {0};
        assert_int_equal(hf_sim_set_parameter(sim, cases[i].name, cases[i].number, &error),
                         cases[i].status);
        if (strstr(error.text, cases[i].text) == NULL) {
            fail_msg("expected '%s' in '%s'", cases[i].text, error.text);
        }
        assert_ptr_equal(hf_sim_model(sim), model);
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// A file that was read again with another number of its own: state and time stay, what is set
// behind it counts, and the run goes on as that of a sim that had these numbers. Another machine is
// refused.
static void another_model(void **state)
{
    (void)state;
    hf_model *four = block_model("rk4", "1e-3", "stiction", ", stiffness: 1e5, damping: 200");
    hf_model *soft = block_model("rk4", "1e-3", "stiction", ", stiffness: 5e4, damping: 100");
    hf_model *other = block_model("rk4", "1e-3", "dahl", ", stiffness: 1e5");
    hf_sim *sim = sim_from(four, NULL), *twin = sim_from(four, NULL);
    const char *const names[] = {"block.mass"};
    const double mass[] = {3.0};
    hf_error error = {0};
    assert_int_equal(advance(sim, 0.7, false), HF_OK);
    assert_int_equal(advance(twin, 0.7, false), HF_OK);
    double before = value(sim, "block.position");
    assert_int_equal(hf_sim_set_model(sim, soft, names, mass, 1, &error), HF_OK);
    hf_model_destroy(soft); // is not kept
    hf_check_same_bits(value(sim, "block.position"), before, "position");
    hf_check_same_bits(parameter(sim, "floor.stiffness"), 5e4, "stiffness");
    hf_check_same_bits(parameter(sim, "block.mass"), 3.0, "mass");
    set(twin, "floor.stiffness", 5e4);
    set(twin, "floor.damping", 100.0);
    set(twin, "block.mass", 3.0);
    assert_int_equal(advance(sim, 2.0, false), HF_OK);
    assert_int_equal(advance(twin, 2.0, false), HF_OK);
    hf_check_same_bits(value(sim, "block.position"), value(twin, "block.position"), "position");
    assert_int_equal(hf_sim_set_model(sim, other, NULL, NULL, 0, &error), HF_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "create another sim"));
    hf_check_same_bits(parameter(sim, "floor.stiffness"), 5e4, "stiffness after a refusal");
    hf_sim_destroy(sim);
    hf_sim_destroy(twin);
    hf_model_destroy(four);
    hf_model_destroy(other);
}

int main(void)
{
    const struct CMUnitTest live[] = {
        cmocka_unit_test(any_time), cmocka_unit_test(whole_steps),   cmocka_unit_test(events),
        cmocka_unit_test(views),    cmocka_unit_test(linearization), cmocka_unit_test(set_valued),
        cmocka_unit_test(units),    cmocka_unit_test(at_the_start),  cmocka_unit_test(in_a_run),
        cmocka_unit_test(refused),  cmocka_unit_test(another_model),
    };
    return hf_run_tests(live);
}
