// SPDX-License-Identifier: Apache-2.0
// Where all links of a tree are. Poses, dynamics, mass matrix and velocity products of a step ask
// for it at the same coordinates, those of its beginning and of its end by turns: both are kept
// with these, and recognized by their bits.
#include <string.h>

#include "bodies/tree_internal.h"

enum { KEPT = 2 };

static size_t room_of_places(const hf_tree_model *tree)
{
    return (size_t)tree->link_count * (sizeof(hf_tree_place) / sizeof(double)) +
           (size_t)tree->nv * (sizeof(hf_vec3) / sizeof(double));
}

// Of one: whether something is there, for which coordinates, and the places.
static size_t size_of_one(const hf_tree_model *tree)
{
    return 1 + (size_t)tree->nq + room_of_places(tree);
}

// Which one was asked for last, and all of them.
size_t hf_tree_places_size(const hf_tree_model *tree)
{
    return 1 + KEPT * size_of_one(tree);
}

hf_tree_places hf_tree_places_at(const hf_tree_model *tree, const double *q, double *kept)
{
    size_t size = (size_t)tree->nq * sizeof *q;
    // The one with these coordinates, or else the one that was not asked for last
    int last = kept[0] == 0.0 ? 0 : 1, found = -1;
    for (int i = 0; i < KEPT && found < 0; ++i) {
        int tried = i == 0 ? last : 1 - last;
        const double *one = kept + 1 + (size_t)tried * size_of_one(tree);
        found = one[0] != 0.0 && memcmp(one + 1, q, size) == 0 ? tried : -1;
    }
    int chosen = found < 0 ? 1 - last : found;
    double *one = kept + 1 + (size_t)chosen * size_of_one(tree), *at = one + 1;
    hf_tree_place *places = (hf_tree_place *)(at + tree->nq);
    hf_vec3 *directions = (hf_vec3 *)(places + tree->link_count);
    kept[0] = chosen;
    // Its places, where they are not there
    if (found < 0) {
        for (int i = 0; i < tree->link_count; i++) {
            const hf_tree_link *link = &tree->links[i];
            hf_tree_place_link(link, q + link->q,
                               link->parent >= 0 ? &places[link->parent].rotation : NULL,
                               &places[i], directions + link->v);
        }
        memcpy(at, q, size);
        one[0] = 1.0;
    }
    return (hf_tree_places){places, directions};
}
