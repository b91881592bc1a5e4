// SPDX-License-Identifier: Apache-2.0
// Step-size advice: the largest step at which a force alone, on the mass that it feels, is stable.
//
// Held (stick, closed), a force is a spring-damper on its effective mass: m x'' = -K x - B x'. The
// method's own step applied to this linear system gives a 2x2 matrix, whose spectral radius must
// not exceed one. A stiction element that slips has e' = -K e/(B + tau K) besides: one number.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/methods.h"

typedef struct oscillator {
    double stiffness, damping, inverse_mass;
} oscillator;

// Rounding in the spectral radius of a matrix near the identity.
#define RADIUS_SLACK 1e-12

static void oscillator_rate(const oscillator *o, double tau, const double x[2], double dx[2])
{
    dx[0] = x[1];
    dx[1] = -o->inverse_mass * (o->stiffness * x[0] + (o->damping + tau * o->stiffness) * x[1]);
}

static void rk4_map(const oscillator *o, double h, const double tau[4], const double x[2],
                    double out[2])
{
    const double shift[4] = {0.0, 0.5 * h, 0.5 * h, h}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double slope[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0};
    for (int r = 0; r < 4; ++r) {
        double stage[2] = {x[0] + shift[r] * slope[0], x[1] + shift[r] * slope[1]};
        oscillator_rate(o, tau[r], stage, slope);
        sum[0] += weight[r] * slope[0];
        sum[1] += weight[r] * slope[1];
    }
    out[0] = x[0] + h / 6.0 * sum[0];
    out[1] = x[1] + h / 6.0 * sum[1];
}

// One step of the method on the oscillator. `implicit` laws see tau.
static void step_map(hf_method_type method, const oscillator *o, bool implicit, double h,
                     const double x[2], double out[2])
{
    double slope[2];
    double tau = implicit ? h : 0.0;
    switch (method) {
    case HF_METHOD_EULER:
        oscillator_rate(o, tau, x, slope);
        out[0] = x[0] + h * slope[0];
        out[1] = x[1] + h * slope[1];
        return;
    case HF_METHOD_SEMI_IMPLICIT_EULER:
    case HF_METHOD_DISCRETE:
        oscillator_rate(o, tau, x, slope);
        out[1] = x[1] + h * slope[1];
        out[0] = x[0] + h * out[1];
        return;
    case HF_METHOD_RK4_TAU:
        rk4_map(o, h, (const double[4]){0.5 * tau, 0.5 * tau, tau, tau}, x, out);
        return;
    case HF_METHOD_RK4:
    case HF_METHOD_ADAPTIVE:
    case HF_METHOD_SWITCH:
    case HF_METHOD_COUNT:
        break;
    }
    rk4_map(o, h, (const double[4]){0.0, 0.0, 0.0, 0.0}, x, out);
}

static double spectral_radius(double a, double b, double c, double d)
{
    double half = 0.5 * (a + d), product = a * d - b * c, root = half * half - product;
    return root >= 0.0 ? fabs(half) + sqrt(root) : sqrt(product);
}

static bool held_is_stable(hf_method_type method, const oscillator *o, bool implicit, double h)
{
    // Scale velocities by the natural frequency, so that the matrix is well balanced.
    double w = sqrt(o->stiffness * o->inverse_mass);
    w = w > 0.0 ? w : 1.0;
    double first[2], second[2];
    step_map(method, o, implicit, h, (const double[2]){1.0, 0.0}, first);
    step_map(method, o, implicit, h, (const double[2]){0.0, 1.0}, second);
    double radius = spectral_radius(first[0], second[0] * w, first[1] / w, second[1]);
    return radius <= 1.0 + RADIUS_SLACK;
}

// e' = -K e/(B + tau K): x = T K/(B + tau K) is at most 1 with tau = T; with tau = 0 RK4's limit on
// the negative real axis is 2.785, and Euler methods always have tau = T.
static double slip_limit(hf_method_type method, double stiffness, double damping)
{
    const double rk4_real_axis = 2.7852935634;
    return method == HF_METHOD_RK4 ? rk4_real_axis * damping / stiffness : INFINITY;
}

// Largest h with held_is_stable, by doubling and bisection.
static double held_limit(hf_method_type method, const oscillator *o, bool implicit)
{
    double rate = sqrt(o->stiffness * o->inverse_mass) + o->damping * o->inverse_mass;
    if (!(rate > 0.0) || !isfinite(rate)) {
        return rate > 0.0 ? 0.0 : INFINITY;
    }
    // A lightly damped spring under forward Euler has a small limit, an undamped one has none.
    // Below the last of these steps rounding hides the growth.
    double low = 1e-3 / rate;
    while (low > 1e-5 / rate && !held_is_stable(method, o, implicit, low)) {
        low *= 0.5;
    }
    if (!held_is_stable(method, o, implicit, low)) {
        return 0.0;
    }
    double high = low;
    for (int i = 0; i < 60 && held_is_stable(method, o, implicit, high); ++i) {
        low = high;
        high *= 1.3;
    }
    for (int i = 0; i < 60; ++i) {
        double middle = 0.5 * (low + high);
        *(held_is_stable(method, o, implicit, middle) ? &low : &high) = middle;
    }
    return low;
}

// ------------------------------------------------------------------------------------------------
// Effective mass: 1/m = J M^-1 J' along one row of a coupling, at the present state.

static double rate_along(hf_sim *sim, const hf_force_place *force, int axis, const hf_unit *units,
                         int count, const double *v)
{
    for (int i = 0; i < count; ++i) {
        hf_unit_pose(sim, units[i], sim->x, v);
    }
    hf_force_psi(sim->model, force,
                 &(hf_motion){.q = sim->x,
                              .v = v,
                              .poses = sim->poses,
                              .gap = sim->gap,
                              .rate = sim->rate,
                              .references = sim->references});
    return sim->rate[force->row + axis];
}

static double inverse_mass(hf_sim *sim, const hf_force_place *force, int axis)
{
    const hf_model *model = sim->model;
    hf_unit units[2];
    int count = hf_force_units(model, force, units);
    for (int i = 0; i < count; ++i) {
        hf_unit_clear(sim, units[i]);
    }
    memset(sim->force + force->row, 0, (size_t)force->dim * sizeof *sim->force);
    sim->force[force->row + axis] = 1.0;
    hf_force_phi(model, force,
                 &(hf_actions){.force = sim->force,
                               .poses = sim->poses,
                               .u = sim->u,
                               .wrenches = sim->wrenches,
                               .references = sim->references});
    memset(sim->response, 0, (size_t)model->nv * sizeof *sim->response);
    for (int i = 0; i < count; ++i) {
        hf_unit_respond(sim, units[i], sim->x, sim->response);
    }
    // What driven bodies do to the rate is there with and without the response.
    double with = rate_along(sim, force, axis, units, count, sim->response);
    return rate_along(sim, force, axis, units, count, sim->rest) - with;
}

// Whether the law sees tau along this row: friction elements do, springs do not.
static bool sees_tau(hf_law_type law, int axis)
{
    return law == HF_LAW_STICTION || (law == HF_LAW_CONTACT && axis > 0) ||
           (law == HF_LAW_JOINT && axis == 5);
}

hf_stability hf_sim_stability(hf_sim *sim, hf_force force)
{
    const hf_model *model = sim->model;
    HF_ASSERT(force.id >= 1 && force.id <= model->force_count);
    const hf_force_place *place = &model->forces[model->force_order[force.id - 1]];
    hf_method_type method = sim->core->method.type;
    hf_stability advice = {.largest_step = INFINITY, .effective_mass = INFINITY};
    if (place->law == HF_LAW_FORCE) {
        return advice;
    }
    for (int axis = 0; axis < place->dim; ++axis) {
        oscillator o = {0};
        bool implicit = sees_tau(place->law, axis);
        if (place->info->linear != NULL) {
            place->info->linear(place->def, axis, &o.stiffness, &o.damping);
        }
        sim->fresh = false;
        hf_sim_refresh(sim, hf_method_first_tau(method, sim->core->method.step));
        o.inverse_mass = inverse_mass(sim, place, axis);
        // Adaptive methods choose their steps themselves.
        bool limited = o.inverse_mass > 0.0 && !hf_method_is_adaptive(method);
        double limit = limited ? held_limit(method, &o, implicit) : INFINITY;
        if (limited && implicit && o.stiffness > 0.0) {
            limit = fmin(limit, slip_limit(method, o.stiffness, o.damping));
        }
        if (axis == 0 || limit < advice.largest_step) {
            advice = (hf_stability){.largest_step = limit,
                                    .effective_mass = 1.0 / o.inverse_mass,
                                    .stiffness = o.stiffness,
                                    .damping = o.damping};
        }
    }
    sim->fresh = false;
    return advice;
}
