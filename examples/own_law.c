// SPDX-License-Identifier: Apache-2.0
// A law of one's own, from outside the library: a rubber mount, the standard linear solid [Zener
// 1948]. A spring K beside a spring K1 in series with a dashpot B1, whose deflection y is its
// state:
//
//   f = K x + K1 (x - y),   y' = K1 (x - y)/B1
//   stored 1/2 K x^2 + 1/2 K1 (x - y)^2,   dissipated B1 y'^2
//
// It is registered on a spec under its name, takes its numbers by name, is checked, has a state,
// and its energy is in the ledger like any other law's.
//
//   cc own_law.c $(pkg-config --cflags --libs holdfast) -lm && ./a.out
#include <math.h>
#include <stdio.h>

#include <holdfast/holdfast.h>

// ------------------------------------------------------------------------------------------------
// The law

typedef struct zener_def {
    double stiffness; // K, >= 0 [N/m]
    double branch;    // K1, > 0 [N/m]
    double damping;   // B1, > 0 [Ns/m]
} zener_def;

static void set_default(void *def)
{
    *(zener_def *)def = (zener_def){.stiffness = 1e4, .branch = 1e4, .damping = 100.0};
}

static hf_status check(const void *def, int dim, hf_fault *fault)
{
    const zener_def *z = def;
    (void)dim;
    *fault = (hf_fault){.expected = "must be positive"};
    if (!(z->stiffness >= 0.0))
        fault->member = "stiffness", fault->value = z->stiffness;
    else if (!(z->branch > 0.0))
        fault->member = "branch", fault->value = z->branch;
    else if (!(z->damping > 0.0))
        fault->member = "damping", fault->value = z->damping;
    return fault->member == NULL ? HF_OK : HF_ERROR_RANGE;
}

static int state_count(const void *def, int dim)
{
    (void)def;
    return dim;
}

static void eval(const void *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    const zener_def *z = def;
    out->stored = out->dissipated = out->normal = 0.0;
    out->regime = HF_REGIME_STICK;
    for (int i = 0; i < dim; i++) {
        double branch = in->gap[i] - in->y[i];
        out->dy[i] = z->branch * branch / z->damping;
        out->force[i] = z->stiffness * in->gap[i] + z->branch * branch;
        out->stored += 0.5 * (z->stiffness * in->gap[i] * in->gap[i] + z->branch * branch * branch);
        out->dissipated += z->damping * out->dy[i] * out->dy[i];
    }
}

// The stiffness that limits the step.
static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    const zener_def *z = def;
    (void)axis;
    *stiffness = z->stiffness + z->branch;
    *damping = 0.0;
}

static const hf_param params[] = {
    {"stiffness", "N/m", "slow stiffness", HF_PARAM_NUMBER, offsetof(zener_def, stiffness)},
    {"branch", "N/m", "stiffness beside it when fast", HF_PARAM_NUMBER,
     offsetof(zener_def, branch)},
    {"damping", "Ns/m", "damping of the branch", HF_PARAM_NUMBER, offsetof(zener_def, damping)},
};

static const hf_law_info zener = {
    .name = "zener",
    .phrase = "spring beside a spring and dashpot in series",
    .source = "Zener 1948",
    .kind = HF_KIND_SPRING,
    .min_dim = 1,
    .max_dim = 3,
    .needs_gap = true,
    .state_unit = HF_UNIT_GAP,
    .def_size = sizeof(zener_def),
    .params = params,
    .param_count = 3,
    .set_default = set_default,
    .check = check,
    .state_count = state_count,
    .eval = eval,
    .linear = linear,
};

// ------------------------------------------------------------------------------------------------
// A machine of 20 kg is set down on it, and creeps to m g/K

int main(void)
{
    const double mass = 20.0, g = 9.81;
    hf_error error = {0};
    hf_spec *spec = hf_spec_create();
    hf_law_type type = hf_spec_register_law(spec, &zener, &error);
    hf_mass_def machine = hf_mass_def_default();
    machine.name = "machine";
    machine.dim = 1;
    machine.axes[0] = 2;
    machine.mass = mass;
    hf_body body = hf_spec_add_mass(spec, &machine, &error);
    zener_def rubber;
    set_default(&rubber);
    hf_force_def mount = hf_force_def_default();
    mount.name = "mount";
    mount.coupling.on_coordinate.body = body;
    hf_model *model = NULL;
    hf_sim *sim = NULL;
    if (type != HF_LAW_FORCE && body.id != 0 &&
        hf_force_use_own(&mount, spec, type, &rubber, sizeof rubber, &error) == HF_OK &&
        hf_spec_set_gravity(spec, (hf_vec3){0.0, 0.0, -g}, &error) == HF_OK &&
        hf_spec_add_force(spec, &mount, &error).id != 0)
        model = hf_model_compile(spec, &error);
    if (model != NULL)
        sim = hf_sim_create(model, NULL, &error);
    hf_status status = sim == NULL ? HF_ERROR_INPUT : HF_OK;
    while (status >= 0 && hf_sim_time(sim) < 10.0)
        status = hf_sim_step(sim, &error);
    double x = sim == NULL ? NAN : hf_sim_position(sim, body)[0], want = -mass * g / 1e4;
    double residual = sim == NULL ? NAN : hf_sim_energy(sim).residual;
    printf("at rest at %.9g m (m g/K: %.9g m), energy residual %.2g J\n", x, want, residual);
    hf_sim_destroy(sim);
    hf_model_destroy(model);
    hf_spec_destroy(spec);
    if (!(fabs(x - want) < 1e-9 && fabs(residual) < 1e-6)) {
        fprintf(stderr, "own_law: %s\n", error.text);
        return 1;
    }
    return 0;
}
