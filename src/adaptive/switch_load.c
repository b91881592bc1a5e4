// SPDX-License-Identifier: Apache-2.0
// Frictions whose level is in proportion to the force of a stop that is solved for with them.
//
// Found by repetition: bounds from the last normal forces, new normal forces from these bounds.
// Where the friction does not change the stop's force (a block on a floor) the second round
// repeats the first. Otherwise it contracts as long as friction times the coupling of the two
// directions is small; where it is not, the rigid problem may have no or several solutions
// (Painleve), and none is given.
#include <math.h>
#include <string.h>

#include "adaptive/switch.h"
#include "solvers/box_lcp.h"
#include "solvers/least_norm.h"

// A change of loads below this part of the largest is rounding.
#define LOAD_SLACK 1e-13
enum { MOST_ROUNDS = 200 };

int hf_switch_listed(const hf_switch *own, int n, int element)
{
    for (int i = 0; i < n; ++i) {
        if (own->list[i] == element) {
            return i;
        }
    }
    return -1;
}

// Whether f is what it was before, to rounding; remembers it.
static bool settled(hf_switch *own, int n)
{
    double change = 0.0, largest = 0.0;
    for (int i = 0; i < n; ++i) {
        change = fmax(change, fabs(own->f[i] - own->before[i]));
        largest = fmax(largest, fabs(own->f[i]));
        own->before[i] = own->f[i];
    }
    return change <= LOAD_SLACK * largest;
}

bool hf_switch_solve(hf_switch *own, int n)
{
    hf_box_lcp problem = {.n = n, .w = own->w, .c = own->c, .low = own->low, .high = own->high};
    bool loaded = false;
    memset(own->before, 0, (size_t)n * sizeof *own->before);
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        for (int i = 0; i < n; ++i) {
            const hf_bound *b = &own->bounds[i];
            double normal = b->load < 0 ? 0.0 : fabs(own->before[b->load]);
            loaded = loaded || b->load >= 0;
            own->low[i] = b->low - b->low_rise * normal;
            own->high[i] = b->high + b->high_rise * normal;
        }
        if (hf_box_lcp_solve(&problem, own->f, own->side, own->work) < 0) {
            return false;
        }
        if (!loaded || settled(own, n)) {
            return true;
        }
    }
    return false;
}

bool hf_switch_hold(hf_switch *own, const hf_element *island, int n, int m)
{
    memset(own->before, 0, (size_t)n * sizeof *own->before);
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        // c without what the loaded frictions in slip take; low is free here
        for (int i = 0; i < n; ++i) {
            own->low[i] = own->c[i];
            for (int k = n; k < m; ++k) {
                const hf_element *e = &island[own->list[k]];
                int load = hf_switch_listed(own, n, e->load);
                double normal = load < 0 ? 0.0 : fabs(own->before[load]);
                own->low[i] -= own->w[i * m + k] * e->mode * e->slope * normal;
            }
            memcpy(own->copy + i * n, own->w + i * m, (size_t)n * sizeof *own->w);
        }
        (void)hf_least_norm_solve(n, own->copy, own->low, own->f, own->work);
        if (m == n || settled(own, n)) {
            return true;
        }
    }
    return false;
}
