// SPDX-License-Identifier: Apache-2.0
// Friction-contact problems in the space of the bodies' velocities: with v = M^-1 H r,
//
//   u = H' v + C r + q,    W = H' M^-1 H + C                                                  (1)
//
// and matrices M + H G H', G one 3x3 block for each contact, whose graph is that of the bodies.
//
// A body's freedoms are filled up to a multiple of three with idle ones: vectors of velocities have
// 3 rows numbers, those of body b from 3 row[b] on. Bodies without contacts have none.
#ifndef HF_SOLVERS_FC3D_FC3D_SPACE_H
#define HF_SOLVERS_FC3D_FC3D_SPACE_H

#include <holdfast/fc3d.h>

#include "base/arena.h"
#include "math/lanes.h"
#include "solvers/lu/block_lu.h"
#include "solvers/lu/tile_lu.h"

typedef struct hf_fc3d_space {
    hf_arena arena;
    hf_block_lu *lu;
    hf_tile_lu *rigid; // where all bodies that are touched have six freedoms
    // Capacities.
    int most_bodies, most_rows, most_contacts, most_blocks;
    size_t most_mass, most_map;

    // The problem at hand.
    const hf_fc3d_bodies *b;
    int contacts;
    int rows;            // of three freedoms
    int *row;            // [bodies + 1] first row of each
    size_t *mass_at;     // [bodies + 1] where its block of M is
    size_t *map_at;      // [2 contacts] where the parts of H' are
    double *inverted;    // M^-1 when the problem has none
    double *turned;      // H' M^-1, as the map is kept
    const double *moves; // the same, or the map itself where M is one
    double *diagonal;    // [contacts][9] W_ii, with C

    // The matrix's pattern; made when it is first needed.
    bool near_known, planned;
    int *touch_start, *touch; // contacts of each body
    int *near_start, *near;   // bodies that a body shares contacts with, and itself: ascending
    int *place;               // [bodies + 1] scratch
    int *offset;              // [2 contacts] where `near` has the other body of a contact
    int *own;                 // [bodies] where it has the body itself
    size_t *tile_at;          // where the matrix of a body and one of `near` is
    double *tiles;            // those matrices, row by row
    double *stiffened;        // [3][freedoms of the largest body]
    int *start, *column;      // the same in rows and blocks
    double *blocks;           // [start[rows]][9]
    bool six;                 // all bodies that are touched have six freedoms
    int *node_start, *node;   // their pattern, a node each
} hf_fc3d_space;

// Room for `problem`, which has bodies, and takes it up as below; the second for its matrices, too.
// Allocate only when there is too little.
hf_status hf_fc3d_space_open(hf_fc3d_space *space, const hf_fc3d_problem *problem);
hf_status hf_fc3d_space_reserve(hf_fc3d_space *space, const hf_fc3d_problem *problem);
void hf_fc3d_space_free(hf_fc3d_space *space);

// Takes up a problem: where its parts are, M^-1 H, W_ii. HF_ERROR_RANGE: too little room;
// HF_ERROR_INPUT: M is not positive definite. Allocates nothing.
hf_status hf_fc3d_space_start(hf_fc3d_space *space, const hf_fc3d_problem *problem);

// v := M^-1 H r
void hf_fc3d_space_move(const hf_fc3d_space *space, const double *r, double *v);
// u := H' v
void hf_fc3d_space_feel(const hf_fc3d_space *space, const double *v, double *u);
// u += C r
void hf_fc3d_space_idle(const hf_fc3d_space *space, const double *r, double *u);
// f := H r
void hf_fc3d_space_push(const hf_fc3d_space *space, const double *r, double *f);

// Which bodies share contacts, once for a problem.
void hf_fc3d_space_find_near(hf_fc3d_space *space);
// Orders and plans M + H G H'; `grow` as with hf_block_lu_plan.
hf_status hf_fc3d_space_plan(hf_fc3d_space *space, bool grow);
// Factorizes M + H G H', G: [contacts][9]. False when it is not finite.
bool hf_fc3d_space_factorize(hf_fc3d_space *space, const double *g);
// The same by tiles (tile_lu.h), where space->six and M = 1; false also where there is no memory
// for it. hf_fc3d_space_reserve makes room.
bool hf_fc3d_space_rigid(const hf_fc3d_space *space);
hf_status hf_fc3d_space_rigid_plan(hf_fc3d_space *space, bool grow);
bool hf_fc3d_space_rigid_factorize(hf_fc3d_space *space, const double *g);
// x := (M + H G H')^-1 x
static inline void hf_fc3d_space_solve(const hf_fc3d_space *space, double *x)
{
    hf_block_lu_solve(space->lu, x);
}

// u += A v of a map [3][n], or v += A' r; and the same for a rigid body, which has six freedoms.
static inline void hf_fc3d_part_feel(const double *map, int n, const double *v, double u[3])
{
    double a = 0.0, b = 0.0, c = 0.0;
    for (int k = 0; k < n; ++k) {
        a += map[k] * v[k];
        b += map[n + k] * v[k];
        c += map[2 * n + k] * v[k];
    }
    u[0] += a;
    u[1] += b;
    u[2] += c;
}

static inline void hf_fc3d_part_move(const double *map, int n, const double r[3], double *v)
{
    for (int k = 0; k < n; ++k) {
        v[k] += map[k] * r[0] + map[n + k] * r[1] + map[2 * n + k] * r[2];
    }
}

static inline void hf_fc3d_six_feel(const double *map, const double *v, double u[3])
{
    hf_two x = hf_two_load(v), y = hf_two_load(v + 2), z = hf_two_load(v + 4);
    hf_two a = hf_two_load(map) * x + hf_two_load(map + 2) * y + hf_two_load(map + 4) * z;
    hf_two b = hf_two_load(map + 6) * x + hf_two_load(map + 8) * y + hf_two_load(map + 10) * z;
    hf_two c = hf_two_load(map + 12) * x + hf_two_load(map + 14) * y + hf_two_load(map + 16) * z;
    u[0] += a[0] + a[1];
    u[1] += b[0] + b[1];
    u[2] += c[0] + c[1];
}

static inline void hf_fc3d_six_move(const double *map, const double r[3], double *v)
{
    double a = r[0], b = r[1], c = r[2];
    hf_two x = hf_two_load(v), y = hf_two_load(v + 2), z = hf_two_load(v + 4);
    x += hf_two_load(map) * a + hf_two_load(map + 6) * b + hf_two_load(map + 12) * c;
    y += hf_two_load(map + 2) * a + hf_two_load(map + 8) * b + hf_two_load(map + 14) * c;
    z += hf_two_load(map + 4) * a + hf_two_load(map + 10) * b + hf_two_load(map + 16) * c;
    HF_LANES_STORE(v, x);
    HF_LANES_STORE(v + 2, y);
    HF_LANES_STORE(v + 4, z);
}

#endif
