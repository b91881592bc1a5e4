// SPDX-License-Identifier: Apache-2.0
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_bits_as_one_by_one),
        cmocka_unit_test(nothing_beyond_its_end),
    };
    return hf_run_tests(tests);
}
