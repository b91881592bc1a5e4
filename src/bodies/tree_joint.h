// SPDX-License-Identifier: Apache-2.0
// How a joint places its link, and the directions in which it can move.
//
// Each velocity of a joint is a turn about, or a shift along, one unit direction in the world:
//   w = w_p + sum_turn n_k v_k,   p' = p_p' + w_p x r + sum_shift n_k v_k           r = p - p_p
// Directions of turns are fixed in the link and those of shifts in the parent, so that
//   alpha = alpha_p + sum_turn n_k v_k' + w_p x w_rel
//   a     = a_p + alpha_p x r + sum_shift n_k v_k' + w_p x (w_p x r) + 2 w_p x v_rel
// which is all that the q-dependence of the joint's motion subspace adds, for every joint type.
#ifndef HF_BODIES_TREE_JOINT_H
#define HF_BODIES_TREE_JOINT_H

#include "bodies/tree.h"
#include "math/sincos.h"

static inline hf_vec3 hf_m3_column(const hf_mat3 *m, hf_tree_axis axis)
{
    switch (axis) {
    case HF_TREE_AXIS_X:
        return hf_v3(m->xx, m->yx, m->zx);
    case HF_TREE_AXIS_Y:
        return hf_v3(m->xy, m->yy, m->zy);
    default:
        return hf_v3(m->xz, m->yz, m->zz);
    }
}

static inline hf_mat3 hf_m3_columns(hf_vec3 x, hf_vec3 y, hf_vec3 z)
{
    return (hf_mat3){x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z};
}

// The columns a, b turned by the angle whose cosine and sine are c, s: from a towards b.
static inline void hf_tree_turn_columns(hf_vec3 *a, hf_vec3 *b, double c, double s)
{
    hf_vec3 old = *a;
    *a = hf_v3_axpy(hf_v3_scale(c, old), s, *b);
    *b = hf_v3_axpy(hf_v3_scale(c, *b), -s, old);
}

// M times the turn by `angle` about the link's axis, and that axis in the world.
static inline hf_mat3 hf_tree_turned(const hf_mat3 *m, const hf_tree_link *link, double angle,
                                     hf_vec3 *axis)
{
    double s, c;
    hf_sincos(angle, &s, &c);
    hf_vec3 x = hf_m3_column(m, HF_TREE_AXIS_X);
    hf_vec3 y = hf_m3_column(m, HF_TREE_AXIS_Y);
    hf_vec3 z = hf_m3_column(m, HF_TREE_AXIS_Z);
    switch (link->axis_case) {
    case HF_TREE_AXIS_X:
        *axis = x;
        hf_tree_turn_columns(&y, &z, c, s);
        break;
    case HF_TREE_AXIS_Y:
        *axis = y;
        hf_tree_turn_columns(&z, &x, c, s);
        break;
    case HF_TREE_AXIS_Z:
        *axis = z;
        hf_tree_turn_columns(&x, &y, c, s);
        break;
    default: { // Rodrigues: c 1 + (1 - c) n n' + s nx
        hf_vec3 n = link->axis;
        hf_sym3 zero = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
        hf_sym3 k = hf_s3_add_square(&zero, 1.0 - c, n);
        hf_mat3 r = {c + k.xx,       k.xy - s * n.z, k.xz + s * n.y, k.xy + s * n.z, c + k.yy,
                     k.yz - s * n.x, k.xz - s * n.y, k.yz + s * n.x, c + k.zz};
        *axis = hf_m3_mulv(m, n);
        return hf_m3_mul(m, &r);
    }
    }
    return hf_m3_columns(x, y, z);
}

// Whether velocity k of a joint turns the link (else it shifts it).
static inline bool hf_tree_turns(hf_joint_type type, int k)
{
    switch (type) {
    case HF_JOINT_PRISMATIC:
        return false;
    case HF_JOINT_PLANAR:
        return k == 2;
    case HF_JOINT_FREE:
        return k >= 3;
    default:
        return true;
    }
}

// Where a link is: its axes, and its origin from the parent's.
typedef struct hf_tree_place {
    hf_mat3 rotation; // link to world
    hf_vec3 lever;    // from the parent's origin to the link's, world axes [m]
} hf_tree_place;

static inline void hf_tree_store_columns(const hf_mat3 *m, hf_vec3 *direction)
{
    direction[0] = hf_m3_column(m, HF_TREE_AXIS_X);
    direction[1] = hf_m3_column(m, HF_TREE_AXIS_Y);
    direction[2] = hf_m3_column(m, HF_TREE_AXIS_Z);
}

// Places a link on its parent (NULL: the world). q: the joint's coordinates. direction: [nv] world
// directions of the joint's velocities.
static inline void hf_tree_place_link(const hf_tree_link *link, const double *q,
                                      const hf_mat3 *parent, hf_tree_place *place,
                                      hf_vec3 *direction)
{
    // The joint's frame on its parent
    hf_mat3 joint;
    if (parent == NULL) {
        joint = link->tilt;
        place->lever = link->offset;
    } else {
        joint = link->straight ? *parent : hf_m3_mul(parent, &link->tilt);
        place->lever = hf_m3_mulv(parent, link->offset);
    }
    // What its coordinates add to it
    switch (link->type) {
    case HF_JOINT_REVOLUTE:
        place->rotation = hf_tree_turned(&joint, link, q[0], &direction[0]);
        return;
    case HF_JOINT_PRISMATIC:
        place->rotation = joint;
        direction[0] = hf_m3_mulv(&joint, link->axis);
        place->lever = hf_v3_axpy(place->lever, q[0], direction[0]);
        return;
    case HF_JOINT_SPHERICAL: {
        hf_mat3 turn = hf_quat_rotation((hf_quat){q[0], q[1], q[2], q[3]});
        place->rotation = hf_m3_mul(&joint, &turn);
        hf_tree_store_columns(&place->rotation, direction);
        return;
    }
    case HF_JOINT_PLANAR: {
        double s, c;
        hf_tree_store_columns(&joint, direction);
        place->lever = hf_v3_axpy(place->lever, q[0], direction[0]);
        place->lever = hf_v3_axpy(place->lever, q[1], direction[1]);
        hf_vec3 x = direction[0], y = direction[1];
        hf_sincos(q[2], &s, &c);
        hf_tree_turn_columns(&x, &y, c, s);
        place->rotation = hf_m3_columns(x, y, direction[2]);
        return;
    }
    case HF_JOINT_FREE: {
        hf_mat3 turn = hf_quat_rotation((hf_quat){q[3], q[4], q[5], q[6]});
        place->rotation = hf_m3_mul(&joint, &turn);
        place->lever = hf_v3_add(place->lever, hf_m3_mulv(&joint, hf_v3(q[0], q[1], q[2])));
        hf_tree_store_columns(&joint, direction);
        hf_tree_store_columns(&place->rotation, direction + 3);
        return;
    }
    default: // fixed
        place->rotation = joint;
        return;
    }
}

// Lever and directions of a link whose pose is known, by the same operations as above, without
// those that its pose takes.
static inline hf_vec3 hf_tree_stand_link(const hf_tree_link *link, const double *q,
                                         const hf_mat3 *parent, const hf_mat3 *own,
                                         hf_vec3 *direction)
{
    hf_vec3 lever = parent == NULL ? link->offset : hf_m3_mulv(parent, link->offset);
    if (link->type == HF_JOINT_FIXED)
        return lever;
    if (link->type == HF_JOINT_REVOLUTE && link->axis_case != HF_TREE_AXIS_ANY) {
        direction[0] = hf_m3_column(own, link->axis_case); // a turn about it leaves it
        return lever;
    }
    hf_mat3 joint = parent == NULL   ? link->tilt
                    : link->straight ? *parent
                                     : hf_m3_mul(parent, &link->tilt);
    switch (link->type) {
    case HF_JOINT_REVOLUTE:
        direction[0] = hf_m3_mulv(&joint, link->axis);
        return lever;
    case HF_JOINT_PRISMATIC:
        direction[0] = hf_m3_mulv(&joint, link->axis);
        return hf_v3_axpy(lever, q[0], direction[0]);
    case HF_JOINT_SPHERICAL:
        hf_tree_store_columns(own, direction);
        return lever;
    case HF_JOINT_PLANAR:
        hf_tree_store_columns(&joint, direction);
        return hf_v3_axpy(hf_v3_axpy(lever, q[0], direction[0]), q[1], direction[1]);
    default: // free
        hf_tree_store_columns(&joint, direction);
        hf_tree_store_columns(own, direction + 3);
        return hf_v3_add(lever, hf_m3_mulv(&joint, hf_v3(q[0], q[1], q[2])));
    }
}

// Angular velocity and velocity of the link relative to its parent, in the world's axes.
static inline hf_spatial hf_tree_relative(const hf_tree_link *link, const hf_vec3 *direction,
                                          const double *v)
{
    hf_spatial motion = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int k = 0; k < link->nv; k++) {
        hf_vec3 *part = hf_tree_turns(link->type, k) ? &motion.angular : &motion.linear;
        *part = hf_v3_axpy(*part, v[k], direction[k]);
    }
    return motion;
}

#endif
