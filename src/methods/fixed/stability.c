// SPDX-License-Identifier: Apache-2.0
// Step-size advice: the largest step at which a force alone, on the mass that it feels, is stable.
//
// Held (stick, closed), a force is a spring-damper on its effective mass: m x'' = -K x - B x'. The
// method's own step applied to this linear system gives a 2x2 matrix, whose spectral radius must
// not exceed one (3x3 for a force with a lag). A stiction element that slips has e' = -K e/(B + tau
// K) besides: one number.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "methods/fixed/methods.h"

typedef struct oscillator {
    double stiffness, damping, inverse_mass;
    double lag;   // of the force: 003 (24), (25) in contact
    double theta; // of method timestep
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
    case HF_METHOD_TIMESTEP:
    case HF_METHOD_NLP: {
        // Forces (1 - theta) h ahead; positions with both velocities.
        oscillator_rate(o, tau, x, slope);
        double ahead = (1.0 - o->theta) * h;
        double stage[2] = {x[0] + ahead * slope[0], x[1] + ahead * slope[1]};
        oscillator_rate(o, tau, stage, slope);
        out[1] = x[1] + h * slope[1];
        out[0] = x[0] + h * (o->theta * out[1] + (1.0 - o->theta) * x[1]);
        return;
    }
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

// A force with a lag has a state e of its own: e' = -(x + e)/alpha, m x'' = K e + B e'. Stable when
// the method's third-order matrix, applied often, does not grow.
static void lagging_rate(const oscillator *o, const double x[3], double dx[3])
{
    dx[0] = x[1];
    dx[2] = -(x[0] + x[2]) / o->lag;
    dx[1] = o->inverse_mass * (o->stiffness * x[2] + o->damping * dx[2]);
}

// One step from the unit vector `column`, in positions (x, v/w, e).
static void lagging_map(hf_method_type method, const oscillator *o, double h, double w, int column,
                        double out[3])
{
    double x[3] = {column == 0, column == 1 ? w : 0.0, column == 2};
    double shift[4] = {0.0, 0.5 * h, 0.5 * h, h}, weight[4] = {1.0, 2.0, 2.0, 1.0};
    double slope[3] = {0.0, 0.0, 0.0}, sum[3] = {0.0, 0.0, 0.0};
    bool euler = method == HF_METHOD_EULER || method == HF_METHOD_SEMI_IMPLICIT_EULER ||
                 method == HF_METHOD_DISCRETE || hf_method_solves_contacts(method);
    for (int r = 0; r < (euler ? 1 : 4); ++r) {
        double stage[3] = {x[0] + shift[r] * slope[0], x[1] + shift[r] * slope[1],
                           x[2] + shift[r] * slope[2]};
        lagging_rate(o, stage, slope);
        for (int i = 0; i < 3; ++i) {
            sum[i] += (euler ? 6.0 : weight[r]) * slope[i];
        }
    }
    for (int i = 0; i < 3; ++i) {
        out[i] = x[i] + h / 6.0 * sum[i];
    }
    if (euler && method != HF_METHOD_EULER) {
        out[0] = x[0] + h * out[1]; // positions with the new velocities
    }
    out[1] /= w;
}

static bool lagging_is_stable(hf_method_type method, const oscillator *o, double h)
{
    double a[3][3], b[3][3], w = sqrt(o->stiffness * o->inverse_mass);
    for (int c = 0; c < 3; ++c) {
        double column[3];
        lagging_map(method, o, h, w, c, column);
        for (int r = 0; r < 3; ++r) {
            a[r][c] = column[r];
        }
    }
    // 2^14 steps by squaring; a growth of 1e-3 a step is then a factor of 1e7
    double size = 0.0;
    for (int i = 0; i < 14; ++i) {
        size = 0.0;
        for (int r = 0; r < 3; ++r) {
            for (int c = 0; c < 3; ++c) {
                b[r][c] = a[r][0] * a[0][c] + a[r][1] * a[1][c] + a[r][2] * a[2][c];
                if (!(fabs(b[r][c]) <= 1e100)) {
                    return false;
                }
                size = fmax(size, fabs(b[r][c]));
            }
        }
        memcpy(a, b, sizeof a);
    }
    return size <= 1e6;
}

static bool held_is_stable(hf_method_type method, const oscillator *o, bool implicit, double h)
{
    if (o->lag > 0.0) {
        return lagging_is_stable(method, o, h);
    }
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
// Advice

// Whether the law sees tau along this row: friction elements do, springs do not.
static bool sees_tau(hf_law_type law, int axis)
{
    return law == HF_LAW_STICTION || (law == HF_LAW_CONTACT && axis > 0) ||
           (law == HF_LAW_RIGID_CONTACT && axis > 0) ||
           (law == HF_LAW_PENALTY_CONTACT && axis > 0) || (law == HF_LAW_JOINT && axis == 5);
}

// Laws that methods with exact contacts take as they are: no stiffness, no limit.
static bool is_set_valued(hf_law_type law)
{
    return law == HF_LAW_RIGID_CONTACT || law == HF_LAW_COULOMB || law == HF_LAW_STOP;
}

hf_stability hf_sim_stability(hf_sim *sim, hf_force force)
{
    const hf_model *model = sim->model;
    HF_ASSERT(force.id >= 1 && force.id <= model->force_count);
    const hf_force_place *place = &model->forces[model->force_order[force.id - 1]];
    hf_method_type method = sim->core->method.type;
    hf_stability advice = {.largest_step = INFINITY, .effective_mass = INFINITY};
    if (place->law == HF_LAW_FORCE || (sim->exact_contacts && is_set_valued(place->law))) {
        return advice;
    }
    for (int axis = 0; axis < place->dim; ++axis) {
        oscillator o = {.theta = sim->core->method.theta};
        bool implicit = sees_tau(place->law, axis);
        if (place->info->linear != NULL) {
            place->info->linear(place->def, axis, &o.stiffness, &o.damping);
        }
        o.lag = place->info->lag == NULL ? 0.0 : place->info->lag(place->def, axis);
        sim->fresh = false;
        hf_sim_refresh(sim, hf_method_first_tau(method, sim->core->method.step));
        o.inverse_mass = hf_force_inverse_mass(sim, place, axis);
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
