// SPDX-License-Identifier: Apache-2.0
// Inputs, driven bodies, signals with a life of their own, normal forces, states set by the caller.
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machines.h"

#include <holdfast/sim.h>

static hf_sim *open_sim(const hf_model *model)
{
    hf_error error = {0};
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    if (sim == NULL) {
        fail_msg("%s", error.text);
    }
    return sim;
}

static void run_to(hf_sim *sim, double end)
{
    hf_error error = {0};
    while (hf_sim_time(sim) < end - 1e-9) {
        if (hf_sim_step(sim, &error) != HF_OK) {
            fail_msg("%s", error.text);
        }
    }
}

static double value(hf_sim *sim, const char *name)
{
    hf_channel channel = hf_model_find_channel(hf_sim_model(sim), name);
    if (channel.id == 0) {
        fail_msg("no channel '%s'", name);
    }
    return hf_sim_value(sim, channel);
}

static int add_mass(hf_machine *m, const char *name, double mass, double position, double velocity)
{
    hf_part *part = hf_machine_add(m, HF_PART_MASS, name);
    part->mass.dim = 1;
    part->mass.mass = mass;
    part->mass.position[0] = position;
    part->mass.velocity[0] = velocity;
    return hf_machine_index(m, part);
}

static hf_part *add_force(hf_machine *m, const char *name, hf_law_type law, int on, int to)
{
    hf_part *part = hf_machine_add(m, HF_PART_FORCE, name);
    part->force.law = law;
    part->on = on;
    part->to = to;
    if (hf_law_info_get(law) != NULL) {
        hf_law_info_get(law)->set_default(&part->law);
    }
    return part;
}

static int add_function(hf_machine *m, const char *name, double (*function)(void *, double))
{
    hf_part *part = hf_machine_add(m, HF_PART_SIGNAL, name);
    part->signal.type = HF_SIGNAL_FUNCTION;
    part->signal.function = function;
    return hf_machine_index(m, part);
}

// ------------------------------------------------------------------------------------------------
// Inputs

// A mass pushed by an input: constant over each step, so that RK4 is exact.
static void inputs(void **state)
{
    (void)state;
    hf_machine m = hf_machine_create();
    m.method.step = 0.01;
    int a = add_mass(&m, "a!", 2.0, 0.0, 0.0);
    hf_part *input = hf_machine_add(&m, HF_PART_SIGNAL, "push!");
    input->signal.type = HF_SIGNAL_INPUT;
    input->signal.value = 4.0;
    int signal = hf_machine_index(&m, input);
    add_force(&m, "motor!", HF_LAW_FORCE, a, -1)->signals[0] = signal;
    hf_model *model = hf_machine_compile(&m, NULL);
    hf_sim *sim = open_sim(model);
    run_to(sim, 1.0); // a = 2 m/s^2
    hf_check_near(value(sim, "a.position"), 1.0, 1e-13, "x(1)", "closed form");
    hf_check_near(value(sim, "push.value"), 4.0, 0.0, "input", "its first value");
    hf_sim_set_input(sim, hf_model_find_signal(model, "push"), -8.0);
    hf_check_near(value(sim, "push.value"), -8.0, 0.0, "input", "set now");
    hf_check_near(value(sim, "motor.force"), -8.0, 0.0, "force", "the input, on the mass");
    run_to(sim, 2.0); // a = -4 m/s^2 from x = 1, v = 2
    hf_check_near(value(sim, "a.position"), 1.0, 1e-12, "x(2)", "closed form");
    hf_check_near(value(sim, "a.velocity"), -2.0, 1e-12, "v(2)", "closed form");
    hf_energy energy = hf_sim_energy(sim);
    hf_check_near(energy.input, 0.5 * 2.0 * 4.0, 1e-12, "work put in", "kinetic energy gained");
    hf_check_near(energy.residual, 0.0, 1e-13, "residual", "energy is conserved");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

typedef struct life {
    int opened, closed, released, refuse;
} life;

static void *life_open(void *context)
{
    life *l = context;
    if (l->refuse) {
        return NULL;
    }
    l->opened += 1;
    double *instance = malloc(sizeof *instance);
    *instance = 1.0;
    return instance;
}

static void life_close(void *instance)
{
    free(instance);
}

static void life_release(void *context)
{
    ((life *)context)->released += 1;
}

static double life_value(void *instance, double t)
{
    return *(double *)instance * t;
}

// One instance a sim; the context is released once, by the last that needs it.
static void lives_of_signals(void **state)
{
    (void)state;
    life l = {0};
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_signal_def def = hf_signal_def_default();
    def.name = "ramp";
    def.type = HF_SIGNAL_FUNCTION;
    def.function = life_value;
    def.open = life_open;
    def.close = life_close;
    def.release = life_release;
    def.context = &l;
    assert_true(hf_spec_add_signal(spec, &def, &error).id != 0);
    def.name = "ramp"; // taken: not added, so never released
    assert_int_equal(hf_spec_add_signal(spec, &def, &error).id, 0);
    hf_model *first = hf_model_compile(spec, &error), *second = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    assert_int_equal(l.released, 0);
    hf_sim *a = open_sim(first), *b = open_sim(first), *c = open_sim(second);
    assert_int_equal(l.opened, 3);
    l.refuse = 1;
    assert_null(hf_sim_create(first, NULL, &error));
    assert_non_null(strstr(error.text, "signal 'ramp'"));
    assert_int_equal(hf_sim_step(a, &error), HF_OK);
    hf_check_near(value(a, "ramp.value"), 1e-3, 1e-17, "signal", "its function");
    hf_sim_destroy(a);
    hf_sim_destroy(b);
    hf_model_destroy(first);
    assert_int_equal(l.released, 0);
    hf_sim_destroy(c);
    hf_model_destroy(second);
    assert_int_equal(l.released, 1);
}

// ------------------------------------------------------------------------------------------------
// Driven bodies

static double sway(void *context, double t)
{
    (void)context;
    return 0.3 * sin(5.0 * t);
}

static double sway_rate(void *context, double t)
{
    (void)context;
    return 1.5 * cos(5.0 * t);
}

typedef enum drive { BY_VELOCITY, BY_POSITION, BY_POSITION_AND_RATE } drive;

// A mass on a spring-damper whose other end sways. Returns the final state of the mass.
static void run_driven(drive how, double step, double end, double final[2], hf_energy *energy)
{
    hf_machine m = hf_machine_create();
    m.method.step = step;
    int place = add_function(&m, "place!", sway), rate = add_function(&m, "rate!", sway_rate);
    int a = add_mass(&m, "a!", 1.5, 0.2, 0.0);
    hf_part *driven = hf_machine_add(&m, HF_PART_DRIVEN, "end!");
    driven->driven.by_velocity = how == BY_VELOCITY;
    driven->driven.has_rate = how == BY_POSITION_AND_RATE;
    driven->signals[0] = how == BY_VELOCITY ? rate : place;
    driven->rate_signals[0] = how == BY_POSITION_AND_RATE ? rate : -1;
    int hand = hf_machine_index(&m, driven);
    hf_part *spring = add_force(&m, "spring!", HF_LAW_SPRING, a, hand);
    spring->law.spring = (hf_spring_def){.stiffness = 60.0, .damping = 2.0};
    hf_model *model = hf_machine_compile(&m, NULL);
    hf_sim *sim = open_sim(model);
    while (hf_sim_time(sim) < end - 1e-9) {
        run_to(sim, hf_sim_time(sim) + step);
        // What the driven body does is there at once, without an evaluation in between.
        hf_coordinate c = hf_model_find_coordinate(model, "end");
        double t = hf_sim_time(sim);
        double want = sway(NULL, t), want_rate = sway_rate(NULL, t);
        hf_check_near(hf_sim_q(sim, c), want, how == BY_VELOCITY ? 1e-7 : 1e-14, "end.position",
                      "its signal now");
        hf_check_near(hf_sim_v(sim, c), want_rate, how == BY_POSITION ? 1e-9 : 1e-13,
                      "end.velocity", "its signal now");
    }
    final[0] = value(sim, "a.position");
    final[1] = value(sim, "a.velocity");
    *energy = hf_sim_energy(sim);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// The three ways to say the same motion agree, and its power is in the ledger.
static void driven_bodies(void **state)
{
    (void)state;
    double finals[3][2];
    for (int how = 0; how < 3; ++how) {
        hf_energy energy;
        run_driven((drive)how, 1e-3, 2.0, finals[how], &energy);
        assert_true(energy.input > 0.1 && energy.dissipated > 0.1);
        hf_check_below(fabs(energy.residual), 1e-9 * energy.turnover, "residual",
                       "driven power is counted");
        hf_check_near(finals[how][0], finals[0][0], 1e-9, "a.position", "driven by velocity");
        hf_check_near(finals[how][1], finals[0][1], 1e-9, "a.velocity", "driven by velocity");
    }
}

// A function that is defined from t = 0 on is never asked about earlier times, nor beyond a jump.
static double square_root(void *context, double t)
{
    (void)context;
    return t < 0.5 ? 1.0 + t * sqrt(t) : 7.0 + 2.0 * t;
}

static void rate_of_a_function(void **state)
{
    (void)state;
    static const double jumps[] = {0.5};
    hf_machine m = hf_machine_create();
    m.method.step = 0.01;
    int place = add_function(&m, "place!", square_root);
    m.parts[place].signal.jumps = (hf_list){jumps, 1};
    hf_machine_add(&m, HF_PART_DRIVEN, "end!")->signals[0] = place;
    hf_model *model = hf_machine_compile(&m, NULL);
    hf_sim *sim = open_sim(model);
    assert_true(isfinite(value(sim, "end.velocity")));
    run_to(sim, 0.49);
    hf_check_near(value(sim, "end.velocity"), 1.5 * sqrt(0.49), 1e-9, "v(0.49)", "closed form");
    run_to(sim, 0.5);
    hf_check_near(value(sim, "end.velocity"), 2.0, 1e-9, "v(0.5)", "right of the jump");
    run_to(sim, 0.51);
    hf_check_near(value(sim, "end.velocity"), 2.0, 1e-9, "v(0.51)", "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static double fast(void *context, double t)
{
    (void)context;
    return sin(300.0 * t);
}

static void rate_of_a_fast_function(void **state)
{
    (void)state;
    hf_machine m = hf_machine_create();
    m.method.step = 0.5;
    hf_machine_add(&m, HF_PART_SIGNAL, "unused!")->signal.type = HF_SIGNAL_INPUT;
    int place = add_function(&m, "place!", fast);
    hf_machine_add(&m, HF_PART_DRIVEN, "end!")->signals[0] = place;
    hf_model *model = hf_machine_compile(&m, NULL);
    hf_sim *sim = open_sim(model);
    run_to(sim, 100.0);
    hf_check_near(value(sim, "end.velocity"), 300.0 * cos(300.0 * hf_sim_time(sim)), 1e-5, "v(100)",
                  "closed form");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// Normal forces

static double pressing(void *context, double t)
{
    (void)context;
    return fmax(0.0, 4.0 - 8.0 * t); // nothing after 0.5 s
}

// Sliding friction of 0.5 N on blocks pressed by 2 N: by a constant, a signal, and other forces.
static void normal_forces(void **state)
{
    (void)state;
    hf_machine m = hf_machine_create();
    m.method.step = 1e-3;
    m.gravity.z = -2.0;
    int press = add_function(&m, "press!", pressing);
    int ends[4];
    for (int i = 0; i < 4; ++i) {
        ends[i] = add_mass(&m, "a", 1.0, 0.0, 1.0);
    }
    // A weight of 2 N on a plane, and a spring pulled by 0.02 m at 100 N/m
    hf_part *ball = hf_machine_add(&m, HF_PART_RIGID, "ball!");
    ball->rigid.position.z = 0.1 - 2e-5;
    int ball_index = hf_machine_index(&m, ball);
    hf_part *floor = add_force(&m, "floor!", HF_LAW_CONTACT, ball_index, -1);
    floor->force.coupling = hf_coupling_def_default(HF_COUPLING_PLANE);
    floor->force.coupling.radius = 0.1;
    int floor_index = hf_machine_index(&m, floor);
    int weight = add_mass(&m, "weight!", 1e12, 0.02, 0.0);
    int spring_index = m.count;
    add_force(&m, "spring!", HF_LAW_SPRING, weight, -1)->law.spring.stiffness = 100.0;
    static const char *const names[] = {"by-constant!", "by-signal!", "by-contact!", "by-spring!"};
    const int normals[] = {-1, press, floor_index, spring_index};
    for (int i = 0; i < 4; ++i) {
        hf_part *rub = add_force(&m, names[i], HF_LAW_STICTION, ends[i], -1);
        rub->law.stiction.level = hf_level_coefficient(0.25);
        rub->normal = normals[i];
        rub->force.normal.value.constant = i == 0 ? 2.0 : 0.0;
    }
    hf_model *model = hf_machine_compile(&m, NULL);
    hf_sim *sim = open_sim(model);
    run_to(sim, 0.25);
    hf_check_near(value(sim, "by-constant.force"), -0.5, 1e-12, "force", "0.25 * 2 N");
    hf_check_near(value(sim, "by-signal.force"), -0.5, 1e-12, "force", "0.25 * (4 - 8 t) N");
    hf_check_near(value(sim, "floor.normal"), 2.0, 1e-6, "normal", "weight");
    hf_check_near(value(sim, "by-contact.force"), -0.25 * value(sim, "floor.normal"), 1e-15,
                  "force", "0.25 * normal of the contact");
    hf_check_near(value(sim, "by-spring.force"), -0.25 * 2.0, 1e-9, "force", "0.25 * spring");
    run_to(sim, 0.75);
    hf_check_near(value(sim, "by-signal.force"), 0.0, 0.0, "force", "no normal force");
    hf_check_near(value(sim, "by-signal.mode"), 2.0, 0.0, "mode", "open");
    hf_check_near(value(sim, "by-constant.mode"), 1.0, 0.0, "mode", "sliding forth");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------
// States set by the caller

static void set_states(void **state)
{
    (void)state;
    hf_machine machine = hf_machine_rich();
    hf_model *model = hf_machine_compile(&machine, NULL);
    hf_sim *sim = open_sim(model);
    hf_error error = {0};
    run_to(sim, 0.02);
    double before = hf_sim_energy(sim).residual;
    const double a[1] = {0.3};
    const double ball[7] = {0.1, 0.2, 0.5, 2.0, 0.0, 2.0, 1.0}; // not normalized
    const double spin[6] = {0.1, 0.2, 0.3, 4.0, 5.0, 6.0};
    const double knee[4] = {0.0, 3.0, 0.0, 4.0};
    hf_body body = hf_model_find_body(model, "ball"), link = hf_model_find_body(model, "arm.knee");
    assert_int_equal(hf_sim_set_position(sim, hf_model_find_body(model, "a"), a, &error), HF_OK);
    assert_int_equal(hf_sim_set_position(sim, body, ball, &error), HF_OK);
    assert_int_equal(hf_sim_set_velocity(sim, body, spin, &error), HF_OK);
    assert_int_equal(hf_sim_set_position(sim, link, knee, &error), HF_OK);
    hf_check_near(hf_sim_position(sim, body)[3], 2.0 / 3.0, 1e-15, "orientation.w", "normalized");
    hf_check_near(hf_sim_position(sim, link)[3], 0.8, 1e-15, "orientation.z", "normalized");
    hf_check_near(value(sim, "ball.angular_velocity.z"), 6.0, 0.0, "spin", "as set");
    hf_check_near(value(sim, "a.position"), 0.3, 0.0, "position", "as set");
    double scale = hf_sim_energy(sim).turnover;
    hf_check_near(hf_sim_energy(sim).residual, before, 1e-13 * scale, "residual",
                  "a new state moves the start, not the residual");
    run_to(sim, 0.04);
    // Bad ones
    const double bad[7] = {0.0, NAN, 0.0, 1.0, 0.0, 0.0, 0.0}, zero[7] = {0};
    double kept = value(sim, "ball.position.x");
    assert_int_equal(hf_sim_set_position(sim, body, bad, &error), HF_ERROR_RANGE);
    assert_non_null(strstr(error.text, "'ball'"));
    assert_int_equal(hf_sim_set_position(sim, body, zero, &error), HF_ERROR_RANGE);
    assert_int_equal(hf_sim_set_velocity(sim, body, bad, &error), HF_ERROR_RANGE);
    hf_check_same_bits(value(sim, "ball.position.x"), kept, "position after a refusal");
    assert_int_equal(hf_sim_set_position(sim, hf_model_find_body(model, "belt"), a, &error),
                     HF_ERROR_INPUT);
    assert_non_null(strstr(error.text, "'belt' is driven"));
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

// Without laws the ledger stays exact through changes of state.
static void ledger_keeps_its_residual(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(31);
    hf_machine m = hf_machine_create();
    m.gravity = (hf_vec3){0.5, 0.0, -9.8};
    (void)hf_machine_random_mass(&m, &rng, 3);
    int link = hf_machine_random_tree(&m, &rng, 3, true);
    hf_model *model = hf_machine_compile(&m, NULL);
    hf_sim *sim = open_sim(model);
    hf_error error = {0};
    char name[40];
    snprintf(name, sizeof name, "%s.%s", m.parts[m.parts[link].tree].name, m.parts[link].name);
    hf_body base = hf_model_find_body(model, name), mass = hf_model_find_body(model, "mass0");
    for (int i = 0; i < 5; ++i) {
        run_to(sim, hf_sim_time(sim) + 0.05);
        double numbers[7];
        for (int k = 0; k < 7; ++k) {
            numbers[k] = hf_rng_uniform(&rng, -1.0, 1.0);
        }
        assert_int_equal(hf_sim_set_position(sim, base, numbers, &error), HF_OK);
        assert_int_equal(hf_sim_set_velocity(sim, base, numbers, &error), HF_OK);
        assert_int_equal(hf_sim_set_velocity(sim, mass, numbers, &error), HF_OK);
        hf_energy energy = hf_sim_energy(sim);
        hf_check_below(fabs(energy.residual), 1e-9 * energy.turnover, "residual",
                       "what the caller changes is not the method's error");
    }
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs),
        cmocka_unit_test(lives_of_signals),
        cmocka_unit_test(driven_bodies),
        cmocka_unit_test(rate_of_a_function),
        cmocka_unit_test(rate_of_a_fast_function),
        cmocka_unit_test(normal_forces),
        cmocka_unit_test(set_states),
        cmocka_unit_test(ledger_keeps_its_residual),
    };
    return hf_run_tests(tests);
}
