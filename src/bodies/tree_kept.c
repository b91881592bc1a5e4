// SPDX-License-Identifier: Apache-2.0
// What a tree keeps beside the places of its links: its mass matrix with the factor, and its
// velocity products c. A method that needs the factor at the beginning of every step evaluates the
// dynamics by it too,
//   M v' = u + J' (weights and wrenches) - c,     M = L L'
// and takes the velocity products of a step from there. What is kept is recognized by the bits of
// the coordinates (and velocities) that it belongs to, so that nothing depends on what was asked
// for before.
//
// A tree whose root moves freely falls as a whole: its weights are no forces on its joints, to the
// bit.
#include <string.h>

#include "bodies/bodies.h"
#include "bodies/tree_internal.h"

// Larger trees have elimination cost what their links do, not a matrix.
enum { MOST_VELOCITIES = 256 };

static bool has_free_child(const hf_tree_model *tree)
{
    bool found = false;
    for (int i = 0; i < tree->link_count; ++i) {
        found = found || (tree->links[i].type == HF_JOINT_FREE && tree->links[i].parent >= 0);
    }
    return found;
}

// Nothing but its own forces passes a free joint between two links: elimination knows (hand_down in
// tree_forward.c).
bool hf_tree_keeps(const hf_tree_model *tree)
{
    return !tree->planar && tree->nv > 0 && tree->nv <= MOST_VELOCITIES && !has_free_child(tree);
}

// Whether the mass is there, its coordinates, the factor and M; whether products are there, with
// coordinates and velocities, and c.
typedef struct kept {
    double *has_mass, *mass_q, *l;
    double *has_products, *q, *v, *c;
} kept;

static kept kept_of(const hf_tree_body *body, double *places)
{
    size_t nq = (size_t)body->tree.nq, nv = (size_t)body->tree.nv;
    kept k = {.has_mass = places + body->kept};
    k.mass_q = k.has_mass + 1;
    k.l = k.mass_q + nq;
    k.has_products = k.l + 2 * hf_tree_row_numbers(body->tree.nv, body->above);
    k.q = k.has_products + 1;
    k.v = k.q + nq;
    k.c = k.v + nv;
    return k;
}

size_t hf_tree_kept_size(const hf_tree_model *tree, const int *ways)
{
    size_t nq = (size_t)tree->nq, nv = (size_t)tree->nv;
    return hf_tree_keeps(tree) ? 2 + 2 * nq + 2 * nv + 2 * hf_tree_row_numbers(tree->nv, ways) : 0;
}

const double *hf_tree_factor_at(const hf_tree_body *body, const double *q, double *work,
                                double *places)
{
    const hf_tree_model *tree = &body->tree;
    kept k = kept_of(body, places);
    size_t size = (size_t)tree->nq * sizeof *q,
           numbers = hf_tree_row_numbers(tree->nv, body->above);
    if (*k.has_mass != 0.0 && memcmp(k.mass_q, q, size) == 0) {
        return k.l;
    }
    hf_tree_places at = hf_tree_places_at(tree, q, places + body->places);
    *k.has_mass = 0.0;
    hf_tree_mass_rows_at(tree, &at, body->above, q, work, k.l + numbers);
    memcpy(k.l, k.l + numbers, numbers * sizeof *k.l);
    if (!hf_tree_factor(tree->nv, body->above, k.l)) {
        return NULL;
    }
    memcpy(k.mass_q, q, size);
    *k.has_mass = 1.0;
    return k.l;
}

const double *hf_tree_products_at(const hf_tree_body *body, const double *q, const double *v,
                                  double *work, double *places)
{
    const hf_tree_model *tree = &body->tree;
    kept k = kept_of(body, places);
    size_t q_size = (size_t)tree->nq * sizeof *q, v_size = (size_t)tree->nv * sizeof *v;
    if (*k.has_products != 0.0 && memcmp(k.q, q, q_size) == 0 && memcmp(k.v, v, v_size) == 0) {
        return k.c;
    }
    hf_tree_places at = hf_tree_places_at(tree, q, places + body->places);
    hf_tree_inverse_at(tree, &at, q, v, NULL, NULL, hf_v3(0.0, 0.0, 0.0), work, k.c);
    memcpy(k.q, q, q_size);
    memcpy(k.v, v, v_size);
    *k.has_products = 1.0;
    return k.c;
}

static bool is_zero(const hf_spatial *f)
{
    return f->angular.x == 0.0 && f->angular.y == 0.0 && f->angular.z == 0.0 &&
           f->linear.x == 0.0 && f->linear.y == 0.0 && f->linear.z == 0.0;
}

// Adds what weights and wrenches on the links make along the joints. external: NULL: none.
static void add_loads(const hf_tree_model *tree, const hf_tree_places *places,
                      const hf_wrench *external, hf_vec3 gravity, double *work, double *f)
{
    hf_spatial *carried = (hf_spatial *)work;
    // Of each link alone
    for (int i = 0; i < tree->link_count; ++i) {
        const hf_tree_link *link = &tree->links[i];
        hf_spatial own = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        if (external != NULL) {
            own = (hf_spatial){external[i].torque, external[i].force};
        }
        if (!link->falls) {
            hf_vec3 moment = hf_m3_mulv(&places->links[i].rotation, link->body.moment);
            own.angular = hf_v3_add(own.angular, hf_v3_cross(moment, gravity));
            own.linear = hf_v3_axpy(own.linear, link->body.mass, gravity);
        }
        carried[i] = own;
    }
    // Inward, each link hands on what it carries, if anything
    for (int i = tree->link_count - 1; i >= 0; --i) {
        const hf_tree_link *link = &tree->links[i];
        if (is_zero(&carried[i])) {
            continue;
        }
        for (int k = link->v; k < link->v + link->nv; ++k) {
            bool turns = hf_tree_turns(link->type, k - link->v);
            f[k] +=
                hf_v3_dot(places->directions[k], turns ? carried[i].angular : carried[i].linear);
        }
        if (link->parent >= 0) {
            hf_spatial *down = &carried[link->parent];
            hf_spatial g = hf_spatial_force_shifted(carried[i], places->links[i].lever);
            *down = (hf_spatial){hf_v3_add(down->angular, g.angular),
                                 hf_v3_add(down->linear, g.linear)};
        }
    }
}

bool hf_tree_forward_by_mass(const hf_tree_body *body, const hf_body_io *io, double *dv)
{
    const hf_tree_model *tree = &body->tree;
    const double *q = io->q + body->q, *v = io->v + body->v, *u = io->u + body->v;
    double *work = io->work + body->work;
    const double *l = hf_tree_factor_at(body, q, work, io->places);
    if (l == NULL) {
        return false;
    }
    const double *c = hf_tree_products_at(body, q, v, work, io->places);
    hf_tree_places at = hf_tree_places_at(tree, q, io->places + body->places);
    for (int k = 0; k < tree->nv; ++k) {
        dv[k] = u[k] - c[k];
    }
    add_loads(tree, &at, body->has_poses ? io->wrenches + body->pose : NULL, io->gravity, work, dv);
    hf_tree_factor_half(tree->nv, body->above, l, dv, dv);
    hf_tree_factor_back(tree->nv, body->above, l, dv, dv);
    // Roots that fall
    for (int i = 0; i < tree->link_count; ++i) {
        const hf_tree_link *link = &tree->links[i];
        for (int k = 0; k < 3 && link->parent < 0 && link->falls; ++k) {
            dv[link->v + k] += hf_v3_dot(at.directions[link->v + k], io->gravity);
        }
    }
    return true;
}
