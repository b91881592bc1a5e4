// SPDX-License-Identifier: Apache-2.0
// Frictions, contacts and stops at once: which hold, which break away and whereto, which open.
//
//   a = c - W f                                W positive semidefinite; it need not be symmetric
//
// a are accelerations and f forces, or velocities and impulses; f has the sign of the motion that
// it opposes. Each item owns neighbouring rows and has one of these laws:
//
//   box    low <= f <= high; a = 0 between, a <= 0 at low, a >= 0 at high
//   ball   |f| <= radius; a = 0 inside, a = k f with k >= 0 at the radius
//   drag   a friction that slips along d under a load: f = rise s d
//   cone   a contact at rest, rows (n, x, y): f_n <= 0, a_n >= 0, one of them zero; f_T in the ball
//          of radius mu |f_n|, with a_T as above
//   slide  a contact that slides along d: f_n and a_n as above, f_T = mu |f_n| d
//
// The bounds of boxes and balls may widen with a load s: the size of the force of a box without
// load, or of the normal force of a cone or slide. A box that is bounded on one side (a stop) and a
// ball of two rows that it loads are a cone.
//
// Loads, cones and slides make the problem one that may have no solution or several, where mu is
// large and the normal feels the tangents (Painleve).
#ifndef HF_SOLVERS_SMALL_MIXED_H
#define HF_SOLVERS_SMALL_MIXED_H

#include <stddef.h>

typedef enum hf_mixed_law {
    HF_MIXED_BOX,
    HF_MIXED_BALL,
    HF_MIXED_CONE,
    HF_MIXED_SLIDE,
    HF_MIXED_DRAG
} hf_mixed_law;

typedef struct hf_mixed_item {
    hf_mixed_law law;
    int row, dim;        // box: 1; ball and drag: 1 to 3; cone and slide: 3
    double low, high;    // box
    double low_rise,     // box: low - low_rise s
        high_rise;       // box: high + high_rise s
    double radius;       // ball
    double rise;         // ball: radius + rise s; drag
    int load;            // box, ball, drag: the item that s is of; -1: s = 0
    double mu;           // cone, slide
    double direction[3]; // slide: 2, in its tangents; drag: dim
} hf_mixed_item;

typedef struct hf_mixed {
    int rows, count;
    const double *w, *c;
    const hf_mixed_item *items;
    double enough; // a residual from which sweeps look for no smaller one; 0: that of rounding
} hf_mixed;

// Doubles of scratch for so many rows.
size_t hf_mixed_work(int rows);

// Finds f, from the f given: Newton's method on f = P(f + rho a), P the projections above, with a
// line search; sweeps from item to item where that leads nowhere. Returns the residual: the largest
// |f - P(f + rho a)| by the size of the forces. Not a number when the problem holds such.
double hf_mixed_solve(const hf_mixed *problem, double *f, double *work);

// f + rho a for a solution f: where it is outside of an item's set, the item moves that way.
void hf_mixed_ahead(const hf_mixed *problem, const double *f, double *ahead);

#endif
