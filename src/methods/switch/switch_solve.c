// SPDX-License-Identifier: Apache-2.0
// The complementarity problem of elements at zero velocity, and of impacts.
//
// In one dimension frictions whose level is in proportion to the force of a stop that is solved for
// with them are found by repetition: bounds from the last normal forces, new normal forces from
// these bounds. Where the friction does not change the stop's force (a block on a floor) the second
// round repeats the first. Otherwise it contracts as long as friction times the coupling of the two
// directions is small; where it is not, the rigid problem may have no or several solutions
// (Painleve), and none is given.
#include <math.h>
#include <string.h>

#include "methods/switch/switch.h"
#include "methods/switch/switch_loads.h"
#include "solvers/small/box_lcp.h"
#include "solvers/small/least_norm.h"

// A change of loads below this part of the largest is rounding.
#define LOAD_SLACK 1e-13
enum { MOST_ROUNDS = 200 };
// How often contacts that would pull are left out.
enum { HELD_ROUNDS = 8 };
// A residual of mixed.h that is a solution.
#define SOLVED 1e-9
// e of solve_least, how often its part of the accelerations is put back, and a residual after that
// from which sweeps lead no further.
#define SOFT        1e-6
#define SOFT_ENOUGH 1e-10
enum { SOFT_ROUNDS = 2 };

int hf_switch_find(const hf_switch *own, int element)
{
    for (int i = 0; i < own->listed; ++i) {
        if (own->list[i] == element) {
            return i;
        }
    }
    return -1;
}

// Whether f is what it was before, to rounding; keeps f for the next call.
static bool settled(hf_switch *own, int n)
{
    double change = 0.0, largest = 0.0;
    for (int i = 0; i < n; ++i) {
        change = fmax(change, fabs(own->f[i] - own->ahead[i]));
        largest = fmax(largest, fabs(own->f[i]));
        own->ahead[i] = own->f[i];
    }
    return change <= LOAD_SLACK * largest;
}

static bool solve_boxes(hf_switch *own, int n)
{
    hf_box_lcp problem = {.n = n, .w = own->w, .c = own->c, .low = own->low, .high = own->high};
    bool loaded = false;
    memset(own->ahead, 0, (size_t)n * sizeof *own->ahead);
    for (int round = 0; round < MOST_ROUNDS; ++round) {
        for (int i = 0; i < n; ++i) {
            const hf_mixed_item *b = &own->items[i];
            double normal = b->load < 0 ? 0.0 : fabs(own->ahead[own->items[b->load].row]);
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

// ------------------------------------------------------------------------------------------------
// Many points of contact

// Rows of an item whose forces are unknowns while it holds.
static int unknowns_of(const hf_mixed_item *item)
{
    return item->law == HF_MIXED_SLIDE ? 1 : item->law == HF_MIXED_DRAG ? 0 : item->dim;
}

// The least forces own->f with which the items hold that are not left out (own->side of their first
// rows), as if they could pull too.
static void hold_all(hf_switch *own, int rows)
{
    int n = 0;
    for (int i = 0; i < own->listed; ++i) {
        const hf_mixed_item *item = &own->items[i];
        for (int k = 0; k < unknowns_of(item) && own->side[item->row] == 0; ++k) {
            own->held[n++] = item->row + k;
        }
    }
    // W of the unknowns, with the friction of what slides
    for (int i = 0; i < n; ++i) {
        const double *line = own->w + own->held[i] * rows;
        for (int j = 0; j < n; ++j) {
            own->copy[i * n + j] = line[own->held[j]];
        }
        own->low[i] = own->c[own->held[i]];
    }
    bool plain = !own->follows;
    for (int at = 0, j = 0; at < own->listed; ++at) {
        const hf_mixed_item *item = &own->items[at];
        bool out = own->side[item->row] != 0;
        for (int i = 0; i < n && !out && item->law == HF_MIXED_SLIDE; ++i) {
            const double *line = own->w + own->held[i] * rows + item->row;
            own->copy[i * n + j] -=
                item->mu * (line[1] * item->direction[0] + line[2] * item->direction[1]);
            plain = false;
        }
        j += out ? 0 : unknowns_of(item);
    }
    (void)(plain ? hf_least_norm_solve(n, own->copy, own->low, own->high, own->work)
                 : hf_least_norm_general(n, own->copy, own->low, own->high, own->work));
    // Forces of all rows
    memset(own->f, 0, (size_t)rows * sizeof *own->f);
    for (int i = 0; i < n; ++i) {
        own->f[own->held[i]] = own->high[i];
    }
    for (int at = 0; at < own->listed; ++at) {
        const hf_mixed_item *item = &own->items[at];
        double *f = own->f + item->row;
        for (int k = 0; k < 2 && item->law == HF_MIXED_SLIDE; ++k) {
            f[1 + k] = -item->mu * item->direction[k] * f[0];
        }
    }
}

// Forces to begin with: those that hold all, less the contacts that would pull. Points of contact
// are many and redundant, and where nothing gives way these are the solution already.
static void begin_held(hf_switch *own, int rows)
{
    memset(own->side, 0, (size_t)rows * sizeof *own->side);
    for (int round = 0, pulls = 1; round < HELD_ROUNDS && pulls; ++round) {
        hold_all(own, rows);
        pulls = 0;
        for (int i = 0; i < own->listed; ++i) {
            const hf_mixed_item *item = &own->items[i];
            bool contact = item->law == HF_MIXED_CONE || item->law == HF_MIXED_SLIDE;
            if (contact && own->side[item->row] == 0 && own->f[item->row] > 0.0) {
                own->side[item->row] = 1;
                pulls = 1;
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------
// One of several solutions

// What a unit of force costs: of contacts the same for all, of the others what they answer with.
static void set_costs(const hf_switch *own, int rows, double *cost)
{
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < own->listed; ++i) {
        const hf_mixed_item *item = &own->items[i];
        bool contact = item->law == HF_MIXED_CONE || item->law == HF_MIXED_SLIDE;
        sum += contact ? own->w[item->row * rows + item->row] : 0.0;
        count += contact ? 1 : 0;
    }
    for (int i = 0; i < own->listed; ++i) {
        const hf_mixed_item *item = &own->items[i];
        bool contact = item->law == HF_MIXED_CONE || item->law == HF_MIXED_SLIDE;
        for (int row = item->row; row < item->row + item->dim; ++row) {
            cost[row] = contact ? sum / count : own->w[row * rows + row];
        }
    }
}

// Of all solutions that of least size: W gets a little of the costs C on its diagonal, as of bodies
// that give a little, and what that takes from the accelerations is put back,
//   a = c + e C f_k - (W + e C) f_(k+1),   f_0 = 0,
// a proximal point method [Rockafellar1976]. So forces are a continuous function of their bounds,
// also where they are redundant, and loads that follow from them have a fixed point.
static double solve_least(hf_switch *own, hf_mixed *problem)
{
    int rows = problem->rows;
    double *cost = own->low, *before = own->high, *plain = own->ahead, *diagonal = own->copy;
    double residual = INFINITY;
    // Softer
    set_costs(own, rows, cost);
    for (int i = 0; i < rows; ++i) {
        before[i] = 0.0;
        plain[i] = own->c[i];
        diagonal[i] = own->w[i * rows + i];
        own->w[i * rows + i] += SOFT * cost[i];
    }
    // Solved, with what was taken put back
    for (int round = 0; round < SOFT_ROUNDS; ++round) {
        for (int i = 0; i < rows; ++i) {
            own->c[i] = plain[i] + SOFT * cost[i] * before[i];
        }
        problem->enough = round + 1 < SOFT_ROUNDS ? SOFT : SOFT_ENOUGH;
        residual = hf_mixed_solve(problem, own->f, own->work);
        memcpy(before, own->f, (size_t)rows * sizeof *before);
    }
    for (int i = 0; i < rows; ++i) {
        own->c[i] = plain[i];
        own->w[i * rows + i] = diagonal[i];
    }
    if (!(residual <= SOLVED)) { // near it any solution is better than none
        problem->enough = 0.0;
        residual = hf_mixed_solve(problem, own->f, own->work);
    }
    return residual;
}

// Many points of contact from other forces, where no solution was found: from none, and of the
// softer problem from those that hold and from none.
static double solve_again(hf_switch *own, hf_mixed *problem)
{
    size_t bytes = (size_t)problem->rows * sizeof *own->f;
    problem->enough = 0.0;
    memset(own->f, 0, bytes);
    double residual = hf_mixed_solve(problem, own->f, own->work);
    for (int held = 1; held >= 0 && !(residual <= SOLVED); --held) {
        memset(own->f, 0, bytes);
        if (held) {
            begin_held(own, problem->rows);
        }
        residual = solve_least(own, problem);
    }
    return residual;
}

// Boxes alone have a solver of their own, which needs a symmetric W.
static bool are_boxes(const hf_switch *own)
{
    bool boxes = !own->follows;
    for (int i = 0; i < own->listed; ++i) {
        boxes = boxes && own->items[i].law == HF_MIXED_BOX;
    }
    return boxes;
}

bool hf_switch_solve_forces(hf_switch *own, int rows)
{
    hf_mixed problem = {
        .rows = rows, .count = own->listed, .w = own->w, .c = own->c, .items = own->items};
    hf_switch_find_redundance(own, rows);
    if (!own->redundant || !are_boxes(own)) {
        return hf_switch_solve(own, rows);
    }
    memset(own->f, 0, (size_t)rows * sizeof *own->f);
    return solve_least(own, &problem) <= SOLVED || hf_switch_solve(own, rows);
}

bool hf_switch_solve(hf_switch *own, int rows)
{
    bool boxes = are_boxes(own);
    hf_mixed problem = {
        .rows = rows, .count = own->listed, .w = own->w, .c = own->c, .items = own->items};
    if (boxes) {
        bool solved = solve_boxes(own, rows);
        hf_mixed_ahead(&problem, own->f, own->ahead);
        return solved;
    }
    // Everything else together
    memset(own->f, 0, (size_t)rows * sizeof *own->f);
    if (hf_switch_has_points(own)) {
        begin_held(own, rows);
    }
    double residual =
        own->even ? solve_least(own, &problem) : hf_mixed_solve(&problem, own->f, own->work);
    if (!(residual <= SOLVED) && hf_switch_has_points(own)) {
        residual = solve_again(own, &problem);
    }
    if (!(residual <= SOLVED)) {
        return false;
    }
    hf_mixed_ahead(&problem, own->f, own->ahead);
    // On which side of its bounds each box ends
    double scale = 0.0;
    for (int i = 0; i < rows; ++i) {
        scale = fmax(scale, fabs(own->f[i]));
    }
    for (int i = 0; i < own->listed; ++i) {
        const hf_mixed_item *b = &own->items[i];
        if (b->law == HF_MIXED_BOX) {
            double normal = b->load < 0 ? 0.0 : fabs(own->f[own->items[b->load].row]);
            double low = b->low - b->low_rise * normal, high = b->high + b->high_rise * normal;
            double z = own->ahead[b->row], slack = SOLVED * scale;
            own->side[b->row] = z < low - slack ? -1 : z > high + slack ? 1 : 0;
        }
    }
    return true;
}
