// SPDX-License-Identifier: Apache-2.0
// How a robot stands in the world: where the options say, on a base that is free or fixed as they
// say, and not inside its floor.
//
// Engines with soft contacts let key frames begin deep in the floor and push the robot out; rigid
// contacts cannot. So the base is lifted along the normal of a plane of the world by the depth of
// the deepest of the robot's shapes, and the account says by how much. A place that the caller
// gives (options.placed) is kept.
#include <math.h>
#include <stdlib.h>

#include "math/vec.h"
#include "robots/dae.h"
#include "robots/robot.h"

// Links on the world stand where the options say: what the file gives is seen from there.
static void place_base(hf_robot *robot)
{
    const hf_robot_options *options = &robot->options;
    if (!options->placed) {
        return;
    }
    hf_quat turn = hf_quat_normalized(options->orientation);
    hf_mat3 r = hf_quat_rotation(turn);
    for (size_t i = 0; i < robot->links.count; ++i) {
        hf_robot_link *link = &robot->links.items[i];
        if (link->parent >= 0) {
            continue;
        }
        if (link->type == HF_JOINT_FREE) { // it stands there, whatever the file says
            link->position[0] = options->position.x;
            link->position[1] = options->position.y;
            link->position[2] = options->position.z;
            link->position[3] = turn.w, link->position[4] = turn.x;
            link->position[5] = turn.y, link->position[6] = turn.z;
            link->placed = true;
            continue;
        }
        link->offset = hf_v3_add(options->position, hf_m3_mulv(&r, link->offset));
        link->tilt = hf_quat_mul(turn, link->tilt);
    }
}

// Whether a link carries others that move.
static bool carries(const hf_robot *robot, int root)
{
    bool found = false;
    for (size_t i = 0; i < robot->links.count && !found; ++i) {
        int up = robot->links.items[i].type == HF_JOINT_FIXED ? -1 : robot->links.items[i].parent;
        while (up >= 0 && up != root) {
            up = robot->links.items[up].parent;
        }
        found = up == root;
    }
    return found;
}

// Bases that are fixed become free, or free ones fixed, where they start. What carries nothing that
// moves is scenery, or a thing beside the robot, and stays as it is.
static void set_base(hf_robot *robot, hf_joint_type from, hf_joint_type to)
{
    for (size_t i = 0; i < robot->links.count; ++i) {
        hf_robot_link *link = &robot->links.items[i];
        if (link->parent >= 0 || link->type != from || !carries(robot, (int)i)) {
            continue;
        }
        // Where it starts
        double *q = link->position;
        hf_vec3 at = link->offset;
        hf_quat turn = link->tilt;
        if (from == HF_JOINT_FREE) {
            hf_mat3 r = hf_quat_rotation(turn);
            at = hf_v3_add(at, hf_m3_mulv(&r, (hf_vec3){q[0], q[1], q[2]}));
            turn = hf_quat_mul(turn, hf_quat_normalized((hf_quat){q[3], q[4], q[5], q[6]}));
        }
        // The same place by the joint's position, or by its frame
        bool freed = to == HF_JOINT_FREE;
        const double free_start[7] = {at.x, at.y, at.z, turn.w, turn.x, turn.y, turn.z};
        for (int k = 0; k < 7; ++k) {
            q[k] = freed ? free_start[k] : 0.0;
        }
        link->offset = freed ? (hf_vec3){0} : at;
        link->tilt = freed ? (hf_quat){.w = 1.0} : turn;
        link->type = to;
        link->placed = link->placed || freed;
        hf_xml_mark_element(link->from, HF_FATE_OTHERWISE,
                            freed ? "free in the world: as asked for"
                                  : "fixed to the world: as asked for");
    }
}

typedef hf_robot_pose pose;

// Where a link is at the start, given where its parent is.
static pose link_pose(const hf_robot_link *link, pose parent)
{
    const double *q = link->position;
    hf_mat3 r = hf_quat_rotation(parent.turn);
    pose p = {hf_v3_add(parent.at, hf_m3_mulv(&r, link->offset)),
              hf_quat_mul(parent.turn, link->tilt)};
    hf_vec3 moved = {0};
    hf_quat turned = {.w = 1.0};
    switch (link->type) {
    case HF_JOINT_REVOLUTE:
        turned = hf_quat_from_axis_angle(link->axis, q[0]);
        break;
    case HF_JOINT_PRISMATIC:
        moved = hf_v3_scale(q[0], link->axis);
        break;
    case HF_JOINT_SPHERICAL:
        turned = hf_quat_normalized((hf_quat){q[0], q[1], q[2], q[3]});
        break;
    case HF_JOINT_PLANAR:
        moved = (hf_vec3){q[0], q[1], 0};
        turned = hf_quat_from_axis_angle((hf_vec3){0, 0, 1}, q[2]);
        break;
    case HF_JOINT_FREE:
        moved = (hf_vec3){q[0], q[1], q[2]};
        turned = hf_quat_normalized((hf_quat){q[3], q[4], q[5], q[6]});
        break;
    default:
        break;
    }
    r = hf_quat_rotation(p.turn);
    return (pose){hf_v3_add(p.at, hf_m3_mulv(&r, moved)), hf_quat_mul(p.turn, turned)};
}

void hf_robot_find_poses(const hf_robot *robot, hf_robot_pose *poses)
{
    const pose world = {.turn = {.w = 1.0}};
    for (size_t i = 0; i < robot->links.count; ++i) {
        const hf_robot_link *link = &robot->links.items[i];
        poses[i] = link_pose(link, link->parent < 0 ? world : poses[link->parent]);
    }
}

// The least of d . x over the points of a mesh's file, d in its frame.
static bool reach_of_mesh(hf_robot *robot, const hf_robot_shape *s, hf_vec3 d, double *least)
{
    hf_soup soup = {0};
    hf_error error = {0};
    const char *path =
        s->file[0] == '/' ? s->file : hf_robot_print(robot, "%s/%s", robot->folder, s->file);
    if (path == NULL || !hf_any_soup_read(path, s->file, &soup, &error)) {
        hf_soup_free(&soup);
        return false; // the model's reader will say what is wrong with it
    }
    *least = INFINITY;
    for (size_t i = 0; i < soup.point_count; ++i) {
        hf_vec3 p = soup.points[i];
        *least =
            fmin(*least, d.x * s->scale.x * p.x + d.y * s->scale.y * p.y + d.z * s->scale.z * p.z);
    }
    hf_soup_free(&soup);
    return isfinite(*least);
}

// How far a shape reaches against the direction n (of length 1) from the origin of the world.
static bool reach(hf_robot *robot, const hf_robot_shape *s, pose link, hf_vec3 n, double *least)
{
    hf_mat3 r = hf_quat_rotation(link.turn);
    hf_vec3 center = hf_v3_add(link.at, hf_m3_mulv(&r, s->center));
    r = hf_quat_rotation(hf_quat_mul(link.turn, s->turn));
    hf_vec3 d = hf_m3_tmulv(&r, n);
    double across = sqrt(fmax(0.0, 1.0 - d.z * d.z)), own = 0.0;
    switch (s->type) {
    case HF_ROBOT_SPHERE:
        own = -s->size.x;
        break;
    case HF_ROBOT_BOX:
        own = -0.5 * (fabs(d.x) * s->size.x + fabs(d.y) * s->size.y + fabs(d.z) * s->size.z);
        break;
    case HF_ROBOT_CAPSULE:
        own = -s->size.x - 0.5 * fabs(d.z) * s->size.z;
        break;
    case HF_ROBOT_CYLINDER:
        own = -s->size.x * across - 0.5 * fabs(d.z) * s->size.z;
        break;
    case HF_ROBOT_CONE: // its tip, or its rim
        own = fmin(0.75 * d.z * s->size.z, -0.25 * d.z * s->size.z - s->size.x * across);
        break;
    case HF_ROBOT_ELLIPSOID:
        own = -hf_v3_norm((hf_vec3){d.x * s->size.x, d.y * s->size.y, d.z * s->size.z});
        break;
    case HF_ROBOT_MESH:
        if (!reach_of_mesh(robot, s, d, &own)) {
            return false;
        }
        break;
    default:
        return false;
    }
    *least = hf_v3_dot(n, center) + own;
    return true;
}

static bool may_touch(const hf_robot_shape *a, const hf_robot_shape *b)
{
    return ((a->group & b->mask) | (b->group & a->mask)) != 0;
}

// How deep what the root carries lies in a plane of the world.
static double depth_in(hf_robot *robot, int root, const pose *poses, const int *roots,
                       const hf_robot_shape *plane)
{
    hf_mat3 r = hf_quat_rotation(plane->turn);
    hf_vec3 n = hf_m3_mulv(&r, (hf_vec3){0, 0, 1});
    double depth = 0.0;
    for (size_t i = 0; i < robot->shapes.count; ++i) {
        const hf_robot_shape *s = &robot->shapes.items[i];
        double least = 0.0;
        if (s->collides && s->link >= 0 && roots[s->link] == root && may_touch(s, plane) &&
            reach(robot, s, poses[s->link], n, &least)) {
            depth = fmax(depth, hf_v3_dot(n, plane->center) - least);
        }
    }
    return depth;
}

// Moves a free root along the plane's normal, and says so.
static bool lift(hf_robot *robot, int root, pose *poses, const int *roots,
                 const hf_robot_shape *plane, double depth)
{
    hf_robot_link *link = &robot->links.items[root];
    hf_mat3 r = hf_quat_rotation(plane->turn);
    hf_vec3 up = hf_m3_mulv(&r, (hf_vec3){0, 0, depth});
    // The coordinates of a free joint are in the frame that it stands in.
    hf_mat3 tilt = hf_quat_rotation(link->tilt);
    hf_vec3 own = hf_m3_tmulv(&tilt, up);
    link->position[0] += own.x, link->position[1] += own.y, link->position[2] += own.z;
    for (size_t i = 0; i < robot->links.count; ++i) {
        if (roots[i] == root) {
            poses[i].at = hf_v3_add(poses[i].at, up);
        }
    }
    // The account says so
    const char *closed =
        robot->opened > 0.0
            ? hf_robot_print(robot, "loops open by %.2g are closed; ", robot->opened)
            : "";
    const char *why =
        closed == NULL ? NULL
                       : hf_robot_print(robot,
                                        "%slifted by %.4g m, so that nothing of it starts inside "
                                        "the floor",
                                        closed, depth);
    if (why == NULL) {
        return false;
    }
    if (robot->start_from != NULL) {
        hf_xml_mark(robot->start_from, HF_FATE_OTHERWISE, why);
    } else {
        hf_xml_mark_element(link->from, HF_FATE_OTHERWISE, why);
    }
    return true;
}

// Lifts free robots that would start inside a plane of the world.
static bool lift_all(hf_robot *robot)
{
    size_t count = robot->links.count;
    pose *poses = calloc(count + 1, sizeof *poses);
    int *roots = calloc(count + 1, sizeof *roots);
    bool good = (poses != NULL && roots != NULL) || hf_robot_out_of_memory(robot);
    // Where each link begins, and which base carries it
    if (good) {
        hf_robot_find_poses(robot, poses);
    }
    for (size_t i = 0; i < count && good; ++i) {
        int parent = robot->links.items[i].parent;
        roots[i] = parent < 0 ? (int)i : roots[parent];
    }
    // Each base above each plane
    for (size_t i = 0; i < count && good && !robot->options.placed; ++i) {
        if (robot->links.items[i].parent >= 0 || robot->links.items[i].type != HF_JOINT_FREE) {
            continue;
        }
        for (size_t k = 0; k < robot->shapes.count && good; ++k) {
            const hf_robot_shape *plane = &robot->shapes.items[k];
            if (plane->link >= 0 || plane->type != HF_ROBOT_PLANE || !plane->collides) {
                continue;
            }
            double depth = depth_in(robot, (int)i, poses, roots, plane);
            good = depth == 0.0 || lift(robot, (int)i, poses, roots, plane, depth);
        }
    }
    free(poses);
    free(roots);
    return good;
}

// Whether it has a free base, and planes in its world.
static bool lies_on_planes(const hf_robot *robot)
{
    bool free_base = false, plane = false;
    for (size_t i = 0; i < robot->links.count; ++i) {
        const hf_robot_link *link = &robot->links.items[i];
        free_base = free_base || (link->parent < 0 && link->type == HF_JOINT_FREE);
    }
    for (size_t k = 0; k < robot->shapes.count; ++k) {
        const hf_robot_shape *s = &robot->shapes.items[k];
        plane = plane || (s->link < 0 && s->type == HF_ROBOT_PLANE && s->collides);
    }
    return free_base && plane && !robot->options.placed;
}

bool hf_robot_stand(hf_robot *robot)
{
    place_base(robot);
    if (robot->options.base == HF_ROBOT_BASE_FREE) {
        set_base(robot, HF_JOINT_FIXED, HF_JOINT_FREE);
    }
    bool good = (!lies_on_planes(robot) || hf_robot_close(robot)) && lift_all(robot);
    if (robot->options.base == HF_ROBOT_BASE_FIXED) {
        set_base(robot, HF_JOINT_FREE, HF_JOINT_FIXED);
    }
    return good;
}

double hf_robot_followed(const hf_robot *robot, const hf_robot_coupling *c)
{
    double x = robot->links.items[c->to].position[0] - c->to_zero, power = 1.0;
    double wanted = c->on_zero;
    for (int k = 0; k < 5; ++k, power *= x) {
        wanted += c->polynomial[k] * power;
    }
    return wanted;
}

void hf_robot_start_followers(hf_robot *robot)
{
    // As often as followers could be led by followers
    for (size_t pass = 0; pass < robot->couplings.count; ++pass) {
        bool moved = false;
        for (size_t i = 0; i < robot->couplings.count; ++i) {
            const hf_robot_coupling *c = &robot->couplings.items[i];
            if (c->on < 0 || c->to < 0) { // an axis that is held follows none
                continue;
            }
            double *q = robot->links.items[c->on].position, wanted = hf_robot_followed(robot, c);
            moved = moved || q[0] != wanted;
            q[0] = wanted;
        }
        if (!moved) {
            return;
        }
    }
}
