// SPDX-License-Identifier: Apache-2.0
// Rows of loops that are not scaled to a unit diagonal: those of rounding alone, and those that are
// a small part of the others of their loop.
#include <math.h>

#include "bodies/loop.h"
#include "loops/loops.h"
#include "math/vec.h"

// Rounding of numbers of this size.
#define ROUNDING 1e-14
// Rows that move less than this part of their loop's others have their scale [-].
#define SMALL_PART 1e-3

// The largest |number| of a row: two at a time, which do not wait for each other.
static double largest_entry(const double *row, int columns)
{
    double even = 0.0, odd = 0.0;
    int k = 0;
    for (; k + 1 < columns; k += 2) {
        double a = fabs(row[k]), b = fabs(row[k + 1]);
        even = a > even ? a : even;
        odd = b > odd ? b : odd;
    }
    if (k < columns) {
        even = fabs(row[k]) > even ? fabs(row[k]) : even;
    }
    return even > odd ? even : odd;
}

// The scale of the row that moves most, of those of a loop that turn or of the others.
static double least_scale(const hf_cluster_state *state, const hf_loop_place *loop, int first,
                          bool turns)
{
    double least = INFINITY;
    for (int r = 0; r < loop->rows; ++r) {
        double scale = state->scale[first + r];
        bool counts = scale > 0.0 && hf_loop_row_turns(loop->joint.type, r) == turns;
        least = counts ? fmin(least, scale) : least;
    }
    return least;
}

// How far the end of a loop is from the world's origin: arms are differences of such numbers.
static double distance_of(const hf_sim *sim, const hf_loop_end *end, hf_vec3 point)
{
    return hf_v3_norm(sim->poses[end->pose].position) + hf_v3_norm(point);
}

// Rows that consist of rounding alone are left out: scaled to a unit diagonal like the others they
// would lock the machine. A hinge that closes a planar chain has such rows where its axis is off by
// the last digit; a slide beside slides of the same direction has no others. Rows of rotation are
// compared with 1; rows of position with the longest of their loop, with 1, which is what a slide
// along them gives, and with the coordinates of the ends, whose rounding is in their arms.
//
// Of a planar chain that is turned a little out of the world's axes one row is a small part of the
// others, and what it has of its own is rounding: scaled to one, its rounding would be as large as
// what the others ask for. Rows below SMALL_PART of the one that moves most, of their loop and of
// their kind, have that one's scale.
void hf_cluster_scale_rows(const hf_sim *sim, const hf_cluster *cluster)
{
    hf_cluster_state *state = hf_cluster_state_of(sim, cluster);
    int columns = cluster->columns;
    for (int i = 0; i < cluster->loop_count; ++i) {
        const hf_loop_place *loop = &sim->model->loops[cluster->first_loop + i];
        int first = loop->row - cluster->row;
        if (loop->joint.type == HF_LOOP_RATIO) { // its factors are as small as they are given
            continue;
        }
        double size = fmax(1.0, distance_of(sim, &loop->on, loop->joint.on_point) +
                                    distance_of(sim, &loop->to, loop->joint.to_point));
        double own[HF_LOOP_MAX_ROWS];
        for (int r = 0; r < loop->rows; ++r) {
            own[r] = largest_entry(state->jacobian + (first + r) * columns, columns);
            size = hf_loop_row_turns(loop->joint.type, r) ? size : fmax(size, own[r]);
        }
        for (int r = 0; r < loop->rows; ++r) {
            bool turns = hf_loop_row_turns(loop->joint.type, r);
            double *scale = &state->scale[first + r],
                   least = least_scale(state, loop, first, turns);
            *scale = own[r] < ROUNDING * (turns ? 1.0 : size) ? 0.0
                     : *scale * SMALL_PART > least            ? least
                                                              : *scale;
        }
    }
}
