// SPDX-License-Identifier: Apache-2.0
// The table of laws, and the projections.
#include <stdio.h>
#include <stdlib.h>

#include "laws_test.h"

// The kind agrees with what else the table says.
static void check_kind(const hf_law_info *info)
{
    bool scalar = info->min_dim >= 1 && info->max_dim <= 3;
    assert_int_equal(info->kind == HF_KIND_CONTACT, info->min_dim == 0);
    assert_int_equal(info->kind == HF_KIND_JOINT, info->min_dim == 6);
    assert_int_equal(info->kind == HF_KIND_CONTROLLER, info->active);
    assert_int_equal(info->kind == HF_KIND_FRICTION, scalar && info->friction);
    assert_int_equal(info->kind == HF_KIND_STOP, !info->friction && info->needs_applied);
    assert_int_equal(info->channel_count > 0, info->channels != NULL && info->show != NULL);
    assert_int_equal(info->batch != NULL, info->eval_batch != NULL);
}

static void every_law_is_described(void **state)
{
    (void)state;
    assert_null(hf_law_info_get(HF_LAW_FORCE));
    assert_null(hf_law_info_get(HF_LAW_TYPE_COUNT));
    assert_null(hf_law_info_get((hf_law_type)-1));
    assert_null(hf_law_info_find("sticktion"));
    assert_null(hf_law_info_find(""));
    for (int i = HF_LAW_FORCE + 1; i < HF_LAW_TYPE_COUNT; i++) {
        const hf_law_info *info = hf_law_info_get((hf_law_type)i);
        assert_non_null(info);
        assert_int_equal(info->type, i);
        assert_ptr_equal(hf_law_info_find(info->name), info);
        assert_non_null(info->source);
        assert_true(info->phrase != NULL && info->phrase[0] != '\0');
        check_kind(info);
        assert_non_null(info->set_default);
        assert_non_null(info->check);
        assert_non_null(info->state_count);
        assert_non_null(info->eval);
        assert_non_null(info->linear);
        assert_true(info->param_count > 0);
        for (int k = 0; k < info->param_count; k++) {
            const hf_param *p = &info->params[k];
            assert_true(p->offset < info->def_size);
            assert_true(p->name[0] != '\0' && p->meaning[0] != '\0');
            for (int j = 0; j < k; j++)
                assert_string_not_equal(p->name, info->params[j].name);
        }
    }
}

// The default passes its check, and its numbers are found at their offsets.
static void defaults_are_valid(void **state)
{
    (void)state;
    for (int i = HF_LAW_FORCE + 1; i < HF_LAW_TYPE_COUNT; i++) {
        const hf_law_info *info = hf_law_info_get((hf_law_type)i);
        union {
            char bytes[2048];
            double align;
        } def;
        assert_true(info->def_size <= sizeof def);
        int dim = info->max_dim > 0 ? info->max_dim : 3;
        hf_fault fault;
        info->set_default(&def);
        assert_int_equal(info->check(&def, dim, &fault), HF_OK);
        assert_true(info->state_count(&def, dim) >= 0);
        for (int axis = 0; axis < dim; axis++) {
            double stiffness = -1.0, damping = -1.0;
            info->linear(&def, axis, &stiffness, &damping);
            assert_true(stiffness >= 0.0 && damping >= 0.0);
        }
        // NaN in any number is refused, under that number's name.
        for (int k = 0; k < info->param_count; k++) {
            if (info->params[k].kind != HF_PARAM_NUMBER)
                continue;
            info->set_default(&def);
            double nan = (double)NAN;
            memcpy(def.bytes + info->params[k].offset, &nan, sizeof nan);
            expect_fault(info->check(&def, dim, &fault), &fault, info->params[k].name, NULL, "");
        }
    }
}

// The default of a parameter as the page of the law has it, at the end of its row; false: no
// number, or no row.
static bool documented(const char *page, const char *name, double *value)
{
    char key[80];
    (void)snprintf(key, sizeof key, "\n| `%s` |", name);
    const char *row = strstr(page, key);
    const char *end = row == NULL ? NULL : strstr(row + 1, "|\n");
    if (end == NULL || end > strchr(row + 1, '\n')) {
        return false;
    }
    const char *cell = end;
    while (cell[-1] != '|') {
        --cell;
    }
    char *rest;
    *value = strtod(cell, &rest);
    return rest != cell;
}

// What the pages of the laws say of their defaults is so.
static void documented_defaults(void **state)
{
    (void)state;
    int compared = 0, pages = 0;
    for (int i = HF_LAW_FORCE + 1; i < HF_LAW_TYPE_COUNT; i++) {
        const hf_law_info *info = hf_law_info_get((hf_law_type)i);
        char path[500];
        static char page[40000];
        union {
            char bytes[2048];
            double align;
        } def;
        (void)snprintf(path, sizeof path, HF_SOURCE_DIR "/docs/laws/%s.md", info->name);
        FILE *file = fopen(path, "r");
        if (file == NULL)
            continue; // described with others
        page[fread(page, 1, sizeof page - 1, file)] = '\0';
        (void)fclose(file);
        ++pages;
        info->set_default(&def);
        for (int k = 0; k < info->param_count; k++) {
            const hf_param *p = &info->params[k];
            double want, got;
            if (!documented(page, p->name, &want))
                continue;
            if (p->kind == HF_PARAM_LEVEL) {
                hf_level level;
                memcpy(&level, def.bytes + p->offset, sizeof level);
                got = hf_level_at(&level, HF_FORTH, 1.0, 1.0, HF_REGIME_SLIP);
            } else if (p->kind == HF_PARAM_NUMBER || p->kind == HF_PARAM_AUTO) {
                memcpy(&got, def.bytes + p->offset, sizeof got);
            } else
                continue;
            char what[120];
            (void)snprintf(what, sizeof what, "default of %s of %s", p->name, info->name);
            hf_check_near(got, want, 0.0, what, "docs/laws");
            ++compared;
        }
    }
    print_message("%d defaults on %d pages\n", compared, pages);
    assert_true(compared > 50 && pages > 15);
}

// Where tau_axes says so the force depends on tau, and of the same law along no other row.
static void tau_axes(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(62);
    for (int i = HF_LAW_FORCE + 1; i < HF_LAW_TYPE_COUNT; i++) {
        const hf_law_info *info = hf_law_info_get((hf_law_type)i);
        union {
            char bytes[2048];
            double align;
        } def;
        int dim = info->max_dim > 0 ? info->max_dim : 3;
        unsigned seen = 0;
        info->set_default(&def);
        for (int n = 0; n < 200 && !info->needs_applied; n++) {
            double gap[6], rate[6], y[64] = {0}, dy[64], force[2][6], inputs[6] = {0};
            for (int k = 0; k < dim; k++) {
                gap[k] = -1e-4 * hf_rng_uniform(&rng, 0.0, 1.0);
                rate[k] = 1e-4 * hf_rng_normal(&rng);
            }
            for (int t = 0; t < 2; t++) {
                hf_law_in in = {.gap = gap, .rate = rate, .y = y, .normal = 1.0, .inputs = inputs};
                hf_law_out out = {.force = force[t], .dy = dy};
                in.tau = 1e-3 * t;
                info->eval(&def, dim, &in, &out);
            }
            for (int k = 0; k < dim; k++)
                seen |= force[0][k] != force[1][k] ? 1U << k : 0;
        }
        if (info->tau_axes != 0)
            assert_int_equal(seen & ~info->tau_axes, 0);
        if (info->tau_axes != 0 && seen != 0) // by default some have no friction
            assert_int_equal(seen, info->tau_axes);
    }
}

// A definition is made by names alone.
static void parameters_by_name(void **state)
{
    (void)state;
    const hf_law_info *law = hf_law_info_find("lugre");
    hf_lugre_def def;
    hf_level level = hf_level_coulomb(3.0);
    law->set_default(&def);
    assert_int_equal(hf_law_set_number(law, &def, "damping", 7.0), HF_OK);
    assert_int_equal(hf_law_set_level(law, &def, "level", &level), HF_OK);
    assert_true(def.damping == 7.0 && def.level.kinetic[HF_BACK] == 3.0 && def.stiffness == 1e5);
    assert_int_equal(hf_law_set_number(law, &def, "level", 1.0), HF_ERROR_NAME);
    assert_int_equal(hf_law_set_number(law, &def, "dampin", 1.0), HF_ERROR_NAME);
    assert_int_equal(hf_law_set_level(law, &def, "damping", &level), HF_ERROR_NAME);
    assert_null(hf_law_param(law, "threshold"));
}

static void projections(void **state)
{
    (void)state;
    assert_true(hf_sat(2.0, 3.0) == 2.0 && hf_sat(2.0, -3.0) == -2.0 && hf_sat(2.0, 1.0) == 1.0);
    assert_true(isnan(hf_sat(2.0, (double)NAN)));
    assert_true(hf_clamp(-1.0, 4.0, 5.0) == 4.0 && hf_clamp(-1.0, 4.0, -5.0) == -1.0);
    assert_true(hf_max0(-1.0) == 0.0 && hf_max0(2.0) == 2.0 && isnan(hf_max0((double)NAN)));
    double x[3] = {3.0, 0.0, 4.0}, y[3], want[3] = {1.5, 0.0, 2.0};
    assert_true(hf_sat_n(2.5, 3, x, y));
    hf_check_near_array(y, want, 3, 1e-15, "sat", "Kikuuwe and Yamamoto 2008 (15)");
    assert_false(hf_sat_n(5.0, 3, x, y));
    assert_memory_equal(x, y, sizeof x);
}

// [Xiong2013] Theorems 1 and 2, at random points.
static void projection_theorems(void **state)
{
    (void)state;
    hf_rng rng = hf_rng_create(61);
    for (int i = 0; i < 5000; i++) {
        int dim = hf_rng_int(&rng, 1, 3);
        double z = hf_rng_uniform(&rng, 0.0, 2.0), x[3], y[3], d[3];
        for (int k = 0; k < dim; k++)
            x[k] = hf_rng_normal(&rng);
        bool outside = hf_sat_n(z, dim, x, y);
        for (int k = 0; k < dim; k++)
            d[k] = x[k] - y[k];
        double gap = hf_length(dim, d);
        if (!outside)
            assert_true(gap == 0.0);
        else
            for (int k = 0; k < dim; k++)
                hf_check_near(y[k] * gap, z * d[k], 1e-14, "y |x - y|",
                              "Z (x - y), Xiong et al. 2013 (3)");
        double u = hf_rng_normal(&rng), force = hf_dio(u);
        assert_true(force >= 0.0 && u + force >= 0.0 && force * (u + force) == 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_is_described), cmocka_unit_test(defaults_are_valid),
        cmocka_unit_test(documented_defaults),    cmocka_unit_test(tau_axes),
        cmocka_unit_test(parameters_by_name),     cmocka_unit_test(projections),
        cmocka_unit_test(projection_theorems),
    };
    return hf_run_tests(tests);
}
