// SPDX-License-Identifier: Apache-2.0
// Roots within an internal step: the first place where a root function falls through zero.
//
// Functions are looked at on the integrator's own interpolation, in strides of their own: a machine
// at rest is integrated in steps of any length, while its loads swing. A stride is as long as the
// parabola through both ends and the middle follows each function; it doubles as long as it may.
// A function that is positive at all three may still dip below zero in between: a load that swings
// just above what friction holds, a gap that closes and opens. Where a parabola comes near zero, or
// bends too much, the stride is looked at in halves, and halves of halves. So what is found does
// not depend on where states are recorded.
//
// Rounding bends at any length: of a function that is zero but for its last digits, strides would
// become as short as the time's own digits. Within an internal step the state is a polynomial, so
// a stride is at least a small part of that step, or of a usual stride where steps are long.
#include <float.h>
#include <math.h>
#include <string.h>

#include "methods/adaptive/integrator.h"

// A parabola whose least value is below this part of its bend is not trusted to stay above zero:
// cubes and fourth powers of a function bend it by less.
#define NEAR 0.1
// A parabola may have its least value this far from the middle, in halves of the stretch: a little
// outside, as it is not the function.
#define ASIDE 1.25
// A function that bends by more than this part of its size within a stride is not seen well.
#define BENT 0.05
// The first stride is at most this [s].
#define FIRST_STRIDE 1e-4
// No stride is shorter than this part of the internal step or of FIRST_STRIDE.
#define LEAST_STRIDE (1.0 / 512.0)

// Root functions at time t of the last step.
static int look(hf_integrator *integrator, double t, double *g)
{
    hf_side side;
    bool closed = true;
    // Before the first step the state is there
    int flag = integrator->steps == 0 ? 0 : integrator->package->at(integrator, t);
    if (flag < 0) {
        return flag;
    }
    double *trial =
        hf_integrator_trial(integrator, &t, &side, N_VGetArrayPointer(integrator->x), &closed);
    integrator->roots(integrator->sim, t, side, trial, g);
    integrator->sim->fresh = false;
    return 0;
}

static bool falls(double before, double after)
{
    return before > 0.0 && after <= 0.0;
}

static bool some_falls(int n, const double *before, const double *after)
{
    bool found = false;
    for (int i = 0; i < n; ++i) {
        found = found || falls(before[i], after[i]);
    }
    return found;
}

// Whether some function with these values at both ends of a stretch and its middle bends much, or
// may dip below zero inside.
static bool looks_closer(int n, const double *a, const double *middle, const double *b)
{
    bool found = false;
    for (int i = 0; i < n; ++i) {
        double bend = 0.5 * (a[i] + b[i]) - middle[i]; // g = middle + s (b - a)/2 + s^2 bend
        double slope = 0.5 * (b[i] - a[i]);
        double size = fmax(fabs(a[i]), fmax(fabs(middle[i]), fabs(b[i])));
        bool dips = bend > 0.0 && fabs(slope) < 2.0 * ASIDE * bend && a[i] > 0.0 && b[i] > 0.0;
        found = found || fabs(bend) > BENT * size ||
                (dips && middle[i] - 0.25 * slope * slope / bend < NEAR * bend);
    }
    return found;
}

// Where the function that falls most would be zero on a line: the weight of the end that stays is
// changed until both ends move (Illinois).
static double guess(int n, double low, double high, const double *before, const double *after,
                    double weight)
{
    double most = 0.0;
    int chosen = -1;
    for (int i = 0; i < n; ++i) {
        double part = falls(before[i], after[i]) ? after[i] / (after[i] - before[i]) : 0.0;
        if (falls(before[i], after[i]) && (chosen < 0 || part > most)) {
            most = part;
            chosen = i;
        }
    }
    return high - (high - low) * after[chosen] / (after[chosen] - weight * before[chosen]);
}

// Whether only such functions fall as may be found late, and have not fallen far.
static bool is_late_enough(const hf_integrator *integrator, const double *before,
                           const double *after)
{
    int n = integrator->root_count;
    bool late = integrator->late_roots > 0;
    for (int i = 0; i < n && late; ++i) {
        late = !falls(before[i], after[i]) ||
               (i >= n - integrator->late_roots && after[i] >= -HF_ROOT_LATE);
    }
    return late;
}

// The first fall between low and high, where some function falls: to root_at, just after it.
static int locate(hf_integrator *integrator, double low, double high, const double *at_low,
                  const double *at_high)
{
    int n = integrator->root_count, flag = 0, last = 0;
    size_t size = (size_t)n * sizeof(double);
    double *before = integrator->root_values + 2 * n, *after = before + n, *trial = after + n;
    double near = HF_ROOT_NEAR * DBL_EPSILON * (fabs(high) + fabs(high - low)), weight = 1.0;
    // The bracket
    memcpy(before, at_low, size);
    memcpy(after, at_high, size);
    // Between its ends by secants, the end that stays counting less (Illinois)
    while (high - low > near && flag >= 0 && !is_late_enough(integrator, before, after)) {
        double t = guess(n, low, high, before, after, weight), wide = (high - low) / near;
        double edge = (wide > 5.0 ? 0.1 : 0.5 / wide) * (high - low);
        t = t - low < 0.5 * near ? low + edge : high - t < 0.5 * near ? high - edge : t;
        flag = look(integrator, t, trial);
        bool left = some_falls(n, before, trial);
        int side = left ? -1 : 1;
        weight = side != last ? 1.0 : left ? 0.5 * weight : 2.0 * weight;
        last = side;
        if (left) {
            high = t;
        } else {
            low = t;
        }
        memcpy(left ? after : before, trial, size);
    }
    // Which functions fall in it
    for (int i = 0; i < n; ++i) {
        integrator->fallen[i] = falls(before[i], after[i]) ? -1 : 0;
    }
    integrator->root_at = high;
    return flag;
}

// The first fall between a and b, with the functions' values there.
static int find(hf_integrator *integrator, double a, double b, const double *at_a,
                const double *at_b, int depth)
{
    int n = integrator->root_count;
    double middle = a + 0.5 * (b - a), *values = integrator->root_values + (5 + depth) * n;
    if (!(middle > a && middle < b)) {
        return some_falls(n, at_a, at_b) ? locate(integrator, a, b, at_a, at_b) : 0;
    }
    int flag = look(integrator, middle, values);
    if (flag < 0) {
        return flag;
    }
    double least = LEAST_STRIDE * fmin(integrator->front - integrator->behind, FIRST_STRIDE);
    if (depth + 1 < HF_ROOT_DEPTH && b - a > least && looks_closer(n, at_a, values, at_b)) {
        integrator->stride = depth == 0 ? 0.5 * (b - a) : integrator->stride;
        flag = find(integrator, a, middle, at_a, values, depth + 1);
        return flag < 0 || isfinite(integrator->root_at)
                   ? flag
                   : find(integrator, middle, b, values, at_b, depth + 1);
    }
    return some_falls(n, at_a, values)   ? locate(integrator, a, middle, at_a, values)
           : some_falls(n, values, at_b) ? locate(integrator, middle, b, values, at_b)
                                         : 0;
}

int hf_integrator_search(hf_integrator *integrator)
{
    int n = integrator->root_count, flag = 0;
    if (n == 0) { // and root_values may be NULL
        integrator->look_again = false;
        integrator->searched = integrator->front;
        return 0;
    }
    double *left = integrator->root_values, *right = left + n;
    if (integrator->look_again) {
        flag = look(integrator, integrator->searched, left);
        integrator->look_again = false;
    }
    double a = integrator->searched, left_over = integrator->front - a;
    if (flag < 0 || !(left_over > 0.0)) {
        return flag;
    }
    // No last stride that is a small part of those before
    double stride = integrator->stride > 0.0 ? integrator->stride : FIRST_STRIDE;
    double parts = ceil(left_over / stride);
    double b = parts > 1.0 ? a + left_over / parts : integrator->front;
    b = b > a ? b : integrator->front;
    integrator->stride = fmax(stride, 2.0 * (b - a));
    flag = look(integrator, b, right);
    flag = flag < 0 ? flag : find(integrator, a, b, left, right, 0);
    if (flag >= 0 && !isfinite(integrator->root_at)) {
        memcpy(left, right, (size_t)n * sizeof *left);
        integrator->searched = b;
    }
    return flag;
}
