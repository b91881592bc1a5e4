// SPDX-License-Identifier: Apache-2.0
// Elements of a compound law from a virgin curve.
#include <holdfast/laws/compound.h>

#include "check.h"
#include "element.h"

static hf_status check_curve(int points, const double *x, const double *f, hf_fault *fault)
{
    *fault = (hf_fault){0};
    if (points < 1)
        return hf_fault_set(fault, "displacements", "must have at least one point", points);
    for (int i = 0; i < points; i++) {
        if (!hf_is_finite(x[i]) || !(x[i] > (i > 0 ? x[i - 1] : 0.0)))
            return hf_fault_set(fault, "displacements", "must rise from above 0, and be finite",
                                x[i]);
        if (!hf_is_finite(f[i]) || !(f[i] >= (i > 0 ? f[i - 1] : 0.0)))
            return hf_fault_set(fault, "forces", "must not fall, and be finite", f[i]);
    }
    if (!(f[points - 1] > 0.0))
        return hf_fault_set(fault, "forces", "must not be all zero", f[points - 1]);
    return HF_OK;
}

// Slope of the piece that ends at corner i of a curve from the origin.
static double slope(const double *x, const double *f, int i)
{
    return i > 0 ? (f[i] - f[i - 1]) / (x[i] - x[i - 1]) : f[0] / x[0];
}

// Corners of the lowest concave curve above the points: a corner goes when the slope rises at it.
static int concave_corners(int points, const double *x, const double *f, double *cx, double *cf)
{
    int count = 0;
    for (int i = 0; i < points; i++) {
        cx[count] = x[i];
        cf[count] = f[i];
        while (count > 0 && slope(cx, cf, count) >= slope(cx, cf, count - 1)) {
            cx[count - 1] = cx[count];
            cf[count - 1] = cf[count];
            count--;
        }
        count++;
    }
    return count;
}

hf_status hf_compound_fit_curve(int points, const double *displacements, const double *forces,
                                double *levels, double *stiffnesses, hf_compound_fit *fit,
                                hf_fault *fault)
{
    *fit = (hf_compound_fit){0};
    hf_status status = check_curve(points, displacements, forces, fault);
    if (status != HF_OK)
        return status;
    double *x = levels, *f = stiffnesses; // first the corners, then, from the front, the elements
    int corners = concave_corners(points, displacements, forces, x, f);
    double here = slope(x, f, 0);
    for (int i = 0; i < corners; i++) {
        // The element that yields at corner i takes the curve's change of slope there.
        double next = i + 1 < corners ? slope(x, f, i + 1) : 0.0;
        double stiffness = here - next;
        here = next;
        if (!(stiffness > 0.0)) // a level end of the curve
            continue;
        levels[fit->count] = stiffness * x[i];
        stiffnesses[fit->count] = stiffness;
        fit->count++;
    }
    for (int i = 0; i < points; i++) {
        double sum = 0.0;
        for (int k = 0; k < fit->count; k++)
            sum += hf_sat(levels[k], stiffnesses[k] * displacements[i]);
        double off = hf_abs(sum - forces[i]);
        fit->deviation = off > fit->deviation ? off : fit->deviation;
    }
    return HF_OK;
}
