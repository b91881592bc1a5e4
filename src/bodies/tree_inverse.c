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
    // How it moves, from how its parent does
    hf_tree_find_link(tree, places, i, q, parent ? &parent->place.rotation : NULL, &e->place,
                      direction);
    hf_spatial motion = hf_tree_relative(link, direction, v);
    hf_spatial acc = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (dv != NULL)
        acc = hf_tree_relative(link, direction, dv);
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
    // The force that this takes
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
        newton_euler_link(tree, places, i, q, v + link->v, dv == NULL ? NULL : dv + link->v,
                          external ? &external[i] : NULL, gravity,
                          link->parent >= 0 ? &all[link->parent] : NULL, &all[i],
                          direction + link->v);
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
            u[k] = hf_v3_dot(direction[k], part) + (dv == NULL ? 0.0 : link->armature * dv[k]);
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

// Row `row` of H up to its diagonal, from the force that a unit acceleration of that velocity asks
// of the composite body of its link. depths: numbers are by their places on the way; NULL: by their
// velocities.
static void mass_matrix_row(const hf_tree_model *tree, const composite *all,
                            const hf_vec3 *direction, int i, int row, const int *depths, double *h)
{
    const hf_tree_link *link = &tree->links[i];
    hf_spatial unit = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (hf_tree_turns(link->type, row - link->v))
        unit.angular = direction[row];
    else
        unit.linear = direction[row];
    hf_spatial f = hf_rigid_inertia_mulv(&all[i].body, unit);
    while (i >= 0) {
        link = &tree->links[i];
        if (link->type == HF_JOINT_REVOLUTE)
            h[depths == NULL ? link->v : depths[link->v]] =
                hf_v3_dot(direction[link->v], f.angular);
        for (int k = link->v; link->type != HF_JOINT_REVOLUTE && k < link->v + link->nv && k <= row;
             k++) {
            bool turns = hf_tree_turns(link->type, k - link->v);
            h[depths == NULL ? k : depths[k]] =
                hf_v3_dot(direction[k], turns ? f.angular : f.linear);
        }
        f = hf_spatial_force_shifted(f, all[i].place.lever);
        i = link->parent;
    }
}

// Each link with all that hangs on it, about its origin.
static void find_composites(const hf_tree_model *tree, const hf_tree_places *places,
                            const double *q, composite *all, hf_vec3 *direction)
{
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        const hf_mat3 *parent = link->parent >= 0 ? &all[link->parent].place.rotation : NULL;
        hf_tree_find_link(tree, places, i, q, parent, &all[i].place, direction + link->v);
        all[i].body = hf_tree_world_inertia(link, &all[i].place.rotation);
    }
    for (int i = tree->link_count - 1; i >= 0; i--) {
        if (tree->links[i].parent >= 0)
            add_composite(&all[tree->links[i].parent], &all[i]);
    }
}

void hf_tree_mass_rows_at(const hf_tree_model *tree, const hf_tree_places *places, const int *ways,
                          const double *q, double *work, double *h)
{
    HF_ASSERT(work != NULL);
    composite *all = (composite *)work;
    hf_vec3 *direction = (hf_vec3 *)(all + tree->link_count);
    int n = tree->nv;
    find_composites(tree, places, q, all, direction);
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        for (int k = link->v; k < link->v + link->nv; k++) {
            double *row = hf_tree_row(n, ways, h, k);
            int end = hf_tree_depth(n, ways, k);
            mass_matrix_row(tree, all, direction, i, k, ways + n, row);
            row[end] += link->armature;
            for (int p = end + 1; p % 4 != 0; p++)
                row[p] = 0.0;
        }
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
    find_composites(tree, places, q, all, direction);
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        for (int k = link->v; k < link->v + link->nv; k++) {
            double *row = h + (size_t)k * n;
            mass_matrix_row(tree, all, direction, i, k, NULL, row);
            for (int c = 0; c < k; c++)
                h[(size_t)c * n + (size_t)k] = row[c];
            row[k] += link->armature;
        }
    }
}

void hf_tree_mass_matrix(const hf_tree_model *tree, const double *q, double *work, double *h)
{
    hf_tree_mass_matrix_at(tree, NULL, q, work, h);
}
