// SPDX-License-Identifier: Apache-2.0
// Batches of laws: the same bits as one law at a time.
#include "laws_test.h"

enum { COUNT = 1003 }; // not a multiple of any vector width

typedef struct arrays {
    double stiffness[COUNT], damping[COUNT], level[COUNT], rate[COUNT], e[COUNT];
    double force[COUNT], de[COUNT], stored[COUNT], dissipated[COUNT], mode[COUNT];
} arrays;

static void fill(arrays *a, hf_rng *rng, double tau)
{
    for (int i = 0; i < COUNT; i++) {
        a->stiffness[i] = hf_rng_log_uniform(rng, 1e2, 1e7);
        a->damping[i] = hf_rng_log_uniform(rng, 0.1, 1e3);
        a->level[i] = hf_rng_log_uniform(rng, 0.01, 100.0);
        double c = a->damping[i] + tau * a->stiffness[i];
        a->rate[i] = hf_rng_normal(rng) * a->level[i] / c;
        a->e[i] = hf_rng_normal(rng) * a->level[i] / a->stiffness[i];
    }
    a->rate[3] = a->e[3] = 0.0;
}

static void same_bits_as_one_by_one(void **state)
{
    (void)state;
    static arrays a;
    hf_rng rng = hf_rng_create(31);
    for (int run = 0; run < 20; run++) {
        double tau = run % 2 ? 1e-3 : 0.0;
        fill(&a, &rng, tau);
        hf_stiction_batch_full(COUNT, tau, a.stiffness, a.damping, a.level, a.rate, a.e, a.force,
                               a.de, a.stored, a.dissipated, a.mode);
        int seen[3] = {0, 0, 0};
        for (int i = 0; i < COUNT; i++) {
            hf_stiction_def def = {.level = hf_level_coulomb(a.level[i]),
                                   .stiffness = a.stiffness[i],
                                   .damping = a.damping[i]};
            hf_law_in in = {.rate = &a.rate[i], .y = &a.e[i], .normal = 1.0, .tau = tau};
            evaluation ev = evaluate(HF_LAW_STICTION, &def, 1, &in);
            hf_check_same_bits(a.force[i], ev.force[0], "force");
            hf_check_same_bits(a.de[i], ev.dy[0], "e'");
            hf_check_same_bits(a.stored[i], ev.out.stored, "stored");
            hf_check_same_bits(a.dissipated[i], ev.out.dissipated, "dissipated");
            int mode = ev.out.regime == HF_REGIME_STICK ? 0 : (ev.force[0] < 0.0 ? -1 : 1);
            assert_int_equal((int)a.mode[i], mode);
            seen[mode + 1]++;
        }
        assert_true(seen[0] > 50 && seen[1] > 50 && seen[2] > 50);
        static arrays b;
        b = a;
        hf_stiction_batch(COUNT, tau, a.stiffness, a.damping, a.level, a.rate, a.e, b.force, b.de);
        assert_memory_equal(a.force, b.force, sizeof a.force);
        assert_memory_equal(a.de, b.de, sizeof a.de);
    }
}

// What the other laws read besides.
typedef struct extras {
    double threshold[COUNT], applied[COUNT], mass[COUNT], stick[COUNT], next[COUNT];
} extras;

static void run_batch(hf_law_type law, arrays *a, extras *x)
{
    switch (law) {
    case HF_LAW_COULOMB:
        hf_coulomb_batch(COUNT, 1e-3, x->mass, a->level, x->applied, a->rate, a->force, x->next);
        break;
    case HF_LAW_KARNOPP:
        hf_karnopp_batch(COUNT, x->threshold, a->level, x->applied, a->rate, a->force);
        break;
    case HF_LAW_QUINN:
        hf_quinn_batch(COUNT, x->threshold, a->level, x->applied, a->rate, a->force);
        break;
    case HF_LAW_VISCOUS_APPROXIMATION:
        hf_viscous_approximation_batch(COUNT, x->threshold, a->level, a->rate, a->force);
        break;
    case HF_LAW_DAHL:
        hf_dahl_batch(COUNT, a->stiffness, a->level, a->rate, a->e, a->force, a->de);
        break;
    case HF_LAW_LUGRE:
        hf_lugre_batch(COUNT, a->stiffness, a->damping, x->mass, a->level, a->rate, a->e, a->force,
                       a->de);
        break;
    default:
        hf_hayward_armstrong_batch(COUNT, a->stiffness, x->stick, a->level, a->rate, a->e, a->force,
                                   a->de);
    }
}

// Element i by itself.
static evaluation run_one(hf_law_type law, const arrays *a, const extras *x, int i)
{
    hf_level level = hf_level_coulomb(a->level[i]);
    union {
        hf_coulomb_def coulomb;
        hf_karnopp_def karnopp;
        hf_quinn_def quinn;
        hf_viscous_approximation_def viscous;
        hf_dahl_def dahl;
        hf_lugre_def lugre;
        hf_hayward_armstrong_def hayward;
    } def;
    if (law == HF_LAW_COULOMB)
        def.coulomb = (hf_coulomb_def){.level = level};
    if (law == HF_LAW_KARNOPP)
        def.karnopp = (hf_karnopp_def){.level = level, .threshold = x->threshold[i]};
    if (law == HF_LAW_QUINN)
        def.quinn = (hf_quinn_def){.level = level, .threshold = x->threshold[i]};
    if (law == HF_LAW_VISCOUS_APPROXIMATION)
        def.viscous = (hf_viscous_approximation_def){level, x->threshold[i]};
    if (law == HF_LAW_DAHL)
        def.dahl = (hf_dahl_def){.level = level, .stiffness = a->stiffness[i]};
    if (law == HF_LAW_LUGRE)
        def.lugre = (hf_lugre_def){level, a->stiffness[i], a->damping[i], x->mass[i]};
    if (law == HF_LAW_HAYWARD_ARMSTRONG)
        def.hayward = (hf_hayward_armstrong_def){level, a->stiffness[i], x->stick[i]};
    hf_law_in in = {.rate = &a->rate[i],
                    .y = &a->e[i],
                    .normal = 1.0,
                    .mass = x->mass[i],
                    .applied = &x->applied[i],
                    .step = law == HF_LAW_LUGRE ? 0.0 : 1e-3}; // batches of it are those of the ODE
    return evaluate(law, &def, 1, &in);
}

// The other laws: each number is that of its own evaluation, to the bit.
static void other_laws_same_bits(void **state)
{
    (void)state;
    static const hf_law_type laws[] = {HF_LAW_COULOMB,
                                       HF_LAW_KARNOPP,
                                       HF_LAW_QUINN,
                                       HF_LAW_VISCOUS_APPROXIMATION,
                                       HF_LAW_DAHL,
                                       HF_LAW_LUGRE,
                                       HF_LAW_HAYWARD_ARMSTRONG};
    static arrays a;
    static extras x;
    hf_rng rng = hf_rng_create(33);
    fill(&a, &rng, 1e-3);
    for (int i = 0; i < COUNT; i++) {
        x.threshold[i] = fabs(a.rate[i]) * hf_rng_log_uniform(&rng, 0.1, 10.0) + 1e-9;
        x.applied[i] = 2.0 * a.level[i] * hf_rng_normal(&rng);
        x.mass[i] = a.level[i] * 1e-3 / (fabs(a.rate[i]) + 1e-6);
        x.stick[i] = hf_rng_uniform(&rng, 0.2, 0.9);
    }
    for (size_t law = 0; law < sizeof laws / sizeof laws[0]; law++) {
        bool bristle = hf_law_info_get(laws[law])->state_count(NULL, 1) > 0;
        run_batch(laws[law], &a, &x);
        for (int i = 0; i < COUNT; i++) {
            evaluation one = run_one(laws[law], &a, &x, i);
            hf_check_same_bits(a.force[i], one.force[0], "force");
            if (bristle)
                hf_check_same_bits(a.de[i], one.dy[0], "e'");
        }
    }
    hf_coulomb_def def = hf_coulomb_def_default();
    for (int i = 0; i < COUNT; i++) {
        hf_coulomb body = {.velocity = {a.rate[i]}};
        def.level = hf_level_coulomb(a.level[i]);
        hf_coulomb_step(&def, &body, x.mass[i], x.applied[i], 1e-3);
        hf_check_near(x.next[i], body.velocity[0], 0.0, "next velocity", "hf_coulomb_step");
    }
}

static void nothing_beyond_its_end(void **state)
{
    (void)state;
    static arrays a;
    hf_rng rng = hf_rng_create(32);
    fill(&a, &rng, 1e-3);
    for (size_t n = 0; n < 20; n++) {
        for (int i = 0; i < COUNT; i++)
            a.force[i] = a.de[i] = 77.0;
        hf_stiction_batch(n, 1e-3, a.stiffness, a.damping, a.level, a.rate, a.e, a.force, a.de);
        assert_true(a.force[n] == 77.0 && a.de[n] == 77.0);
        if (n > 0)
            assert_true(a.force[n - 1] != 77.0 && a.de[n - 1] != 77.0);
    }
}

static void springs_same_bits(void **state)
{
    (void)state;
    static arrays a;
    hf_rng rng = hf_rng_create(32);
    fill(&a, &rng, 1e-3);
    // e is the gap, level the rest.
    hf_spring_batch(COUNT, a.stiffness, a.damping, a.level, a.e, a.rate, a.force, a.stored,
                    a.dissipated);
    for (int i = 0; i < COUNT; i++) {
        hf_spring_def def = hf_spring_def_default();
        def.stiffness = a.stiffness[i];
        def.damping = a.damping[i];
        def.rest = a.level[i];
        hf_law_in in = {.gap = &a.e[i], .rate = &a.rate[i], .normal = 1.0};
        evaluation ev = evaluate(HF_LAW_SPRING, &def, 1, &in);
        hf_check_same_bits(a.force[i], ev.force[0], "force");
        hf_check_same_bits(a.stored[i], ev.out.stored, "stored");
        hf_check_same_bits(a.dissipated[i], ev.out.dissipated, "dissipated");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_as_one_by_one),
        cmocka_unit_test(other_laws_same_bits),
        cmocka_unit_test(springs_same_bits),
        cmocka_unit_test(nothing_beyond_its_end),
    };
    return hf_run_tests(tests);
}
