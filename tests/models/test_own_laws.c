// SPDX-License-Identifier: Apache-2.0
// Laws of the caller's own, registered on a spec.
#include "models_test.h"

#include <math.h>

// ------------------------------------------------------------------------------------------------
// A Maxwell element: f = K e, e = x - y, y' = e/T. Held at x it relaxes, f = K x exp(-t/T).

typedef struct relax_def {
    double stiffness, time;
} relax_def;

static void relax_default(void *def)
{
    *(relax_def *)def = (relax_def){.stiffness = 100.0, .time = 0.1};
}

static hf_status relax_check(const void *def, int dim, hf_fault *fault)
{
    const relax_def *d = def;
    (void)dim;
    *fault = (hf_fault){0};
    if (d->time > 0.0) {
        return HF_OK;
    }
    *fault = (hf_fault){.member = "time", .expected = "must be positive", .value = d->time};
    return HF_ERROR_RANGE;
}

static int relax_states(const void *def, int dim)
{
    (void)def;
    return dim;
}

static void relax_eval(const void *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    const relax_def *d = def;
    out->stored = out->dissipated = out->normal = 0.0;
    out->regime = HF_REGIME_STICK;
    for (int i = 0; i < dim; ++i) {
        double e = in->gap[i] - in->y[i];
        out->force[i] = d->stiffness * e;
        out->dy[i] = e / d->time;
        out->stored += 0.5 * d->stiffness * e * e;
        out->dissipated += d->stiffness * e * out->dy[i];
    }
}

static double relax_show(const void *def, const hf_law_in *in, const double *force, int k)
{
    (void)def;
    (void)force;
    (void)k;
    return in->gap[0] - in->y[0];
}

static const hf_param relax_params[] = {
    {"stiffness", "N/m", "stiffness", HF_PARAM_NUMBER, offsetof(relax_def, stiffness)},
    {"time", "s", "time of relaxation", HF_PARAM_NUMBER, offsetof(relax_def, time)},
};
static const hf_law_channel relax_channels[] = {{"strain", HF_UNIT_GAP}};

static const hf_law_info relax = {
    .name = "relax",
    .kind = HF_KIND_SPRING,
    .min_dim = 1,
    .max_dim = 3,
    .needs_gap = true,
    .def_size = sizeof(relax_def),
    .params = relax_params,
    .param_count = 2,
    .set_default = relax_default,
    .check = relax_check,
    .state_count = relax_states,
    .eval = relax_eval,
    .channels = relax_channels,
    .channel_count = 1,
    .show = relax_show,
};

// ------------------------------------------------------------------------------------------------

static hf_status read_into(hf_spec *spec, const char *text, const hf_overrides *overrides,
                           hf_error *error)
{
    *error = (hf_error){0};
    return hf_spec_read_text(spec, text, strlen(text), "model.yaml", NULL, overrides, error);
}

// A model file names it, its parameters and its channel. The mass does not move.
static void a_file_names_it(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_law_info mine = relax; // what is registered is copied
    assert_int_equal(hf_spec_register_law(spec, &mine, &error), HF_LAW_OWN);
    memset(&mine, 0, sizeof mine);
    assert_string_equal(hf_spec_find_law(spec, "relax")->name, "relax");
    const char *text =
        "method: {type: rk4, step: 1e-3}\n"
        "bodies: {b: {type: mass, dim: 1, mass: 1e15, position: 0.02}}\n"
        "forces:\n"
        "  - {name: f, on: b, type: spring, law: relax, stiffness: 300, time: 0.05}\n"
        "record: [f.force, f.strain]\n";
    if (read_into(spec, text, NULL, &error) != HF_OK) {
        fail_msg("%s", error.text);
    }
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec); // the model keeps the law
    assert_non_null(model);
    hf_sim *sim = hf_sim_create(model, NULL, &error);
    assert_non_null(sim);
    hf_channel force = hf_model_record_channel(model, 0);
    hf_channel strain = hf_model_record_channel(model, 1);
    assert_string_equal(hf_model_channel_unit(model, strain), "m");
    for (int i = 1; i <= 200; ++i) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        double want = 0.02 * exp(-1e-3 * i / 0.05);
        hf_check_near(hf_sim_value(sim, strain), want, 1e-9, "strain", "closed form");
        hf_check_near(hf_sim_value(sim, force), -300 * want, 3e-7, "force", "closed form");
    }
    hf_energy energy = hf_sim_energy(sim);
    hf_check_near(energy.dissipated, 0.5 * 300 * 0.02 * 0.02 * (1 - exp(-8)), 1e-8, "dissipated",
                  "1/2 K x^2 (1 - exp(-2 t/T))");
    hf_check_near(energy.residual, 0, 1e-8, "residual", "balance");
    hf_sim_destroy(sim);
    hf_model_destroy(model);
}

static void errors_name_it(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"law: relacks", "did you mean 'relax'"},
        {"law: relax, tim: 1", "did you mean 'time'"},
        {"law: relax, time: -1", "model.yaml:2:59: spring 'f': time must be positive, got -1"},
    };
    for (int i = 0; i < 3; ++i) {
        char text[300];
        hf_error error = {0};
        hf_spec *spec = hf_spec_create();
        assert_int_equal(hf_spec_register_law(spec, &relax, &error), HF_LAW_OWN);
        (void)snprintf(text, sizeof text,
                       "bodies: {b: {type: mass, dim: 1, mass: 1}}\n"
                       "forces: [{name: f, on: b, type: spring, %s}]\n",
                       cases[i][0]);
        assert_true(read_into(spec, text, NULL, &error) < 0);
        if (strstr(error.text, cases[i][1]) == NULL) {
            fail_msg("got '%s', want '%s'", error.text, cases[i][1]);
        }
        hf_spec_destroy(spec);
    }
}

static double run(const char *text, const hf_law_info *own, const char *law, double *path)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    if (own != NULL) {
        assert_int_equal(hf_spec_register_law(spec, own, &error), HF_LAW_OWN);
    }
    const hf_law_change change = {.law = law};
    if (read_into(spec, text, &(hf_overrides){.law = &change}, &error) != HF_OK) {
        fail_msg("%s: %s", law, error.text);
    }
    hf_model *model = hf_model_compile(spec, &error);
    hf_spec_destroy(spec);
    hf_sim *sim = model == NULL ? NULL : hf_sim_create(model, NULL, &error);
    if (sim == NULL) {
        fail_msg("%s: %s", law, error.text);
    }
    for (int i = 0; i < 300; ++i) {
        assert_int_equal(hf_sim_step(sim, &error), HF_OK);
        path[i] = hf_sim_position(sim, hf_model_find_body(model, "b"))[0];
    }
    double dissipated = hf_sim_energy(sim).dissipated;
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    return dissipated;
}

// A library's friction law under another name, registered and put in by a change of laws, moves the
// machine as the library's own does, to the bit.
static void copies_give_the_same_bits(void **state)
{
    (void)state;
    const char *text = "method: {type: discrete, step: 1e-4}\n"
                       "bodies: {b: {type: mass, dim: 1, mass: 1, velocity: 0.1}}\n"
                       "forces:\n"
                       "  - {name: s, on: b, type: spring, stiffness: 200}\n"
                       "  - {name: f, on: b, type: friction, level: 0.3, stiffness: 1e4,\n"
                       "     damping: 50}\n";
    int tried = 0;
    for (int i = HF_LAW_FORCE + 1; i < HF_LAW_TYPE_COUNT; ++i) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)i);
        if (law->kind != HF_KIND_FRICTION || law->exact != HF_EXACT_NONE) {
            continue;
        }
        double theirs[300], own[300];
        hf_law_info copy = *law;
        copy.name = "copy";
        double a = run(text, NULL, law->name, theirs), b = run(text, &copy, "copy", own);
        assert_memory_equal(theirs, own, sizeof own);
        hf_check_near(a, b, 0, "dissipated", law->name);
        ++tried;
    }
    assert_true(tried >= 14);
}

// ------------------------------------------------------------------------------------------------

static void refused(hf_law_info law, const char *expected)
{
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    assert_int_equal(hf_spec_register_law(spec, &law, &error), HF_LAW_FORCE);
    if (strstr(error.text, expected) == NULL) {
        fail_msg("got '%s', want '%s'", error.text, expected);
    }
    hf_spec_destroy(spec);
}

static void bad_laws_are_refused(void **state)
{
    (void)state;
    static const hf_param outside[] = {
        {"a", "", "a", HF_PARAM_LEVEL, offsetof(relax_def, stiffness)}};
    static const hf_param twice[] = {{"a", "", "a", HF_PARAM_NUMBER, 0},
                                     {"a", "", "a", HF_PARAM_NUMBER, sizeof(double)}};
    hf_law_info law = relax;
    law.name = "Relax it";
    refused(law, "not 'Relax it'");
    law.name = "stiction";
    refused(law, "there is a law 'stiction' already");
    law = relax;
    law.eval = NULL;
    refused(law, "set_default, check, state_count and eval must be given");
    law = relax;
    law.exact = HF_EXACT_FRICTION;
    refused(law, "exact is for the library's laws");
    law = relax;
    law.kind = HF_KIND_FRICTION;
    refused(law, "do not agree with its kind");
    law = relax;
    law.max_dim = 4;
    refused(law, "min_dim and max_dim must be from 1 to 3");
    law = relax;
    law.show = NULL;
    refused(law, "go together");
    law = relax;
    law.params = outside;
    law.param_count = 1;
    refused(law, "parameter 'a' lies outside the definition");
    law.params = twice;
    law.param_count = 2;
    refused(law, "there are two parameters 'a'");
}

static void a_spec_with_parts_is_not_read_into(void **state)
{
    (void)state;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_mass_def mass = hf_mass_def_default();
    mass.name = "m";
    assert_true(hf_spec_add_mass(spec, &mass, &error).id != 0);
    assert_int_equal(read_into(spec, "bodies: {}\n", NULL, &error), HF_ERROR_INPUT);
    hf_spec_destroy(spec);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_names_it),
        cmocka_unit_test(errors_name_it),
        cmocka_unit_test(copies_give_the_same_bits),
        cmocka_unit_test(bad_laws_are_refused),
        cmocka_unit_test(a_spec_with_parts_is_not_read_into),
    };
    return hf_run_tests(tests);
}
