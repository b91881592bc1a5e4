// SPDX-License-Identifier: Apache-2.0
// Forward dynamics of a tree: the articulated-body algorithm. [Featherstone2008, section 7.3]
//
//   outward  places, spins, and what inertia and the outer world ask of each link alone:
//              f = I a + p,   I the link's inertia, p = velocity terms - external wrench
//   inward   each velocity of a joint is eliminated as one pivot of an LDL' factorization:
//              U = I S,  d = S'U + armature,  e = u - S'p
//              I <- I - U U'/d,   p <- p + U e/d                                           (1)
//            and what remains is handed to the parent with the joint's velocity terms c:
//              I_p += shifted I,   p_p += shifted (p + I c)                                (2)
//   outward  a = a_p shifted + c, then for each velocity  v' = (e - U'a)/d,  a += S v'      (3)
#include "base/error.h"
#include "bodies/tree_internal.h"

typedef struct articulated {
    hf_tree_place place;
    hf_vec3 spin;
    hf_spatial bias; // c: acceleration of the link relative to the parent's when v' = 0
    hf_spatial_inertia inertia;
    hf_spatial force; // p
    hf_spatial acceleration;
} articulated;

typedef struct pivot {
    hf_vec3 direction;
    hf_spatial column; // U
    double inverse;    // 1/d
    double excess;     // e
} pivot;

size_t hf_tree_forward_work_size(const hf_tree_model *tree)
{
    return (size_t)tree->link_count * (sizeof(articulated) / sizeof(double)) +
           (size_t)tree->nv * (sizeof(pivot) / sizeof(double));
}

// Spin, c and the link's own I and p.
HF_INLINE void move_link(const hf_tree_model *tree, const hf_tree_places *places, int i,
                         const double *q, const double *v, const hf_wrench *external,
                         const articulated *parent, articulated *a, pivot *pivots)
{
    const hf_tree_link *link = &tree->links[i];
    hf_vec3 direction[6];
    hf_tree_find_link(tree, places, i, q, parent ? &parent->place.rotation : NULL, &a->place,
                      direction);
    for (int k = 0; k < link->nv; k++)
        pivots[k].direction = direction[k];
    hf_spatial relative = hf_tree_relative(link, direction, v);
    if (parent) {
        hf_vec3 w = parent->spin;
        hf_vec3 inner = hf_v3_axpy(hf_v3_cross(w, a->place.lever), 2.0, relative.linear);
        a->bias.angular = hf_v3_cross(w, relative.angular);
        a->bias.linear = hf_v3_cross(w, inner);
        a->spin = hf_v3_add(w, relative.angular);
    } else {
        a->bias = (hf_spatial){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        a->spin = relative.angular;
    }
    hf_rigid_inertia body = hf_tree_world_inertia(link, &a->place.rotation);
    a->inertia = hf_spatial_inertia_rigid(&body);
    a->force = hf_rigid_inertia_bias(&body, a->spin);
    if (external) {
        a->force.angular = hf_v3_sub(a->force.angular, external->torque);
        a->force.linear = hf_v3_sub(a->force.linear, external->force);
    }
}

// The pivot of (1) for one velocity. turns: S = (n, 0), else (0, n).
HF_INLINE void find_pivot(const hf_spatial_inertia *m, const hf_spatial *f, bool turns,
                          double armature, double u, pivot *p)
{
    hf_vec3 n = p->direction;
    double d;
    if (turns) {
        p->column = (hf_spatial){hf_s3_mulv(&m->angular, n), hf_m3_tmulv(&m->cross, n)};
        d = hf_v3_dot(n, p->column.angular) + armature;
        p->excess = u - hf_v3_dot(n, f->angular);
    } else {
        p->column = (hf_spatial){hf_m3_mulv(&m->cross, n), hf_s3_mulv(&m->linear, n)};
        d = hf_v3_dot(n, p->column.linear) + armature;
        p->excess = u - hf_v3_dot(n, f->linear);
    }
    p->inverse = 1.0 / d;
}

HF_INLINE void eliminate(const pivot *p, hf_spatial_inertia *m, hf_spatial *f)
{
    double s = p->excess * p->inverse;
    f->angular = hf_v3_axpy(f->angular, s, p->column.angular);
    f->linear = hf_v3_axpy(f->linear, s, p->column.linear);
    hf_spatial_inertia_add_square(m, -p->inverse, p->column);
}

// (2)
HF_INLINE void hand_down(const articulated *a, const hf_spatial_inertia *m, const hf_spatial *f,
                         articulated *parent)
{
    hf_spatial g = hf_spatial_inertia_mulv(m, a->bias);
    g.angular = hf_v3_add(g.angular, f->angular);
    g.linear = hf_v3_add(g.linear, f->linear);
    g = hf_spatial_force_shifted(g, a->place.lever);
    parent->force.angular = hf_v3_add(parent->force.angular, g.angular);
    parent->force.linear = hf_v3_add(parent->force.linear, g.linear);
    hf_spatial_inertia_add_shifted(&parent->inertia, m, a->place.lever);
}

// All six directions of a free joint are eliminated: exactly nothing but u passes, where (1) would
// leave rounding.
static void hand_down_free(const articulated *a, const double *u, const pivot *pivots,
                           articulated *parent)
{
    hf_spatial g = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int k = 0; k < 3; k++) {
        g.linear = hf_v3_axpy(g.linear, u[k], pivots[k].direction);
        g.angular = hf_v3_axpy(g.angular, u[3 + k], pivots[3 + k].direction);
    }
    g = hf_spatial_force_shifted(g, a->place.lever);
    parent->force.angular = hf_v3_add(parent->force.angular, g.angular);
    parent->force.linear = hf_v3_add(parent->force.linear, g.linear);
}

// (1) and (2), on copies that can stay in registers.
HF_INLINE void load_link(const hf_tree_link *link, const double *u, const articulated *a,
                         pivot *pivots, articulated *parent)
{
    hf_spatial_inertia m = a->inertia;
    hf_spatial f = a->force;
    if (link->type == HF_JOINT_REVOLUTE) {
        find_pivot(&m, &f, true, link->armature, u[0], &pivots[0]);
        if (!parent)
            return;
        eliminate(&pivots[0], &m, &f);
    } else {
        for (int k = link->nv - 1; k >= 0; k--) {
            find_pivot(&m, &f, hf_tree_turns(link->type, k), link->armature, u[k], &pivots[k]);
            eliminate(&pivots[k], &m, &f);
        }
    }
    if (link->type == HF_JOINT_FREE && parent)
        hand_down_free(a, u, pivots, parent);
    else if (parent)
        hand_down(a, &m, &f, parent);
}

// (3)
static void accelerate_link(const hf_tree_link *link, hf_vec3 fall, const articulated *parent,
                            articulated *a, const pivot *pivots, double *dv)
{
    hf_vec3 alpha = a->bias.angular, acc = a->bias.linear;
    if (parent) {
        alpha = hf_v3_add(alpha, parent->acceleration.angular);
        acc = hf_v3_add(acc, hf_v3_cross(parent->acceleration.angular, a->place.lever));
        acc = hf_v3_add(acc, parent->acceleration.linear);
    } else {
        acc = hf_v3_sub(acc, fall);
    }
    for (int k = 0; k < link->nv; k++) {
        const pivot *p = &pivots[k];
        dv[k] =
            p->inverse *
            (p->excess - (hf_v3_dot(p->column.angular, alpha) + hf_v3_dot(p->column.linear, acc)));
        if (hf_tree_turns(link->type, k))
            alpha = hf_v3_axpy(alpha, dv[k], p->direction);
        else
            acc = hf_v3_axpy(acc, dv[k], p->direction);
    }
    a->acceleration = (hf_spatial){alpha, acc};
}

static void forward(const hf_tree_model *tree, const hf_tree_places *places, const double *q,
                    const double *v, const double *u, const hf_wrench *external, hf_vec3 gravity,
                    double *work, double *dv)
{
    HF_ASSERT(work != NULL);
    articulated *all = (articulated *)work;
    pivot *pivots = (pivot *)(all + tree->link_count);
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        move_link(tree, places, i, q, v + link->v, external ? &external[i] : NULL,
                  link->parent >= 0 ? &all[link->parent] : NULL, &all[i], pivots + link->v);
    }
    for (int i = tree->link_count - 1; i >= 0; i--) {
        const hf_tree_link *link = &tree->links[i];
        load_link(link, u + link->v, &all[i], pivots + link->v,
                  link->parent >= 0 ? &all[link->parent] : NULL);
    }
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        accelerate_link(link, gravity, link->parent >= 0 ? &all[link->parent] : NULL, &all[i],
                        pivots + link->v, dv + link->v);
    }
}

void hf_tree_forward_general(const hf_tree_model *tree, const double *q, const double *v,
                             const double *u, const hf_wrench *external, hf_vec3 gravity,
                             double *work, double *dv)
{
    forward(tree, NULL, q, v, u, external, gravity, work, dv);
}

void hf_tree_forward_at(const hf_tree_model *tree, const hf_tree_places *places, const double *q,
                        const double *v, const double *u, const hf_wrench *external,
                        hf_vec3 gravity, double *work, double *dv)
{
    if (tree->planar)
        hf_tree_forward_planar(tree, q, v, u, external, gravity, work, dv);
    else
        forward(tree, places, q, v, u, external, gravity, work, dv);
}

void hf_tree_forward(const hf_tree_model *tree, const double *q, const double *v, const double *u,
                     const hf_wrench *external, hf_vec3 gravity, double *work, double *dv)
{
    hf_tree_forward_at(tree, NULL, q, v, u, external, gravity, work, dv);
}
