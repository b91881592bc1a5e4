// SPDX-License-Identifier: Apache-2.0
// Sums of coordinates with factors: the wiring by finite differences and power, and machines with
// closed forms: a geared oscillator, a rope over a movable pulley, backlash, a differential.
#include <holdfast/adaptive.h>
#include <holdfast/contact.h>
#include <holdfast/coupling.h>
#include <holdfast/holdfast.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hf_test.h"
#include "sim/sim_data.h"

static const double G = 9.81;

typedef struct bench {
    hf_spec *spec;
    hf_model *model;
    hf_sim *sim;
} bench;

static hf_body add_mass(hf_spec *spec, const char *name, double mass, double position,
                        double velocity)
{
    hf_error error = {0};
    hf_mass_def def = hf_mass_def_default();
    def.name = name;
    def.dim = 1;
    def.mass = mass;
    def.position[0] = position;
    def.velocity[0] = velocity;
    hf_body body = hf_spec_add_mass(spec, &def, &error);
    assert_int_not_equal(body.id, 0);
    return body;
}

static void add_push(hf_spec *spec, const char *name, hf_body on, double value)
{
    hf_error error = {0};
    hf_force_def def = hf_force_def_default();
    def.name = name;
    def.law = HF_LAW_FORCE;
    def.coupling.on_coordinate.body = on;
    def.values[0].constant = value;
    assert_int_not_equal(hf_spec_add_force(spec, &def, &error).id, 0);
}

static hf_force_def ratio_def(const char *name, const hf_ratio_term *terms, int count,
                              hf_law_type law, const void *law_def)
{
    hf_force_def def = hf_force_def_default();
    def.name = name;
    def.law = law;
    def.def = law_def;
    def.coupling = hf_coupling_def_default(HF_COUPLING_RATIO);
    def.coupling.terms = terms;
    def.coupling.term_count = count;
    return def;
}

static void open_bench(bench *b, hf_method_type type, double step)
{
    hf_error error = {0};
    const hf_method_table *methods[] = {hf_adaptive_methods(), hf_contact_methods(), NULL};
    b->model = hf_model_compile(b->spec, &error);
    assert_non_null(b->model);
    hf_sim_def def = hf_sim_def_default(b->model);
    def.method = hf_method_def_default();
    def.method.type = type;
    def.method.step = step;
    if (type == HF_METHOD_ADAPTIVE) {
        def.method.rtol = def.method.atol = 1e-10;
    }
    for (int i = 0; methods[i] != NULL; ++i) {
        def.methods[i] = methods[i];
    }
    b->sim = hf_sim_create(b->model, &def, &error);
    if (b->sim == NULL) {
        fail_msg("%s", error.text);
    }
}

static void close_bench(bench *b)
{
    hf_sim_destroy(b->sim);
    hf_model_destroy(b->model);
    hf_spec_destroy(b->spec);
}

static void run(bench *b, double end)
{
    hf_error error = {0};
    while (hf_sim_time(b->sim) < end - 1e-9) {
        if (hf_sim_step(b->sim, &error) != HF_OK) {
            fail_msg("%s", error.text);
        }
    }
}

static double position_of(const bench *b, hf_body body)
{
    return b->sim->x[b->model->bodies[body.id - 1].q];
}

static double velocity_of(const bench *b, hf_body body)
{
    return b->sim->x[b->model->nq + b->model->bodies[body.id - 1].v];
}

// ------------------------------------------------------------------------------------------------

// rate = d gap/dt and u.v = -force.rate, with random factors, motions and forces.
static void wiring(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(20);
    for (int m = 0; m < 200; ++m) {
        bench b = {.spec = hf_spec_create()};
        hf_ratio_term terms[HF_COUPLING_MAX_TERMS];
        int count = hf_rng_int(&rng, 1, HF_COUPLING_MAX_TERMS);
        for (int i = 0; i < count; ++i) {
            char name[16];
            (void)snprintf(name, sizeof name, "m%d", i);
            terms[i].coordinate = (hf_coordinate){.body = add_mass(b.spec, name, 1.0, 0.0, 0.0)};
            terms[i].factor = hf_rng_uniform(&rng, -3.0, 3.0);
        }
        hf_error error = {0};
        hf_force_def def = ratio_def("sum", terms, count, HF_LAW_FORCE, NULL);
        def.values[0].constant = hf_rng_uniform(&rng, -5.0, 5.0);
        assert_int_not_equal(hf_spec_add_force(b.spec, &def, &error).id, 0);
        open_bench(&b, HF_METHOD_EULER, 1e-3);
        double *x = b.sim->x, *v = x + b.model->nq, gap[2], rate = 0.0, power = 0.0;
        for (int i = 0; i < 2 * count; ++i) {
            x[i] = hf_rng_uniform(&rng, -1.0, 1.0);
        }
        hf_sim_eval(b.sim, 0.0, HF_SIDE_AT, 0.0, x, b.sim->slope);
        rate = b.sim->rate[0];
        for (int i = 0; i < count; ++i) {
            power += b.sim->u[i] * v[i];
        }
        hf_check_near(power, -b.sim->force[0] * rate, 1e-12, "power on the bodies",
                      "-force.rate of the coupling");
        for (int side = 0; side < 2; ++side) {
            for (int i = 0; i < count; ++i) {
                x[i] += (side == 0 ? -1e-5 : 2e-5) * v[i];
            }
            hf_sim_eval(b.sim, 0.0, HF_SIDE_AT, 0.0, x, b.sim->slope);
            gap[side] = b.sim->gap[0];
        }
        hf_check_near(rate, (gap[1] - gap[0]) / 2e-5, 1e-8 * (1.0 + fabs(rate)), "rate",
                      "central difference of the gap");
        close_bench(&b);
    }
}

// e = a - n b,  e'' = -k (1/m_a + n^2/m_b) e
static void geared_oscillator(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(21);
    for (int m = 0; m < 20; ++m) {
        double n = hf_rng_uniform(&rng, 0.5, 8.0), k = hf_rng_uniform(&rng, 10.0, 90.0);
        double ma = hf_rng_uniform(&rng, 0.5, 2.0), mb = hf_rng_uniform(&rng, 5.0, 50.0);
        double start = hf_rng_uniform(&rng, 0.1, 1.0), end = 2.0;
        bench b = {.spec = hf_spec_create()};
        hf_body a = add_mass(b.spec, "a", ma, start, 0.0), c = add_mass(b.spec, "b", mb, 0.0, 0.0);
        const hf_ratio_term terms[] = {{{a, 0}, 1.0}, {{c, 0}, -n}};
        hf_spring_def spring = hf_spring_def_default();
        spring.stiffness = k;
        hf_error error = {0};
        hf_force_def def = ratio_def("gear", terms, 2, HF_LAW_SPRING, &spring);
        assert_int_not_equal(hf_spec_add_force(b.spec, &def, &error).id, 0);
        open_bench(&b, m % 2 == 0 ? HF_METHOD_RK4 : HF_METHOD_ADAPTIVE, 1e-3);
        run(&b, end);
        double inverse = 1.0 / ma + n * n / mb, e = start * cos(sqrt(k * inverse) * end);
        double moved = (e - start) / inverse; // n m_a a' + m_b b' = 0
        hf_check_near(position_of(&b, a), start + moved / ma, 2e-6, "a(2 s)", "closed form");
        hf_check_near(position_of(&b, c), -n * moved / mb, 2e-6, "b(2 s)", "closed form");
        close_bench(&b);
    }
}

static const hf_method_type EXACT[] = {HF_METHOD_EULER, HF_METHOD_DISCRETE, HF_METHOD_TIMESTEP,
                                       HF_METHOD_SWITCH};
enum { EXACT_COUNT = 4 };

// A rope from mass a over a fixed pulley, around a movable one that carries mass b: a + 2 b stays.
// Friction of the fixed pulley acts along a.
static bench pulleys(double ma, double mb, double axle, hf_method_type type, double step,
                     hf_body bodies[2])
{
    bench b = {.spec = hf_spec_create()};
    hf_error error = {0};
    bodies[0] = add_mass(b.spec, "a", ma, 1.0, 0.0);
    bodies[1] = add_mass(b.spec, "b", mb, 2.0, 0.0);
    add_push(b.spec, "weight-a", bodies[0], -ma * G);
    add_push(b.spec, "weight-b", bodies[1], -mb * G);
    const hf_ratio_term terms[] = {{{bodies[0], 0}, 1.0}, {{bodies[1], 0}, 2.0}};
    hf_coulomb_def rope = hf_coulomb_def_default(), bearing = hf_coulomb_def_default();
    rope.level = hf_level_coulomb(1e4);
    bearing.level = hf_level_coulomb(axle);
    hf_force_def def = ratio_def("rope", terms, 2, HF_LAW_COULOMB, &rope);
    assert_int_not_equal(hf_spec_add_force(b.spec, &def, &error).id, 0);
    def = hf_force_def_default();
    def.name = "axle";
    hf_force_use_coulomb(&def, &bearing);
    def.coupling.on_coordinate.body = bodies[0];
    assert_int_not_equal(hf_spec_add_force(b.spec, &def, &error).id, 0);
    open_bench(&b, type, step);
    return b;
}

// (2 m_a + m_b/2) a'' = (m_b - 2 m_a) g -+ 2 F
static void pulleys_move(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(22);
    for (int m = 0; m < 5 * EXACT_COUNT; ++m) {
        hf_body bodies[2];
        double ma = hf_rng_uniform(&rng, 1.0, 2.0), mb = 2.0 * ma + hf_rng_uniform(&rng, 0.5, 2.0);
        double drive = (mb - 2.0 * ma) * G, axle = 0.5 * hf_rng_uniform(&rng, 0.1, 0.9) * drive;
        double step = 1e-3, end = 0.5;
        bench b = pulleys(ma, mb, axle, EXACT[m % EXACT_COUNT], step, bodies);
        run(&b, end);
        double up = (drive - 2.0 * axle) / (2.0 * ma + 0.5 * mb);
        double slack = EXACT[m % EXACT_COUNT] == HF_METHOD_SWITCH ? 1e-6 : 1.1 * up * step * end;
        hf_check_near(position_of(&b, bodies[0]), 1.0 + 0.5 * up * end * end, slack, "a",
                      "closed form");
        hf_check_near(velocity_of(&b, bodies[0]), up * end, 1e-6, "a'", "closed form");
        hf_check_near(position_of(&b, bodies[0]) + 2.0 * position_of(&b, bodies[1]), 5.0, 1e-12,
                      "length of the rope", "5 m");
        close_bench(&b);
    }
}

// |m_b - 2 m_a| g/2 < F: nothing moves, to the bit.
static void pulleys_hold(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(23);
    for (int m = 0; m < 5 * EXACT_COUNT; ++m) {
        hf_body bodies[2];
        double ma = hf_rng_uniform(&rng, 1.0, 2.0), mb = hf_rng_uniform(&rng, 1.0, 4.0);
        double axle = 0.55 * fabs(mb - 2.0 * ma) * G + 0.1;
        bench b = pulleys(ma, mb, axle, EXACT[m % EXACT_COUNT], 1e-3, bodies);
        run(&b, 1.0);
        assert_true(position_of(&b, bodies[0]) == 1.0 && position_of(&b, bodies[1]) == 2.0);
        assert_true(velocity_of(&b, bodies[0]) == 0.0 && velocity_of(&b, bodies[1]) == 0.0);
        close_bench(&b);
    }
}

// Backlash: a stop with two ends. a flies through the play and takes b along:
//   b' = n m_a v/(n^2 m_a + m_b),  a' = n b'
static void backlash(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(24);
    for (int m = 0; m < 10; ++m) {
        double n = hf_rng_uniform(&rng, 0.5, 5.0), v = hf_rng_uniform(&rng, 0.5, 2.0);
        double ma = hf_rng_uniform(&rng, 0.5, 2.0), mb = hf_rng_uniform(&rng, 0.5, 20.0);
        bench b = {.spec = hf_spec_create()};
        hf_body a = add_mass(b.spec, "a", ma, 0.0, v), c = add_mass(b.spec, "b", mb, 0.0, 0.0);
        const hf_ratio_term terms[] = {{{a, 0}, 1.0}, {{c, 0}, -n}};
        hf_stop_def play = hf_stop_def_default();
        play.low = -0.05;
        play.high = 0.05;
        hf_error error = {0};
        hf_force_def def = ratio_def("play", terms, 2, HF_LAW_STOP, &play);
        assert_int_not_equal(hf_spec_add_force(b.spec, &def, &error).id, 0);
        open_bench(&b, HF_METHOD_TIMESTEP, 1e-3);
        run(&b, 0.5);
        double after = n * ma * v / (n * n * ma + mb);
        hf_check_near(velocity_of(&b, c), after, 1e-9, "b'", "closed form");
        hf_check_near(velocity_of(&b, a), n * after, 1e-9, "a'", "closed form");
        hf_check_near(position_of(&b, a) - n * position_of(&b, c), 0.05, v * 1e-3, "play",
                      "its end");
        close_bench(&b);
    }
}

// Two wheels and a shaft: (l + r)/2 = s held by a friction far below its level.
//   s'' = T/J_s - f/J_s,  f = T/J_s / (1/J_s + (1/J_l + 1/J_r)/4)
static void differential(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(25);
    for (int m = 0; m < 5 * EXACT_COUNT; ++m) {
        double j[3], push = hf_rng_uniform(&rng, 1.0, 5.0), end = 0.5;
        bench b = {.spec = hf_spec_create()};
        hf_body bodies[3];
        const char *const names[] = {"left", "right", "shaft"};
        const double factors[] = {0.5, 0.5, -1.0};
        hf_ratio_term terms[3];
        for (int i = 0; i < 3; ++i) {
            j[i] = hf_rng_uniform(&rng, 0.5, 2.0);
            bodies[i] = add_mass(b.spec, names[i], j[i], 0.0, 0.0);
            terms[i] = (hf_ratio_term){{bodies[i], 0}, factors[i]};
        }
        add_push(b.spec, "engine", bodies[2], push);
        hf_coulomb_def gears = hf_coulomb_def_default();
        gears.level = hf_level_coulomb(1e3);
        hf_error error = {0};
        hf_force_def def = ratio_def("gears", terms, 3, HF_LAW_COULOMB, &gears);
        assert_int_not_equal(hf_spec_add_force(b.spec, &def, &error).id, 0);
        open_bench(&b, EXACT[m % EXACT_COUNT], 1e-3);
        run(&b, end);
        double f = push / j[2] / (1.0 / j[2] + 0.25 * (1.0 / j[0] + 1.0 / j[1]));
        for (int i = 0; i < 3; ++i) {
            double rate = ((i == 2 ? push : 0.0) - (i == 2 ? f : -0.5 * f)) / j[i];
            hf_check_near(velocity_of(&b, bodies[i]), rate * end, 1e-7, names[i], "closed form");
        }
        close_bench(&b);
    }
}

// ------------------------------------------------------------------------------------------------

static void refused(void **state)
{
    (void)state;
    bench b = {.spec = hf_spec_create()};
    hf_body a = add_mass(b.spec, "a", 1.0, 0.0, 0.0);
    const hf_ratio_term zero[] = {{{a, 0}, 0.0}}, twice[] = {{{a, 0}, 1.0}, {{a, 0}, 2.0}};
    const hf_ratio_term nowhere[] = {{{{7}, 0}, 1.0}}, nan[] = {{{a, 0}, (double)NAN}};
    const struct {
        const hf_ratio_term *terms;
        int count;
        const char *text;
    } cases[] = {{zero, 1, "other than zero"}, {twice, 2, "twice"},  {nowhere, 1, "no such body"},
                 {nan, 1, "other than zero"},  {NULL, 0, "1 to 16"}, {twice, 17, "1 to 16"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        hf_error error = {0};
        hf_force_def def = ratio_def("r", cases[i].terms, cases[i].count, HF_LAW_FORCE, NULL);
        assert_int_equal(hf_spec_add_force(b.spec, &def, &error).id, 0);
        assert_non_null(strstr(error.text, cases[i].text));
    }
    hf_spec_destroy(b.spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wiring),       cmocka_unit_test(geared_oscillator),
        cmocka_unit_test(pulleys_move), cmocka_unit_test(pulleys_hold),
        cmocka_unit_test(backlash),     cmocka_unit_test(differential),
        cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
