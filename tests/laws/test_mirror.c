// SPDX-License-Identifier: Apache-2.0
// What every law of friction owes to space, whatever its equations are: seen in a mirror it is the
// law with its sides exchanged, and turned by a right angle it is turned with the motion. Neither
// is written in the laws, so a sign, a side or an index that is wrong in one of them shows here.
#include <stdio.h>

#include "laws_test.h"

enum { STATES = 64, ROUNDS = 400 };

typedef union any_def {
    char bytes[2048];
    double align;
} any_def;

// A motion, with the memory of the law.
typedef struct motion {
    double gap[3], rate[3], applied[3], y[STATES];
    double normal, tau;
    hf_regime regime;
} motion;

static hf_law_in input_of(const motion *m)
{
    return (hf_law_in){.gap = m->gap,
                       .rate = m->rate,
                       .y = m->y,
                       .normal = m->normal,
                       .tau = m->tau,
                       .regime = m->regime,
                       .mass = 2.0,
                       .applied = m->applied,
                       .step = 1e-3};
}

static motion random_motion(hf_rng *rng, int dim)
{
    motion m = {.normal = hf_rng_uniform(rng, 0.1, 3.0),
                .tau = hf_rng_bool(rng) ? 0.0 : 1e-3,
                .regime = hf_rng_bool(rng) ? HF_REGIME_STICK : HF_REGIME_SLIP};
    for (int i = 0; i < dim; i++) {
        double sign = hf_rng_bool(rng) ? -1.0 : 1.0;
        m.gap[i] = hf_rng_uniform(rng, -1e-4, 1e-4);
        m.rate[i] = sign * hf_rng_log_uniform(rng, 1e-5, 1.0);
        m.applied[i] = hf_rng_uniform(rng, -4.0, 4.0);
    }
    return m;
}

// Levels that differ forth and back, in every level that the definition has.
static void put_levels(const hf_law_info *law, any_def *def, int dim, bool mirrored)
{
    for (int k = 0; k < law->param_count; k++) {
        if (law->params[k].kind != HF_PARAM_LEVEL)
            continue;
        hf_level level;
        memcpy(&level, def->bytes + law->params[k].offset, sizeof level);
        for (int side = 0; side < 2; side++) {
            double more = dim == 1 && side == (mirrored ? HF_FORTH : HF_BACK) ? 1.4 : 1.0;
            level.kinetic[side] = 0.5 * more;
            level.peak[side] = 0.6 * more;
            level.stribeck[side] = 0.02 * more;
            level.viscous[side] = 0.1 * more;
        }
        memcpy(def->bytes + law->params[k].offset, &level, sizeof level);
    }
}

// The definition as it is, and with its sides exchanged; false: the law has no such numbers.
static bool make_defs(const hf_law_info *law, int dim, any_def *def, any_def *mirrored)
{
    hf_fault fault;
    law->set_default(def);
    law->set_default(mirrored);
    put_levels(law, def, dim, false);
    put_levels(law, mirrored, dim, true);
    return law->check(def, dim, &fault) == HF_OK && law->check(mirrored, dim, &fault) == HF_OK;
}

// Memories that the law itself can come to: some steps of a random motion from rest.
static void remember(const hf_law_info *law, const any_def *def, int dim, hf_rng *rng, motion *m)
{
    double dy[STATES], force[HF_LAW_MAX_DIM];
    int states = law->state_count(def, dim);
    hf_law_in in = input_of(m);
    if (law->start != NULL)
        law->start(def, dim, &in, m->y);
    for (int step = 0; step < 20; step++) {
        hf_law_out out = {.force = force, .dy = dy};
        in = input_of(m);
        law->eval(def, dim, &in, &out);
        double fastest = 1.0;
        for (int i = 0; i < states; i++)
            fastest = fmax(fastest, fabs(dy[i]));
        for (int i = 0; i < states; i++)
            m->y[i] += hf_rng_uniform(rng, 0.0, 1e-5) / fastest * dy[i];
        in = input_of(m);
        if (law->accept != NULL)
            law->accept(def, dim, &in, m->y);
    }
}

static void compare(const hf_law_info *law, const char *what, double got, double want, double size)
{
    char text[120];
    (void)snprintf(text, sizeof text, "%s: %s", law->name, what);
    hf_check_near(got, want, 1e-9 * (1.0 + size), text, "the mirror or the turn");
}

// The same motion in a mirror, with the sides exchanged.
static void sides_are_mirrored(void **state)
{
    (void)state;
    int seen = 0;
    for (int t = HF_LAW_FORCE + 1; t < HF_LAW_TYPE_COUNT; t++) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)t);
        any_def def, mirrored;
        // Armstrong's memory has times in it, which a mirror leaves as they are.
        if (law->kind != HF_KIND_FRICTION || law->type == HF_LAW_ARMSTRONG ||
            !make_defs(law, 1, &def, &mirrored))
            continue;
        seen++;
        hf_rng rng = hf_rng_create(100 + (unsigned)t);
        for (int round = 0; round < ROUNDS; round++) {
            motion m = random_motion(&rng, 1);
            remember(law, &def, 1, &rng, &m);
            motion other = m;
            other.gap[0] = -m.gap[0];
            other.rate[0] = -m.rate[0];
            other.applied[0] = -m.applied[0];
            int states = law->state_count(&def, 1);
            for (int i = 0; i < states; i++)
                other.y[i] = -m.y[i];
            hf_law_in in = input_of(&m), seen_in = input_of(&other);
            evaluation a = evaluate(law->type, &def, 1, &in);
            evaluation b = evaluate(law->type, &mirrored, 1, &seen_in);
            compare(law, "force", b.force[0], -a.force[0], fabs(a.force[0]));
            for (int i = 0; i < states; i++)
                compare(law, "rate of a state", b.dy[i], -a.dy[i], fabs(a.dy[i]));
            compare(law, "stored energy", b.out.stored, a.out.stored, a.out.stored);
            compare(law, "heat", b.out.dissipated, a.out.dissipated, fabs(a.out.dissipated));
            assert_int_equal(a.out.regime, b.out.regime);
            assert_true(a.out.normal == 0.0 && b.out.normal == 0.0);
            assert_true(a.out.stored >= 0.0);
        }
    }
    assert_true(seen >= 12);
}

// One step of a law for a controller, by its name; `y` is its memory, whatever it is.
typedef double (*stepper)(const void *def, void *y, double velocity);

#define STEPPER(law, memory)                                                                       \
    static double step_##law(const void *def, void *y, double velocity)                            \
    {                                                                                              \
        return hf_##law##_step(def, (memory *)y, velocity, 1e-4);                                  \
    }
STEPPER(dahl, hf_dahl)
STEPPER(lugre, hf_lugre)
STEPPER(gms, double)
STEPPER(leuven, double)
STEPPER(stiction, hf_stiction)

static double step_maxwell_slip(const void *def, void *y, double velocity)
{
    return hf_maxwell_slip_step(def, y, 1e-4 * velocity);
}

// The same walk and its mirror image, step by step.
static void steps_are_mirrored(void **state)
{
    (void)state;
    static const struct {
        hf_law_type law;
        stepper step;
    } steppers[] = {{HF_LAW_DAHL, step_dahl},         {HF_LAW_LUGRE, step_lugre},
                    {HF_LAW_GMS, step_gms},           {HF_LAW_LEUVEN, step_leuven},
                    {HF_LAW_STICTION, step_stiction}, {HF_LAW_MAXWELL_SLIP, step_maxwell_slip}};
    int seen = 0;
    for (size_t k = 0; k < sizeof steppers / sizeof *steppers; k++) {
        const hf_law_info *law = hf_law_info_get(steppers[k].law);
        any_def def, mirrored;
        double here[STATES] = {0.0}, there[STATES] = {0.0}, velocity = 0.0;
        double sum[2] = {0.0, 0.0}, count[2] = {0.0, 0.0};
        if (!make_defs(law, 1, &def, &mirrored)) {
            print_message("%s takes no such levels\n", law->name);
            continue;
        }
        seen++;
        hf_rng rng = hf_rng_create(300 + (unsigned)k);
        for (int i = 0; i < 4000; i++) {
            velocity = i % 200 == 0 ? (i % 400 == 0 ? 0.1 : -0.1) * hf_rng_uniform(&rng, 0.8, 1.0)
                                    : velocity;
            double f = steppers[k].step(&def, here, velocity);
            double g = steppers[k].step(&mirrored, there, -velocity);
            compare(law, "force of a step", g, -f, fabs(f));
            if (i % 200 == 199) {
                sum[f < 0.0] += fabs(f);
                count[f < 0.0] += 1.0;
            }
        }
        // Which side is which: back has levels of 1.4 times those of forth (gms comes to it slowly)
        assert_true(count[0] == 10.0 && count[1] == 10.0);
        hf_check_near(sum[1] / sum[0], 1.35, 0.25, law->name, "levels back and forth");
    }
    assert_true(seen >= 4);
}

// What a law takes in, force times rate, it stores or turns into heat: stored' by differences along
// the rates of its states. Laws that are computed once a step book over the step.
static void power_is_booked(void **state)
{
    (void)state;
    int seen = 0;
    for (int t = HF_LAW_FORCE + 1; t < HF_LAW_TYPE_COUNT; t++) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)t);
        any_def def, unused;
        if (law->kind != HF_KIND_FRICTION || law->needs_applied || law->type == HF_LAW_ARMSTRONG ||
            !make_defs(law, 1, &def, &unused))
            continue;
        seen++;
        hf_rng rng = hf_rng_create(400 + (unsigned)t);
        for (int round = 0; round < ROUNDS; round++) {
            motion m = random_motion(&rng, 1);
            m.tau = 0.0;
            if (law->admits != NULL && !law->admits(&def, 0.0))
                m.tau = 1e-3;
            remember(law, &def, 1, &rng, &m);
            hf_law_in in = input_of(&m);
            evaluation now = evaluate(law->type, &def, 1, &in);
            motion ahead = m, behind = m;
            const double h = 1e-7;
            for (int i = 0; i < law->state_count(&def, 1); i++) {
                ahead.y[i] += h * now.dy[i];
                behind.y[i] -= h * now.dy[i];
            }
            hf_law_in in_ahead = input_of(&ahead), in_behind = input_of(&behind);
            double storing = (evaluate(law->type, &def, 1, &in_ahead).out.stored -
                              evaluate(law->type, &def, 1, &in_behind).out.stored) /
                             (2.0 * h);
            double power = now.force[0] * m.rate[0];
            double size = fabs(power) + fabs(storing) + fabs(now.out.dissipated);
            compare(law, "power", storing + now.out.dissipated, power, 1e5 * size);
        }
    }
    assert_true(seen >= 8);
}

// Where nothing presses, nothing rubs: no force, no heat, no state that moves, and it is open.
static void nothing_pressed_rubs_not(void **state)
{
    (void)state;
    for (int t = HF_LAW_FORCE + 1; t < HF_LAW_TYPE_COUNT; t++) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)t);
        any_def def;
        hf_fault fault;
        if (law->kind != HF_KIND_FRICTION || law->type == HF_LAW_ARMSTRONG)
            continue;
        law->set_default(&def);
        for (int k = 0; k < law->param_count; k++) {
            const hf_level level = hf_level_coefficient(0.3);
            if (law->params[k].kind == HF_PARAM_LEVEL)
                memcpy(def.bytes + law->params[k].offset, &level, sizeof level);
        }
        hf_rng rng = hf_rng_create(500 + (unsigned)t);
        motion m = random_motion(&rng, 1);
        m.normal = 0.0;
        if (law->check(&def, 1, &fault) != HF_OK || law->needs_applied)
            continue;
        hf_law_in in = input_of(&m);
        evaluation e = evaluate(law->type, &def, 1, &in);
        compare(law, "force under no load", e.force[0], 0.0, 0.0);
        compare(law, "heat under no load", e.out.dissipated, 0.0, 0.0);
        assert_int_equal(e.out.regime, HF_REGIME_OPEN);
        for (int i = 0; i < law->state_count(&def, 1); i++)
            compare(law, "rate of a state under no load", e.dy[i], 0.0, 0.0);
    }
}

// A quarter turn of the plane: (x, y) becomes (-y, x), states of the law with it.
static void turn(double *v)
{
    double x = v[0];
    v[0] = -v[1];
    v[1] = x;
}

static void planes_are_turned(void **state)
{
    (void)state;
    int seen = 0;
    for (int t = HF_LAW_FORCE + 1; t < HF_LAW_TYPE_COUNT; t++) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)t);
        any_def def, unused;
        if (law->kind != HF_KIND_FRICTION || law->max_dim < 2 || !make_defs(law, 2, &def, &unused))
            continue;
        int states = law->state_count(&def, 2);
        if (states % 2 != 0)
            continue;
        seen++;
        hf_rng rng = hf_rng_create(200 + (unsigned)t);
        for (int round = 0; round < ROUNDS; round++) {
            motion m = random_motion(&rng, 2);
            remember(law, &def, 2, &rng, &m);
            motion other = m;
            turn(other.gap);
            turn(other.rate);
            turn(other.applied);
            for (int i = 0; i < states; i += 2)
                turn(other.y + i);
            hf_law_in in = input_of(&m), turned_in = input_of(&other);
            evaluation a = evaluate(law->type, &def, 2, &in);
            evaluation b = evaluate(law->type, &def, 2, &turned_in);
            turn(a.force);
            for (int i = 0; i < states; i += 2)
                turn(a.dy + i);
            for (int i = 0; i < 2; i++)
                compare(law, "force", b.force[i], a.force[i], fabs(a.force[i]));
            for (int i = 0; i < states; i++)
                compare(law, "rate of a state", b.dy[i], a.dy[i], fabs(a.dy[i]));
            compare(law, "stored energy", b.out.stored, a.out.stored, a.out.stored);
            compare(law, "heat", b.out.dissipated, a.out.dissipated, fabs(a.out.dissipated));
            assert_int_equal(a.out.regime, b.out.regime);
            assert_true(a.out.normal == 0.0);
        }
    }
    assert_true(seen >= 6);
}

// Switches of maxwell-slip in a plane: the element that fell goes onto its own level, along its own
// deflection, and no other is touched. Where nothing presses, one with a deflection loses it.
static void elements_switch_alone(void **state)
{
    (void)state;
    const hf_law_info *law = hf_law_info_get(HF_LAW_MAXWELL_SLIP);
    const double levels[] = {1.0, 2.0, 3.0}, stiffnesses[] = {1e3, 2e3, 5e3};
    hf_maxwell_slip_def def = {.levels = {levels, 3},
                               .stiffnesses = {stiffnesses, 3},
                               .factor = hf_level_coefficient(1.0)};
    for (int fell = 0; fell < 3; fell++) {
        double y[6] = {3e-4, -4e-4, 6e-4, 8e-4, -3e-4, 4e-4}, before[6], modes[3] = {0.0, 0.0, 0.0};
        const double gap[2] = {0.0, 0.0}, rate[2] = {0.01, 0.02};
        bool fallen[3] = {false, false, false};
        memcpy(before, y, sizeof y);
        fallen[fell] = true;
        hf_law_in in = {.gap = gap, .rate = rate, .y = y, .normal = 0.5, .modes = modes};
        law->change(&def, 2, &in, fallen, modes, y);
        for (int i = 0; i < 3; i++) {
            double size = hypot(before[2 * i], before[2 * i + 1]);
            double want = i == fell ? 0.5 * levels[i] / stiffnesses[i] : size;
            hf_check_near(hypot(y[2 * i], y[2 * i + 1]), want, 1e-15, "deflection", "its level");
            hf_check_near(y[2 * i] * before[2 * i + 1], y[2 * i + 1] * before[2 * i], 1e-20,
                          "direction", "its own");
            assert_true(modes[i] == (i == fell ? 1.0 : 0.0));
        }
        // Nothing presses
        hf_law_switch functions[3];
        in.normal = 0.0;
        in.near_gap = in.near_rate = 1e-9;
        y[2 * fell] = y[2 * fell + 1] = 0.0;
        law->switches(&def, 2, &in, functions);
        for (int i = 0; i < 3; i++)
            assert_true(i == fell ? functions[i].value > 0.0 : functions[i].value < 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_are_mirrored), cmocka_unit_test(steps_are_mirrored),
        cmocka_unit_test(power_is_booked),    cmocka_unit_test(nothing_pressed_rubs_not),
        cmocka_unit_test(planes_are_turned),  cmocka_unit_test(elements_switch_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
