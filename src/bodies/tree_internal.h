// SPDX-License-Identifier: Apache-2.0
// Shared by the files of the tree.
#ifndef HF_BODIES_TREE_INTERNAL_H
#define HF_BODIES_TREE_INTERNAL_H

#include "bodies/tree_joint.h"

// Functions whose structs must end in registers: called, each would pass through memory.
#if defined(__GNUC__) || defined(__clang__)
#define HF_INLINE static inline __attribute__((always_inline))
#else
#define HF_INLINE static inline
#endif

// A link's inertia about its origin in the world's axes.
static inline hf_rigid_inertia hf_tree_world_inertia(const hf_tree_link *link, const hf_mat3 *r)
{
    return (hf_rigid_inertia){link->body.mass, hf_m3_mulv(r, link->body.moment),
                              hf_s3_rotated(r, &link->body.inertia)};
}

// All links at one configuration: their places, and the directions of all velocities.
typedef struct hf_tree_places {
    const hf_tree_place *links;
    const hf_vec3 *directions;
} hf_tree_places;

// Those at q, from `kept` (hf_tree_places_size numbers, zero at the beginning), which keeps the
// last two.
hf_tree_places hf_tree_places_at(const hf_tree_model *tree, const double *q, double *kept);

// The functions of tree.h where places are known; NULL: they are found link by link.
void hf_tree_poses_at(const hf_tree_model *tree, const hf_tree_places *places, const double *q,
                      const double *v, hf_pose *poses);
void hf_tree_forward_at(const hf_tree_model *tree, const hf_tree_places *places, const double *q,
                        const double *v, const double *u, const hf_wrench *external,
                        hf_vec3 gravity, double *work, double *dv);
// Of poses: where they are, alone.
void hf_tree_place_poses(const hf_tree_model *tree, const hf_tree_places *places, hf_pose *poses);
// dv NULL: all zero.
void hf_tree_inverse_at(const hf_tree_model *tree, const hf_tree_places *places, const double *q,
                        const double *v, const double *dv, const hf_wrench *external,
                        hf_vec3 gravity, double *work, double *u);
// The mass matrix by packed rows (hf_tree_find_ways), where places are known or NULL.
void hf_tree_mass_rows_at(const hf_tree_model *tree, const hf_tree_places *places, const int *ways,
                          const double *q, double *work, double *h);
void hf_tree_mass_matrix_at(const hf_tree_model *tree, const hf_tree_places *places,
                            const double *q, double *work, double *h);

// Where link i is: as is known, or on its parent, whose axes are there.
HF_INLINE void hf_tree_find_link(const hf_tree_model *tree, const hf_tree_places *places, int i,
                                 const double *q, const hf_mat3 *parent, hf_tree_place *place,
                                 hf_vec3 *direction)
{
    const hf_tree_link *link = &tree->links[i];
    if (places == NULL) {
        hf_tree_place_link(link, q + link->q, parent, place, direction);
        return;
    }
    *place = places->links[i];
    for (int k = 0; k < link->nv; k++)
        direction[k] = places->directions[link->v + k];
}

// Forward dynamics of a planar tree (tree_planar.c).
void hf_tree_forward_planar(const hf_tree_model *tree, const double *q, const double *v,
                            const double *u, const hf_wrench *external, hf_vec3 gravity,
                            double *work, double *dv);

// The same for HF_TREE_LANES trees side by side, which are alike and without wrenches
// (tree_planar_lanes.c). Arrays are those of the first; those of the others follow, so many numbers
// apart.
enum { HF_TREE_LANES = 4, HF_TREE_LANE_LINKS = 10 };
typedef struct hf_tree_lanes {
    const double *q, *v, *u;
    int q_step, v_step;
} hf_tree_lanes;
// Whether a tree can be one of them.
bool hf_tree_has_lanes(const hf_tree_model *tree);
void hf_tree_forward_lanes(const hf_tree_model *tree, const hf_tree_lanes *lanes, hf_vec3 gravity,
                           double *dv);

// Scratch in doubles of each algorithm; hf_tree_work_size is the largest.
size_t hf_tree_forward_work_size(const hf_tree_model *tree);
size_t hf_tree_planar_work_size(const hf_tree_model *tree);
size_t hf_tree_inverse_work_size(const hf_tree_model *tree);

#endif
