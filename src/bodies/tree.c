// SPDX-License-Identifier: Apache-2.0
// Places, Jacobians and energies of a tree.
#include "base/error.h"
#include "bodies/tree_internal.h"

size_t hf_tree_work_size(const hf_tree_model *tree)
{
    size_t links = (size_t)tree->link_count;
    // Poses, for the energies; place and index of every link on a path, and the directions.
    size_t size = links * (sizeof(hf_pose) / sizeof(double));
    size_t path = links * (sizeof(hf_tree_place) / sizeof(double) + 1) +
                  (size_t)tree->nv * (sizeof(hf_vec3) / sizeof(double));
    size_t sizes[] = {path, hf_tree_forward_work_size(tree), hf_tree_planar_work_size(tree),
                      hf_tree_inverse_work_size(tree)};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        if (sizes[k] > size)
            size = sizes[k];
    return size;
}

// The pose of link i, whose parent's is there.
HF_INLINE void pose_link(const hf_tree_model *tree, const hf_tree_places *places, int i,
                         const double *q, const double *v, hf_pose *poses)
{
    const hf_tree_link *link = &tree->links[i];
    bool rooted = link->parent < 0;
    const hf_pose *parent = rooted ? NULL : &poses[link->parent];
    hf_pose *pose = &poses[i];
    hf_tree_place place;
    hf_vec3 direction[6];
    hf_tree_find_link(tree, places, i, q, rooted ? NULL : &parent->rotation, &place, direction);
    hf_spatial motion = hf_tree_relative(link, direction, v + link->v);
    pose->rotation = place.rotation;
    if (!rooted) {
        pose->position = hf_v3_add(parent->position, place.lever);
        pose->velocity = hf_v3_add(hf_v3_add(parent->velocity, motion.linear),
                                   hf_v3_cross(parent->spin, place.lever));
        pose->spin = hf_v3_add(parent->spin, motion.angular);
    } else {
        pose->position = place.lever;
        pose->velocity = motion.linear;
        pose->spin = motion.angular;
    }
}

void hf_tree_poses_at(const hf_tree_model *tree, const hf_tree_places *places, const double *q,
                      const double *v, hf_pose *poses)
{
    for (int i = 0; i < tree->link_count; i++)
        pose_link(tree, places, i, q, v, poses);
}

void hf_tree_place_poses(const hf_tree_model *tree, const hf_tree_places *places, hf_pose *poses)
{
    for (int i = 0; i < tree->link_count; i++) {
        int parent = tree->links[i].parent;
        hf_vec3 lever = places->links[i].lever;
        poses[i].rotation = places->links[i].rotation;
        poses[i].position = parent < 0 ? lever : hf_v3_add(poses[parent].position, lever);
    }
}

void hf_tree_poses(const hf_tree_model *tree, const double *q, const double *v, hf_pose *poses)
{
    for (int i = 0; i < tree->link_count; i++)
        pose_link(tree, NULL, i, q, v, poses);
}

void hf_tree_pose_rates(const hf_tree_model *tree, const hf_pose *poses, hf_pose_rate *rates)
{
    for (int i = 0; i < tree->link_count; i++) {
        int parent = tree->links[i].parent;
        if (parent < 0) {
            rates[i] = (hf_pose_rate){0};
            continue;
        }
        const hf_pose *p = &poses[parent], *link = &poses[i];
        const hf_pose_rate *rate = &rates[parent];
        hf_vec3 w = p->spin, r = hf_v3_sub(link->position, p->position);
        hf_vec3 turning = hf_v3_cross(w, r);
        hf_vec3 shift = hf_v3_sub(hf_v3_sub(link->velocity, p->velocity), turning);
        // w_p x (w_p x r + 2 v_rel)
        hf_vec3 inner = hf_v3_axpy(turning, 2.0, shift);
        rates[i].spin = hf_v3_add(rate->spin, hf_v3_cross(w, hf_v3_sub(link->spin, w)));
        rates[i].velocity =
            hf_v3_add(hf_v3_add(rate->velocity, hf_v3_cross(rate->spin, r)), hf_v3_cross(w, inner));
    }
}

// The quaternion of a joint starts here within its coordinates; -1: it has none.
static int quaternion_place(hf_joint_type type)
{
    return type == HF_JOINT_SPHERICAL ? 0 : type == HF_JOINT_FREE ? 3 : -1;
}

void hf_tree_q_rate(const hf_tree_model *tree, const double *q, const double *v, double *dq)
{
    if (tree->nq == tree->nv) { // no quaternions
        for (int k = 0; k < tree->nv; k++)
            dq[k] = v[k];
        return;
    }
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        const double *qi = q + link->q, *vi = v + link->v;
        double *di = dq + link->q;
        int turn = quaternion_place(link->type);
        int plain = turn < 0 ? link->nv : turn;
        for (int k = 0; k < plain; k++)
            di[k] = vi[k];
        if (turn >= 0) {
            hf_quat rate =
                hf_quat_rate_body((hf_quat){qi[turn], qi[turn + 1], qi[turn + 2], qi[turn + 3]},
                                  hf_v3(vi[turn], vi[turn + 1], vi[turn + 2]));
            di[turn] = rate.w;
            di[turn + 1] = rate.x;
            di[turn + 2] = rate.y;
            di[turn + 3] = rate.z;
        }
    }
}

void hf_tree_normalize(const hf_tree_model *tree, double *q)
{
    if (tree->nq == tree->nv) // no quaternions
        return;
    for (int i = 0; i < tree->link_count; i++) {
        int turn = quaternion_place(tree->links[i].type);
        if (turn < 0)
            continue;
        double *w = q + tree->links[i].q + turn;
        hf_quat unit = hf_quat_normalized((hf_quat){w[0], w[1], w[2], w[3]});
        w[0] = unit.w;
        w[1] = unit.x;
        w[2] = unit.y;
        w[3] = unit.z;
    }
}

static void put_column(double *jacobian, size_t n, size_t column, hf_vec3 w, hf_vec3 p)
{
    double *j = jacobian + column;
    j[0 * n] = w.x;
    j[1 * n] = w.y;
    j[2 * n] = w.z;
    j[3 * n] = p.x;
    j[4 * n] = p.y;
    j[5 * n] = p.z;
}

void hf_tree_point_jacobian(const hf_tree_model *tree, const double *q, int link, hf_vec3 point,
                            double *work, double *jacobian)
{
    size_t n = (size_t)tree->nv;
    for (size_t k = 0; k < 6 * n; k++)
        jacobian[k] = 0.0;

    // The path from the root, so that a contact costs the depth of its link only. Indices are kept
    // as doubles, exactly.
    HF_ASSERT(work != NULL);
    hf_tree_place *places = (hf_tree_place *)work;
    hf_vec3 *direction = (hf_vec3 *)(places + tree->link_count);
    double *path = (double *)(direction + tree->nv);
    int depth = 0;
    for (int i = link; i >= 0; i = tree->links[i].parent)
        path[depth++] = (double)i;
    const hf_mat3 *parent = NULL;
    for (int k = depth - 1; k >= 0; k--) {
        const hf_tree_link *l = &tree->links[(int)path[k]];
        hf_tree_place_link(l, q + l->q, parent, &places[k], direction + l->v);
        parent = &places[k].rotation;
    }

    // Inward, d from each link's origin to the point: a turn about n moves it by n x d.
    const hf_vec3 zero = {0.0, 0.0, 0.0};
    hf_vec3 d = depth > 0 ? hf_m3_mulv(&places[0].rotation, point) : zero;
    for (int k = 0; k < depth; k++) {
        const hf_tree_link *l = &tree->links[(int)path[k]];
        for (int c = l->v; c < l->v + l->nv; c++) {
            hf_vec3 axis = direction[c];
            if (hf_tree_turns(l->type, c - l->v))
                put_column(jacobian, n, (size_t)c, axis, hf_v3_cross(axis, d));
            else
                put_column(jacobian, n, (size_t)c, zero, axis);
        }
        d = hf_v3_add(d, places[k].lever);
    }
}

// How a link moves, in its own axes.
typedef struct own_motion {
    hf_vec3 spin, velocity;
} own_motion;

// A vector in the axes of a joint's frame, in those of a link that a turn about its axis leaves.
static inline hf_vec3 turned_back(const hf_tree_link *link, hf_vec3 a, double c, double s)
{
    switch (link->axis_case) {
    case HF_TREE_AXIS_X:
        return hf_v3(a.x, c * a.y + s * a.z, c * a.z - s * a.y);
    case HF_TREE_AXIS_Y:
        return hf_v3(c * a.x - s * a.z, a.y, c * a.z + s * a.x);
    case HF_TREE_AXIS_Z:
        return hf_v3(c * a.x + s * a.y, c * a.y - s * a.x, a.z);
    default: {
        hf_vec3 along = hf_v3_scale((1.0 - c) * hf_v3_dot(link->axis, a), link->axis);
        return hf_v3_axpy(hf_v3_axpy(along, c, a), -s, hf_v3_cross(link->axis, a));
    }
    }
}

// The motion of a link from its parent's (NULL: the world), without where they are.
static void move_own(const hf_tree_link *link, const double *q, const double *v,
                     const own_motion *parent, own_motion *own)
{
    hf_vec3 w = {0.0, 0.0, 0.0}, p = w;
    double s, c;
    // Its joint's frame, as part of the parent
    if (parent != NULL) {
        w = parent->spin;
        p = hf_v3_add(parent->velocity, hf_v3_cross(w, link->offset));
        w = link->straight ? w : hf_m3_tmulv(&link->tilt, w);
        p = link->straight ? p : hf_m3_tmulv(&link->tilt, p);
    }
    // What the joint adds
    switch (link->type) {
    case HF_JOINT_REVOLUTE:
        if (parent != NULL) {
            hf_sincos(q[0], &s, &c);
            w = turned_back(link, w, c, s);
            p = turned_back(link, p, c, s);
        }
        w = hf_v3_axpy(w, v[0], link->axis);
        break;
    case HF_JOINT_PRISMATIC:
        p = hf_v3_axpy(p, q[0], hf_v3_cross(w, link->axis));
        p = hf_v3_axpy(p, v[0], link->axis);
        break;
    case HF_JOINT_SPHERICAL: {
        hf_mat3 turn = hf_quat_rotation((hf_quat){q[0], q[1], q[2], q[3]});
        w = hf_v3_add(hf_m3_tmulv(&turn, w), hf_v3(v[0], v[1], v[2]));
        p = hf_m3_tmulv(&turn, p);
        break;
    }
    case HF_JOINT_PLANAR:
        hf_sincos(q[2], &s, &c);
        p = hf_v3_add(p, hf_v3_cross(w, hf_v3(q[0], q[1], 0.0)));
        p = hf_v3_add(p, hf_v3(v[0], v[1], 0.0));
        p = hf_v3(c * p.x + s * p.y, c * p.y - s * p.x, p.z);
        w = hf_v3(c * w.x + s * w.y, c * w.y - s * w.x, w.z + v[2]);
        break;
    case HF_JOINT_FREE: {
        hf_mat3 turn = hf_quat_rotation((hf_quat){q[3], q[4], q[5], q[6]});
        p = hf_v3_add(p, hf_v3_cross(w, hf_v3(q[0], q[1], q[2])));
        p = hf_m3_tmulv(&turn, hf_v3_add(p, hf_v3(v[0], v[1], v[2])));
        w = hf_v3_add(hf_m3_tmulv(&turn, w), hf_v3(v[3], v[4], v[5]));
        break;
    }
    default: // fixed
        break;
    }
    own->spin = w;
    own->velocity = p;
}

// 1/2 (m v.v + w.J w) + v.(w x moment) of a link, and 1/2 armature v^2 of its joint.
static double link_kinetic(const hf_tree_link *link, const own_motion *own, const double *v)
{
    hf_vec3 w = own->spin, p = own->velocity;
    double energy = 0.5 * (link->body.mass * hf_v3_dot(p, p) +
                           hf_v3_dot(w, hf_s3_mulv(&link->body.inertia, w))) +
                    hf_v3_dot(p, hf_v3_cross(w, link->body.moment));
    for (int k = link->v; k < link->v + link->nv; k++)
        energy += 0.5 * link->armature * v[k] * v[k];
    return energy;
}

// In the links' own axes: where they are is not needed.
double hf_tree_kinetic(const hf_tree_model *tree, const double *q, const double *v, double *work)
{
    HF_ASSERT(work != NULL);
    own_motion *own = (own_motion *)work;
    double energy = 0.0;
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        move_own(link, q + link->q, v + link->v, link->parent < 0 ? NULL : &own[link->parent],
                 &own[i]);
        energy += link_kinetic(link, &own[i], v);
    }
    return energy;
}

// The first velocity on the way from the world to a link; -1: it does not move.
static int first_velocity(const hf_tree_model *tree, const int *above, int link)
{
    while (link >= 0 && tree->links[link].nv == 0)
        link = tree->links[link].parent;
    int k = link < 0 ? -1 : tree->links[link].v;
    while (k >= 0 && above[k] >= 0)
        k = above[k];
    return k;
}

double hf_tree_branch_kinetic(const hf_tree_model *tree, const int *above, int top, const double *q,
                              const double *v, double *work)
{
    HF_ASSERT(work != NULL);
    own_motion *own = (own_motion *)work;
    double energy = 0.0;
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        int first = first_velocity(tree, above, i);
        if (first >= 0 && first != top)
            continue;
        move_own(link, q + link->q, v + link->v, link->parent < 0 ? NULL : &own[link->parent],
                 &own[i]);
        energy += first == top ? link_kinetic(link, &own[i], v) : 0.0;
    }
    return energy;
}

double hf_tree_potential(const hf_tree_model *tree, const double *q, hf_vec3 gravity, double *work)
{
    HF_ASSERT(work != NULL);
    hf_tree_place *places = (hf_tree_place *)work; // lever: from the world's origin here
    double energy = 0.0;
    for (int i = 0; i < tree->link_count; i++) {
        const hf_tree_link *link = &tree->links[i];
        const hf_tree_place *parent = link->parent >= 0 ? &places[link->parent] : NULL;
        hf_vec3 direction[6];
        hf_tree_place_link(link, q + link->q, parent ? &parent->rotation : NULL, &places[i],
                           direction);
        if (parent)
            places[i].lever = hf_v3_add(places[i].lever, parent->lever);
        hf_vec3 moment = hf_m3_mulv(&places[i].rotation, link->body.moment);
        energy -= hf_v3_dot(gravity, hf_v3_axpy(moment, link->body.mass, places[i].lever));
    }
    return energy;
}
