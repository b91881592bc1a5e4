// SPDX-License-Identifier: Apache-2.0
// Constants of a tree, computed once.
#include <float.h>

#include "bodies/tree_internal.h"

static const int COORDINATES[HF_JOINT_TYPE_COUNT] = {
    [HF_JOINT_FIXED] = 0,     [HF_JOINT_REVOLUTE] = 1, [HF_JOINT_PRISMATIC] = 1,
    [HF_JOINT_SPHERICAL] = 4, [HF_JOINT_PLANAR] = 3,   [HF_JOINT_FREE] = 7};
static const int VELOCITIES[HF_JOINT_TYPE_COUNT] = {
    [HF_JOINT_FIXED] = 0,     [HF_JOINT_REVOLUTE] = 1, [HF_JOINT_PRISMATIC] = 1,
    [HF_JOINT_SPHERICAL] = 3, [HF_JOINT_PLANAR] = 3,   [HF_JOINT_FREE] = 6};

static hf_tree_axis axis_case(hf_vec3 a)
{
    if (a.x == 1.0 && a.y == 0.0 && a.z == 0.0)
        return HF_TREE_AXIS_X;
    if (a.x == 0.0 && a.y == 1.0 && a.z == 0.0)
        return HF_TREE_AXIS_Y;
    if (a.x == 0.0 && a.y == 0.0 && a.z == 1.0)
        return HF_TREE_AXIS_Z;
    return HF_TREE_AXIS_ANY;
}

static bool is_identity(const hf_mat3 *m)
{
    return m->xx == 1.0 && m->yy == 1.0 && m->zz == 1.0 && m->xy == 0.0 && m->xz == 0.0 &&
           m->yx == 0.0 && m->yz == 0.0 && m->zx == 0.0 && m->zy == 0.0;
}

// How far from parallel or perpendicular two unit directions may be by rounding alone: a chain of
// products of rotations loses a few epsilon each. Other trees take the general algorithm.
#define PLANE_TOLERANCE (64.0 * DBL_EPSILON)

// Whether a joint keeps its link's motion in the plane across `normal`.
static bool moves_in_plane(const hf_tree_link *link, hf_vec3 normal)
{
    hf_vec3 axis = hf_m3_mulv(&link->rest, link->axis);
    switch (link->type) {
    case HF_JOINT_FIXED:
        return true;
    case HF_JOINT_REVOLUTE:
        return hf_v3_norm(hf_v3_cross(axis, normal)) <= PLANE_TOLERANCE;
    case HF_JOINT_PRISMATIC:
        return fabs(hf_v3_dot(axis, normal)) <= PLANE_TOLERANCE;
    default:
        return false;
    }
}

// The axis of the first turn is the normal. Turns about it change none of the directions along it,
// so the axes at rest decide for all coordinates.
static bool find_plane(const hf_tree_link *links, int count, hf_vec3 *normal)
{
    int first = 0;
    while (first < count && links[first].type != HF_JOINT_REVOLUTE)
        first++;
    if (first == count)
        return false;
    *normal = hf_m3_mulv(&links[first].rest, links[first].axis);
    for (int i = 0; i < count; i++)
        if (!moves_in_plane(&links[i], *normal))
            return false;
    return true;
}

// A unit vector across n: the part across n of the frame's axis that is farthest from n.
static hf_vec3 any_across(hf_vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    hf_vec3 e = {0.0, 0.0, 0.0};
    if (x <= y && x <= z)
        e.x = 1.0;
    else if (y <= z)
        e.y = 1.0;
    else
        e.z = 1.0;
    hf_vec3 across = hf_v3_axpy(e, -hf_v3_dot(e, n), n);
    return hf_v3_scale(1.0 / hf_v3_norm(across), across);
}

// Every link's plane frame coincides with the plane's at zero coordinates, so tilts vanish.
static hf_tree_plane_link project_link(const hf_tree_link *links, const hf_tree_link *link,
                                       const hf_tree_model *tree)
{
    hf_vec3 x = tree->plane_x, y = tree->plane_y;
    hf_vec3 axis = hf_m3_mulv(&link->rest, link->axis);
    hf_vec3 moment = hf_m3_mulv(&link->rest, link->body.moment);
    hf_vec3 normal = hf_m3_tmulv(&link->rest, tree->plane_normal); // link axes
    hf_vec3 offset = link->offset;
    if (link->parent >= 0)
        offset = hf_m3_mulv(&links[link->parent].rest, offset);
    return (hf_tree_plane_link){.sign = hf_v3_dot(axis, tree->plane_normal) >= 0.0 ? 1.0 : -1.0,
                                .offset_x = hf_v3_dot(offset, x),
                                .offset_y = hf_v3_dot(offset, y),
                                .axis_x = hf_v3_dot(axis, x),
                                .axis_y = hf_v3_dot(axis, y),
                                .mass = link->body.mass,
                                .moment_x = hf_v3_dot(moment, x),
                                .moment_y = hf_v3_dot(moment, y),
                                .inertia =
                                    hf_v3_dot(normal, hf_s3_mulv(&link->body.inertia, normal)),
                                .armature = link->armature};
}

void hf_tree_prepare(hf_tree_link *links, int count, hf_tree_model *out)
{
    *out = (hf_tree_model){.link_count = count, .links = links, .serial = true, .turns_only = true};
    // Link by link
    for (int i = 0; i < count; i++) {
        hf_tree_link *link = &links[i];
        link->q = out->nq;
        link->v = out->nv;
        link->nq = COORDINATES[link->type];
        link->nv = VELOCITIES[link->type];
        out->serial = out->serial && link->parent == i - 1;
        out->turns_only = out->turns_only && link->type == HF_JOINT_REVOLUTE;
        out->nq += link->nq;
        out->nv += link->nv;
        link->axis_case = axis_case(link->axis);
        link->straight = is_identity(&link->tilt);
        link->falls = link->parent >= 0 ? links[link->parent].falls
                                        : link->type == HF_JOINT_FREE && !(link->armature > 0.0);
        link->body = hf_rigid_inertia_at(link->mass, link->center, &link->inertia);
        link->rest =
            link->parent >= 0 ? hf_m3_mul(&links[link->parent].rest, &link->tilt) : link->tilt;
    }
    // The plane in which all of them move, if there is one
    out->planar = find_plane(links, count, &out->plane_normal);
    if (!out->planar)
        return;
    out->plane_x = any_across(out->plane_normal);
    out->plane_y = hf_v3_cross(out->plane_normal, out->plane_x);
    for (int i = 0; i < count; i++)
        links[i].plane = project_link(links, &links[i], out);
}
