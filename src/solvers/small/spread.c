// SPDX-License-Identifier: Apache-2.0
// How an impact spreads over bodies that rest on others.
#include "solvers/small/spread.h"

#include <math.h>

// Reflections one after the other, and sweeps for one of them. Where these do not do, Newton's rule
// is what is left.
enum { MOST_REFLECTIONS = 200, MOST_SWEEPS = 2000 };

// Speeds below this share of the fastest approach are none; reflections are solved to the second.
static const double NOTHING = 1e-9, SOLVED = 1e-13;

// Poses reflection `index`. False: nothing approaches any more.
static bool pose(const hf_spread *sp, int index)
{
    bool some = false;
    // Pairs of which some contact approaches
    for (int i = 0; i < sp->count; ++i) {
        double *reached = &sp->reached[sp->set[i]];
        sp->goal[i] = NAN;
        if (isnan(sp->u[i]) || *reached < 0.0) {
            continue;
        }
        double u = sp->u[i] + sp->moved(sp->bodies, i);
        sp->goal[i] = u;
        if (u < -NOTHING * sp->fastest) {
            sp->struck[sp->pair[i]] = index + 1;
            *reached = index > 0 && sp->grounded(sp->bodies, i) ? -1.0 : index + 1;
        }
    }
    // with all their contacts, of sets that no ground has ended
    for (int i = 0; i < sp->count; ++i) {
        bool in_it = !isnan(sp->goal[i]) && sp->reached[sp->set[i]] > 0.0 &&
                     sp->struck[sp->pair[i]] == index + 1;
        some = some || in_it;
        sp->goal[i] = in_it ? fmax(-sp->goal[i], 0.0) : NAN;
        sp->r[i] = 0.0;
    }
    return some;
}

// r >= 0, u >= goal, one of them met, for all contacts of a reflection. False: not found.
static bool reflect(const hf_spread *sp)
{
    for (int sweep = 0; sweep < MOST_SWEEPS; ++sweep) {
        double change = 0.0;
        for (int i = 0; i < sp->count; ++i) {
            double weight = isnan(sp->goal[i]) ? 0.0 : sp->weight(sp->bodies, i);
            if (!(weight > 0.0)) {
                continue;
            }
            double off = sp->goal[i] - (sp->u[i] + sp->moved(sp->bodies, i));
            double r = fmax(sp->r[i] + off / weight, 0.0);
            change = fmax(change, fabs(r - sp->r[i]) * weight);
            sp->push(sp->bodies, i, r - sp->r[i]);
            sp->r[i] = r;
        }
        if (change <= SOLVED * sp->fastest) {
            return true;
        }
    }
    return false;
}

bool hf_spread_blows(const hf_spread *sp)
{
    for (int i = 0; i < sp->count; ++i) {
        sp->struck[i] = 0;
    }
    for (int index = 0; index < MOST_REFLECTIONS; ++index) {
        if (!pose(sp, index)) {
            return true;
        }
        if (!reflect(sp)) {
            return false;
        }
    }
    return false;
}

double hf_spread_parts(const hf_spread *sp, int i)
{
    double parts = sp->u[i] + sp->moved(sp->bodies, i);
    return parts > NOTHING * sp->fastest ? parts : 0.0;
}
