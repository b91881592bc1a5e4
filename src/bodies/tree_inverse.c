// SPDX-License-Identifier: Apache-2.0
// Inverse dynamics and mass matrix of a tree.      [Featherstone2008, sections 5.3 and 6.2]
#include "base/error.h"
#include "bodies/tree_internal.h"

typedef struct newton_euler {
    hf_tree_place place;
    hf_vec3 spin;
    hf_spatial acceleration;
    hf_spatial force; // carried by the joint, about the link's origin
} newton_euler;

typedef struct composite {
    hf_tree_place place;
    hf_rigid_inertia body; // of the link and all that hangs on it, about the link's origin
} composite;

size_t hf_tree_inverse_work_size(const hf_tree_model *tree)
{
    size_t link =
        sizeof(newton_euler) > sizeof(composite) ? sizeof(newton_euler) : sizeof(composite);
    return (size_t)tree->link_count * (link / sizeof(double)) +
           (size_t)tree->nv * (sizeof(hf_vec3) / sizeof(double));
}

// f = I a + velocity terms - external, with the accelerations of tree_joint.h.
HF_INLINE void newton_euler_link(const hf_tree_model *tree, const hf_tree_places *places, int i,
                                 const double *q, const double *v, const double *dv,
                                 const hf_wrench *external, hf_vec3 gravity,
                                 const newton_euler *parent, newton_euler *e, hf_vec3 *direction)
{
    const hf_tree_link *link = &tree->links[i];
    hf_tree_find_link(tree, places, i, q, parent ? &parent->place.rotation : NULL, &e->place,
                      direction);
    hf_spatial motion = hf_tree_relative(link, direction, v);
    hf_spatial acc = hf_tree_relative(link, direction, dv);
    if (parent) {
        hf_vec3 w = parent->spin, r = e->place.lever;
        hf_spatial ap = parent->acceleration;
        hf_vec3 inner = hf_v3_axpy(hf_v3_cross(w, r), 2.0, motion.linear);
        acc.angular = hf_v3_add(acc.angular, hf_v3_add(ap.angular, hf_v3_cross(w, motion.angular)));
        acc.linear = hf_v3_add(acc.linear, hf_v3_add(ap.linear, hf_v3_cross(ap.angular, r)));
        acc.linear = hf_v3_add(acc.linear, hf_v3_cross(w, inner));
        e->spin = hf_v3_add(w, motion.angular);
    } else {
        acc.linear = hf_v3_sub(acc.linear, gravity);
        e->spin = motion.angular;
    }
    e->acceleration = acc;
    hf_rigid_inertia body = hf_tree_world_inertia(link, &e->place.rotation);
    hf_spatial f = hf_rigid_inertia_mulv(&body, acc), p = hf_rigid_inertia_bias(&body, e->spin);
    e->force = (hf_spatial){hf_v3_add(f.angular, p.angular), hf_v3_add(f.linear, p.linear)};
    if (external) {
        e->force.angular = hf_v3_sub(e->force.angular, external->torque);
        e->force.linear = hf_v3_sub(e->force.linear, external->force);
    }
}

// All links outward; forces are not yet those of what hangs on a link.
static newton_euler *sweep_out(const hf_tree_model *tree, const hf_tree_places *places,
                               const double *q, const double *v, const double *dv,
                               const hf_wrench *external, hf_vec3 gravity, double *work)
{
    HF_ASSERT(work != NULL);
    newton_euler *all = (newton_euler *)work;
    hf_vec3 *direction = (hf_vec3 *)(all + tree->link_count);
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        newton_euler_link(
            tree, places, i, q, v + link->v, dv + link->v, external ? &external[i] : NULL, gravity,
            link->parent >= 0 ? &all[link->parent] : NULL, &all[i], direction + link->v);
    }
    return all;
}

// The parent carries what its child's joint does.
static void hand_on(const hf_tree_link *link, newton_euler *all, int i)
{
    if (link->parent >= 0) {
        hf_spatial *f = &all[link->parent].force;
        hf_spatial g = hf_spatial_force_shifted(all[i].force, all[i].place.lever);
        *f = (hf_spatial){hf_v3_add(f->angular, g.angular), hf_v3_add(f->linear, g.linear)};
    }
}

void hf_tree_inverse_at(const hf_tree_model *tree, const hf_tree_places *places, const double *q,
                        const double *v, const double *dv, const hf_wrench *external,
                        hf_vec3 gravity, double *work, double *u)
{
    newton_euler *all = sweep_out(tree, places, q, v, dv, external, gravity, work);
    const hf_vec3 *direction = (const hf_vec3 *)(all + tree->link_count);
    for (int i = tree->link_count - 1; i >= 0; i--) {
        const hf_tree_link *link = &tree->links[i];
        for (int k = link->v; k < link->v + link->nv; k++) {
            bool turns = hf_tree_turns(link->type, k - link->v);
            hf_vec3 part = turns ? all[i].force.angular : all[i].force.linear;
            u[k] = hf_v3_dot(direction[k], part) + link->armature * dv[k];
        }
        hand_on(link, all, i);
    }
}

void hf_tree_inverse(const hf_tree_model *tree, const double *q, const double *v, const double *dv,
                     const hf_wrench *external, hf_vec3 gravity, double *work, double *u)
{
    hf_tree_inverse_at(tree, NULL, q, v, dv, external, gravity, work, u);
}

void hf_tree_reactions(const hf_tree_model *tree, const double *q, const double *v,
                       const double *dv, const hf_wrench *external, hf_vec3 gravity, double *work,
                       hf_wrench *reactions)
{
    newton_euler *all = sweep_out(tree, NULL, q, v, dv, external, gravity, work);
    for (int i = tree->link_count - 1; i >= 0; i--) {
        reactions[i] = (hf_wrench){.force = all[i].force.linear, .torque = all[i].force.angular};
        hand_on(&tree->links[i], all, i);
    }
}

static void add_composite(composite *parent, const composite *child)
{
    hf_rigid_inertia b = hf_rigid_inertia_shifted(&child->body, child->place.lever);
    parent->body.mass += b.mass;
    parent->body.moment = hf_v3_add(parent->body.moment, b.moment);
    parent->body.inertia = hf_s3_add(&parent->body.inertia, &b.inertia);
}

// Row and column `row` of H, from the force that a unit acceleration of that velocity asks of the
// composite body of its link.
static void mass_matrix_row(const hf_tree_model *tree, const composite *all,
                            const hf_vec3 *direction, int i, int row, double *h)
{
    size_t n = (size_t)tree->nv, r = (size_t)row;
    const hf_tree_link *link = &tree->links[i];
    hf_spatial unit = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (hf_tree_turns(link->type, row - link->v))
        unit.angular = direction[row];
    else
        unit.linear = direction[row];
    hf_spatial f = hf_rigid_inertia_mulv(&all[i].body, unit);
    while (i >= 0) {
        link = &tree->links[i];
        for (int k = link->v; k < link->v + link->nv; k++) {
            size_t c = (size_t)k;
            bool turns = hf_tree_turns(link->type, k - link->v);
            h[r * n + c] = h[c * n + r] = hf_v3_dot(direction[k], turns ? f.angular : f.linear);
        }
        f = hf_spatial_force_shifted(f, all[i].place.lever);
        i = link->parent;
    }
}

void hf_tree_mass_matrix_at(const hf_tree_model *tree, const hf_tree_places *places,
                            const double *q, double *work, double *h)
{
    HF_ASSERT(work != NULL);
    composite *all = (composite *)work;
    hf_vec3 *direction = (hf_vec3 *)(all + tree->link_count);
    size_t n = (size_t)tree->nv;
    for (size_t k = 0; k < n * n; k++)
        h[k] = 0.0;
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        const hf_mat3 *parent = link->parent >= 0 ? &all[link->parent].place.rotation : NULL;
        hf_tree_find_link(tree, places, i, q, parent, &all[i].place, direction + link->v);
        all[i].body = hf_tree_world_inertia(link, &all[i].place.rotation);
    }
    for (int i = tree->link_count - 1; i >= 0; i--) {
        const hf_tree_link *link = &tree->links[i];
        if (link->parent >= 0)
            add_composite(&all[link->parent], &all[i]);
        for (int row = link->v; row < link->v + link->nv; row++) {
            mass_matrix_row(tree, all, direction, i, row, h);
            h[(size_t)row * n + (size_t)row] += link->armature;
        }
    }
}

void hf_tree_mass_matrix(const hf_tree_model *tree, const double *q, double *work, double *h)
{
    hf_tree_mass_matrix_at(tree, NULL, q, work, h);
}
