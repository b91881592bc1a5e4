// SPDX-License-Identifier: Apache-2.0
// Step-size advice: the largest step at which a force alone, on its effective mass, is stable.
//
// Held (stick, closed), a force is a spring-damper on its effective mass: m x'' = -K x - B x'. The
// method's own step applied to this linear system gives a 2x2 matrix, whose spectral radius must
// not exceed one (3x3 for a force with a lag). A stiction element that slips has e' = -K e/(B + tau
// K) besides: one number.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/fixed/methods.h"

// Rounding in the spectral radius of a matrix near the identity.
#define RADIUS_SLACK 1e-12

// A force with a lag has a state e of its own: e' = -(x + e)/alpha, m x'' = K e + B e'.
void hf_oscillator_rate(const hf_oscillator *o, double tau, const double *x, double *dx)
{
    dx[0] = x[1];
    if (o->lag > 0.0) {
        dx[2] = -(x[0] + x[2]) / o->lag;
        dx[1] = o->inverse_mass * (o->stiffness * x[2] + o->damping * dx[2]);
        return;
    }
    double ahead = o->implicit ? tau : 0.0;
    dx[1] = -o->inverse_mass * (o->stiffness * x[0] + (o->damping + ahead * o->stiffness) * x[1]);
}

// A method with its settings, on an oscillator.
typedef struct stepper {
    const hf_method_info *info;
    const hf_method_def *method;
    hf_oscillator o;
} stepper;

static double spectral_radius(double a, double b, double c, double d)
{
    double half = 0.5 * (a + d), product = a * d - b * c, root = half * half - product;
    return root >= 0.0 ? fabs(half) + sqrt(root) : sqrt(product);
}

// One step from the unit vector `column`, velocities by w: in positions (x, v/w, e).
static void map_column(const stepper *s, double h, double w, int column, double *out)
{
    double x[HF_OSCILLATOR_MAX] = {column == 0, column == 1 ? w : 0.0, column == 2};
    s->info->linear_step(&s->o, s->method, h, x, out);
    out[1] /= w;
}

// Stable when the method's third-order matrix, applied often, does not grow.
static bool lagging_is_stable(const stepper *s, double h)
{
    double a[3][3], b[3][3], w = sqrt(s->o.stiffness * s->o.inverse_mass);
    for (int c = 0; c < 3; ++c) {
        double column[3];
        map_column(s, h, w, c, column);
        for (int r = 0; r < 3; ++r) {
            a[r][c] = column[r];
        }
    }
    // 2^14 steps by squaring; a growth of 1e-3 a step is then a factor of 1e7. Transient growth of
    // a stable map stays below `most`; what is above `lost` would overflow in the next square.
    const double most = 1e6, lost = 1e100;
    double size = 0.0;
    for (int i = 0; i < 14; ++i) {
        size = 0.0;
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                b[r][c] = a[r][0] * a[0][c] + a[r][1] * a[1][c] + a[r][2] * a[2][c];
                if (!(fabs(b[r][c]) <= lost)) {
                    return false;
                }
                size = fmax(size, fabs(b[r][c]));
            }
        }
        memcpy(a, b, sizeof a);
    }
    return size <= most;
}

static bool held_is_stable(const stepper *s, double h)
{
    if (s->o.lag > 0.0) {
        return lagging_is_stable(s, h);
    }
    // Scale velocities by the natural frequency, so that the matrix is well balanced.
    double w = sqrt(s->o.stiffness * s->o.inverse_mass);
    w = w > 0.0 ? w : 1.0;
    double first[HF_OSCILLATOR_MAX], second[HF_OSCILLATOR_MAX];
    s->info->linear_step(&s->o, s->method, h, (const double[2]){1.0, 0.0}, first);
    s->info->linear_step(&s->o, s->method, h, (const double[2]){0.0, 1.0}, second);
    double radius = spectral_radius(first[0], second[0] * w, first[1] / w, second[1]);
    return radius <= 1.0 + RADIUS_SLACK;
}

// Largest h with held_is_stable, by doubling and bisection. It ends early at one that is `enough`.
static double held_limit(const stepper *s, double enough)
{
    const hf_oscillator *o = &s->o;
    double rate = sqrt(o->stiffness * o->inverse_mass) + o->damping * o->inverse_mass;
    if (!(rate > 0.0) || !isfinite(rate)) {
        return rate > 0.0 ? 0.0 : INFINITY;
    }
    // A lightly damped spring under forward Euler has a small limit, an undamped one has none.
    // Below the last of these steps rounding hides the growth.
    double low = 1e-3 / rate;
    while (low > 1e-5 / rate && !held_is_stable(s, low)) {
        low *= 0.5;
    }
    if (!held_is_stable(s, low)) {
        return 0.0;
    }
    double high = low;
    for (int i = 0; i < 60 && low < enough && held_is_stable(s, high); ++i) {
        low = high;
        high *= 1.3;
    }
    for (int i = 0; i < 60 && low < enough; ++i) {
        double middle = 0.5 * (low + high);
        *(held_is_stable(s, middle) ? &low : &high) = middle;
    }
    return low;
}

// ------------------------------------------------------------------------------------------------
// Advice

hf_stability hf_sim_stability_to(hf_sim *sim, hf_force force, double enough)
{
    const hf_model *model = sim->model;
    HF_ASSERT(force.id >= 1 && force.id <= model->force_count);
    const hf_force_place *place = &model->forces[model->force_order[force.id - 1]];
    stepper s = {.method = &sim->core->method, .info = hf_method_info_get(sim->core->method.type)};
    hf_oscillator *o = &s.o;
    hf_stability advice = {.largest_step = INFINITY, .effective_mass = INFINITY};
    // Laws that the method takes as they are, set-valued, have no stiffness and no limit.
    if (place->info == NULL || (sim->exact_contacts && place->exact != HF_EXACT_NONE)) {
        return advice;
    }
    // What is not solved here is no step of the run
    const hf_sim_stats before = sim->core->stats;
    for (int axis = 0; axis < place->dim; ++axis) {
        *o = (hf_oscillator){.implicit = (place->info->tau_axes >> axis & 1U) != 0};
        if (place->info->linear != NULL) {
            place->info->linear(place->def, axis, &o->stiffness, &o->damping);
        }
        o->lag = place->info->lag == NULL ? 0.0 : place->info->lag(place->def, axis);
        sim->fresh = false;
        hf_sim_refresh(sim, hf_method_first_tau(s.method->type, s.method->step));
        o->inverse_mass = hf_force_inverse_mass(sim, place, axis);
        bool limited = o->inverse_mass > 0.0 && s.info->linear_step != NULL;
        double limit = limited ? held_limit(&s, enough) : INFINITY;
        // A stiction element that slips: e' = -K e/(B + tau K)
        if (limited && o->implicit && o->stiffness > 0.0 && s.info->slip_steps > 0.0) {
            limit = fmin(limit, s.info->slip_steps * o->damping / o->stiffness);
        }
        if (axis == 0 || limit < advice.largest_step) {
            advice = (hf_stability){.largest_step = limit,
                                    .effective_mass = 1.0 / o->inverse_mass,
                                    .stiffness = o->stiffness,
                                    .damping = o->damping};
        }
    }
    sim->core->stats.unsolved_steps = before.unsolved_steps;
    sim->core->stats.worst_residual = before.worst_residual;
    sim->fresh = false;
    return advice;
}

hf_stability hf_sim_stability(hf_sim *sim, hf_force force)
{
    return hf_sim_stability_to(sim, force, INFINITY);
}
