// SPDX-License-Identifier: Apache-2.0
// Where all links of a tree are. Poses, dynamics, mass matrix and velocity products of a step ask
// for it at the same coordinates: it is kept with these, and told from others by their bits.
#include <string.h>

#include "bodies/tree_internal.h"

static size_t room_of_places(const hf_tree_model *tree)
{
    return (size_t)tree->link_count * (sizeof(hf_tree_place) / sizeof(double)) +
           (size_t)tree->nv * (sizeof(hf_vec3) / sizeof(double));
}

// Whether something is there, for which coordinates, and the places.
size_t hf_tree_places_size(const hf_tree_model *tree)
{
    return 1 + (size_t)tree->nq + room_of_places(tree);
}

hf_tree_places hf_tree_places_at(const hf_tree_model *tree, const double *q, double *kept)
{
    double *at = kept + 1;
    hf_tree_place *places = (hf_tree_place *)(at + tree->nq);
    hf_vec3 *directions = (hf_vec3 *)(places + tree->link_count);
    size_t size = (size_t)tree->nq * sizeof *q;
    if (kept[0] == 0.0 || memcmp(at, q, size) != 0) {
        for (int i = 0; i < tree->link_count; i++) {
            const hf_tree_link *link = &tree->links[i];
            hf_tree_place_link(link, q + link->q,
                               link->parent >= 0 ? &places[link->parent].rotation : NULL,
                               &places[i], directions + link->v);
        }
        memcpy(at, q, size);
        kept[0] = 1.0;
    }
    return (hf_tree_places){places, directions};
}
