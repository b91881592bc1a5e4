// SPDX-License-Identifier: Apache-2.0
// Coulomb friction over one step, by a closed form. Equations: coulomb.h.
#include <holdfast/laws/coulomb.h>

#include "check.h"
#include "element.h"
#include "info.h"

hf_coulomb_def hf_coulomb_def_default(void)
{
    return (hf_coulomb_def){.level = hf_level_coulomb(1.0)};
}

hf_status hf_coulomb_def_check(const hf_coulomb_def *def, int dim, hf_fault *fault)
{
    return hf_check_level("level", &def->level, dim, fault);
}

// Size of f and of v' for c = M/T and a trial force of M |vbar|/T.
static hf_slip solve(const hf_coulomb_def *def, int side, double normal, hf_regime regime, double c,
                     double trial)
{
    if (!def->approximate)
        return hf_level_slip_fast(&def->level, side, normal, regime, c, trial);
    double rest = hf_level_at(&def->level, side, 0.0, normal, regime);
    if (!(trial > rest))
        return (hf_slip){.force = trial, .speed = 0.0, .slips = false};
    double force = hf_level_at(&def->level, side, (trial - rest) / c, normal, regime); // (18)
    return (hf_slip){.force = force, .speed = (trial - force) / c, .slips = true};
}

void hf_coulomb_step_n(const hf_coulomb_def *def, hf_coulomb *state, int dim, double mass,
                       const double *applied, double normal, double step, double *force)
{
    double c = mass / step;
    double trial[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < dim; i++)
        trial[i] = applied[i] + c * state->velocity[i];
    double size = hf_length(dim, trial);
    int side = dim == 1 && trial[0] < 0.0 ? HF_BACK : HF_FORTH;
    hf_slip slip = solve(def, side, normal, state->regime, c, size);
    for (int i = 0; i < dim; i++) {
        double direction = slip.slips ? trial[i] / size : 0.0;
        force[i] = slip.slips ? slip.force * direction : trial[i];
        state->velocity[i] = slip.speed * direction; // exactly 0 in stick: [Kikuuwe2005] erratum 10
    }
    state->reversed = slip.speed < 0.0;
    state->gained = slip.speed < -size / c;
    state->regime = hf_regime_of(&def->level, normal, slip.slips);
}

double hf_coulomb_step(const hf_coulomb_def *def, hf_coulomb *state, double mass, double applied,
                       double step)
{
    double force;
    hf_coulomb_step_n(def, state, 1, mass, &applied, 1.0, step, &force);
    return force;
}

void hf_coulomb_eval(const hf_coulomb_def *def, int dim, const hf_law_in *in, hf_law_out *out)
{
    hf_coulomb state = {.regime = in->regime};
    for (int i = 0; i < dim; i++)
        state.velocity[i] = in->rate[i];
    hf_coulomb_step_n(def, &state, dim, in->mass, in->applied, in->normal, in->step, out->force);
    out->dissipated = 0.0;
    for (int i = 0; i < dim; i++)
        out->dissipated += 0.5 * out->force[i] * (in->rate[i] + state.velocity[i]);
    out->regime = state.regime;
    out->stored = 0.0;
    out->normal = 0.0;
}

HF_LAW_GLUE(coulomb, 0)

static void linear(const void *def, int axis, double *stiffness, double *damping)
{
    // No stiffness of its own: over one step it takes off just the velocity there is.
    (void)def;
    (void)axis;
    *stiffness = 0.0;
    *damping = 0.0;
}

static const hf_param params[] = {
    HF_PARAM(hf_coulomb_def, level, "level", "N", "friction level", HF_PARAM_LEVEL),
    HF_PARAM(hf_coulomb_def, approximate, "approximate", "",
             "take the level at an explicit velocity, Kikuuwe et al. 2005 (18)", HF_PARAM_FLAG),
};

const hf_law_info hf_coulomb_info = {
    HF_LAW_LINE(coulomb),
    .source = "Kikuuwe et al. 2005 (14), (17)",
    .kind = HF_KIND_FRICTION,
    .exact = HF_EXACT_FRICTION,
    .min_dim = 1,
    .max_dim = 3,
    .friction = true,
    .needs_applied = true,
    .instead = "stiction",
    HF_PARAMS(params),
    HF_LAW_GLUED(coulomb),
    .linear = linear,
};
