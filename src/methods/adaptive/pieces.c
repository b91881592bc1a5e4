// SPDX-License-Identifier: Apache-2.0
// Pieces between jumps and kinks of the inputs.
//
// Those at known times are in the model. The others are where a switching function of a signal
// changes its sign (hf_signal_switches). These are functions of time alone: the next change is
// looked for before the integrator goes there, so that no step, however long, passes over two of
// them. The search walks in steps within which each function is about a parabola: it bends by at
// most half of its size, and the parabola through both ends and the middle has no two zeros inside.
#include <float.h>
#include <math.h>
#include <string.h>

#include "methods/adaptive/integrator.h"

// The first step of the walk, as a part of max(1 s, t); it doubles as long as it may.
#define FIRST_STEP 1e-6
// Steps of one walk. Where none of them finds a change the piece ends there, and the next begins.
enum { MOST_STEPS = 2000 };

// Below this tolerance kinks cost more rejected steps than beginnings would: pieces end at them.
static const double LOG_RTOL = 1e-8;

bool hf_integrator_at_jump(const hf_integrator *integrator, double t)
{
    return t >= integrator->until - hf_near_time(t);
}

// Whether some function of n has another sign at one place than at the other.
static bool differs(int n, const double *a, const double *b)
{
    bool found = false;
    for (int i = 0; i < n; ++i) {
        found = found || (a[i] > 0.0) != (b[i] > 0.0);
    }
    return found;
}

// Whether functions with these values at both ends of a step and its middle may have two zeros
// within one half of it, or bend too much to tell.
static bool is_too_long(int n, const double *a, const double *middle, const double *b)
{
    bool found = false;
    for (int i = 0; i < n; ++i) {
        double bend = 0.5 * (a[i] + b[i]) - middle[i]; // f = middle + s (b - a)/2 + s^2 bend
        double slope = 0.5 * (b[i] - a[i]), least = middle[i];
        if (fabs(slope) < 2.0 * fabs(bend)) {
            least -= 0.25 * slope * slope / bend;
        }
        bool same = (a[i] > 0.0) == (middle[i] > 0.0) && (middle[i] > 0.0) == (b[i] > 0.0);
        double size = fmax(fabs(a[i]), fmax(fabs(middle[i]), fabs(b[i])));
        found = found || fabs(bend) > 0.5 * size || (same && (least > 0.0) != (middle[i] > 0.0));
    }
    return found;
}

// The first time after a change between low and high, to the last bit.
static double locate(const hf_integrator *integrator, int signal, int n, double low, double high,
                     const double *before, double *values)
{
    for (;;) {
        double middle = low + 0.5 * (high - low);
        if (!(middle > low && middle < high)) {
            return high;
        }
        hf_signal_switches(integrator->sim, signal, middle, values);
        if (differs(n, before, values)) {
            high = middle;
        } else {
            low = middle;
        }
    }
}

// The next change of one signal after t, before `until`; else `until`, or as far as the walk went.
static double next_switch(const hf_integrator *integrator, int signal, double t, double until)
{
    const hf_sim *sim = integrator->sim;
    int n = hf_signal_switch_count(sim->model, signal), room = integrator->switch_room;
    double *a = integrator->switch_values, *middle = a + room, *b = middle + room;
    double *work = b + room, h = FIRST_STEP * fmax(1.0, fabs(t));
    double at = t + HF_JUST * DBL_EPSILON * fmax(fabs(t), HF_LEAST_TIME); // just after t
    // From just after t in growing strides, each looked at in its middle
    hf_signal_switches(sim, signal, at, a);
    for (int k = 0; k < MOST_STEPS && at < until; ++k) {
        double end = fmin(at + h, until), half = at + 0.5 * (end - at);
        if (!(half > at && end > half)) {
            return until;
        }
        hf_signal_switches(sim, signal, half, middle);
        hf_signal_switches(sim, signal, end, b);
        bool first = differs(n, a, middle), second = differs(n, middle, b);
        bool shortest = h <= FIRST_STEP * fmax(1.0, fabs(t));
        // Shorter where something may have changed twice
        if (!shortest && is_too_long(n, a, middle, b)) {
            h *= 0.5;
            continue;
        }
        // Located in the half that it changes in
        if (first || second) {
            return first ? locate(integrator, signal, n, at, half, a, work)
                         : locate(integrator, signal, n, half, end, middle, work);
        }
        memcpy(a, b, (size_t)n * sizeof *a);
        at = end;
        h *= 2.0;
    }
    return fmin(at, until);
}

void hf_integrator_find_piece(hf_integrator *integrator, double t)
{
    const hf_model *model = integrator->sim->model;
    // Through logs by steps of their own spacing, where the package has a setting for it
    bool logs = integrator->package->goes_through_logs && integrator->rtol >= LOG_RTOL;
    const double *jumps = logs ? model->stops : model->jumps;
    int count = logs ? model->stop_count : model->jump_count, next = 0;
    integrator->log_step = logs ? model->log_step : 0.0;
    while (next < count && jumps[next] <= t + hf_near_time(t)) {
        ++next;
    }
    integrator->from = next > 0 ? fmax(t, jumps[next - 1]) : t;
    integrator->until = next < count ? jumps[next] : INFINITY;
    for (int i = 0; i < model->signal_count && integrator->switch_room > 0; ++i) {
        if (hf_signal_switch_count(model, i) > 0) {
            integrator->until = next_switch(integrator, i, integrator->from, integrator->until);
        }
    }
}
