// SPDX-License-Identifier: Apache-2.0
// What the kinds of bodies keep of each body. Their functions are in the tables of body.h.
#ifndef HF_BODIES_BODIES_H
#define HF_BODIES_BODIES_H

#include "bodies/body.h"
#include "bodies/tree.h"

// Coordinates along world axes: what masses and driven bodies share.
typedef struct hf_point {
    int q, v, dim;
    int pose;    // -1: no coupling in space looks at it
    int shifts;  // this many coordinates, the first, are shifts: all but angles of driven bodies
    int axes[3]; // world axis of each shift
} hf_point;

// Point mass in 1, 2 or 3 dimensions.
typedef struct hf_mass {
    hf_point point;
    double mass, inverse_mass;
    double gravity[3];         // along its own coordinates [m/s^2]
    double root, inverse_root; // of the mass: M = L L'
} hf_mass;

// Rigid body: q is position and quaternion, v velocity and angular velocity in world axes.
typedef struct hf_rigid {
    int q, v;
    int pose;
    double mass, inverse_mass;
    hf_sym3 inertia, inverse_inertia; // body axes
    double root, inverse_root;        // of the mass: M = L L'
    double lower[6];                  // L of the inertia, body axes: xx, yx, yy, zx, zy, zz
    bool counts;                      // q has the turns about its own axes, too
} hf_rigid;

// Scenery.
typedef struct hf_static_body {
    int pose;
    hf_pose place;
} hf_static_body;

// A body whose motion is given (hf_drive).
typedef struct hf_driven {
    hf_point point;
    bool by_velocity;     // positions are integrated
    int angles;           // 0, 1 or 3 coordinates, the last: turns about the axes below
    hf_vec3 turn_axes[3]; // each turned by the angles behind it
    hf_mat3 base;         // orientation at zero angles
} hf_driven;

// A tree: its links are the bodies that the spec names.
typedef struct hf_tree_body {
    hf_tree_model tree;
    int q, v;
    int pose;       // of its first link; links follow
    bool has_poses; // some coupling looks at a link
    bool keeps;     // hf_tree_keeps
    // It and the three behind it are alike to the bit, and evenly laid out: they go side by side.
    bool leads;
    // Offsets of its scratch, of where its links are, and, behind that, of its mass (tree_kept.c)
    size_t work, places, kept;
    // hf_tree_find_ways; it begins with the velocity before each on the way to the world; -1: none
    const int *above;
} hf_tree_body;

// Finds trees that go side by side, where all of them are laid out (links.c).
void hf_trees_find_lanes(hf_tree_body *trees, int count);

// Whether a tree keeps its mass matrix and velocity products, and the room for them, in numbers
// that are zero at the beginning (tree_kept.c).
bool hf_tree_keeps(const hf_tree_model *tree);
size_t hf_tree_kept_size(const hf_tree_model *tree, const int *ways);
// Of such a tree: the factor of its mass at q, with M behind it; NULL: M is not positive definite.
// Its velocity products, M v' = u - c. work, places: as of hf_body_io; the first of the tree.
const double *hf_tree_factor_at(const hf_tree_body *body, const double *q, double *work,
                                double *places);
const double *hf_tree_products_at(const hf_tree_body *body, const double *q, const double *v,
                                  double *work, double *places);
// v' by them, of all forces, wrenches and gravity; false: M is not positive definite.
bool hf_tree_forward_by_mass(const hf_tree_body *body, const hf_body_io *io, double *dv);

// A body of the caller's own kind.
typedef struct hf_own_body {
    const hf_body_kind *kind;
    const void *def;
    int q, v, n;
    hf_vec3 gravity;
} hf_own_body;

// rigid_spin.c
void hf_rigid_spin(const void *bodies, int count, const hf_body_turn *turn);
// tree_spin.c
void hf_tree_spin(const void *bodies, int count, const hf_body_turn *turn);

// Numbers of a definition by name: k = 0 is the mass, 1 to 6 the inertia; false: another
// (bodies.c).
bool hf_body_inertia_number(double *mass, hf_sym3 *inertia, int k, hf_body_number *number);

// A point of a definition.
hf_point hf_point_at(const hf_body_spot *spot, int dim, const int *axes);
// Place in space of a point, and the way back: the wrench on it as generalized forces.
hf_pose hf_point_pose(const hf_point *point, const double *q, const double *v);
void hf_point_gather(const hf_point *point, const hf_wrench *wrenches, double *u);

#endif
