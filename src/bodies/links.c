// SPDX-License-Identifier: Apache-2.0
// Articulated trees as bodies of a machine; their equations are in tree.h. A tree is laid out link
// by link (compile_trees.c): the table has no `lay`.
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "bodies/bodies.h"
#include "bodies/tree_internal.h"

// An axis shorter than this has no direction.
#define NO_AXIS 1e-12

int hf_joint_coordinates(hf_joint_type type)
{
    static const int counts[HF_JOINT_TYPE_COUNT] = {0, 1, 1, 4, 3, 7};
    return (unsigned)type < HF_JOINT_TYPE_COUNT ? counts[type] : 0;
}

int hf_joint_velocities(hf_joint_type type)
{
    static const int counts[HF_JOINT_TYPE_COUNT] = {0, 1, 1, 3, 3, 6};
    return (unsigned)type < HF_JOINT_TYPE_COUNT ? counts[type] : 0;
}

hf_joint_def hf_joint_def_default(hf_joint_type type)
{
    hf_joint_def def = {.type = type, .tilt = {.w = 1.0}, .axis = {.z = 1.0}};
    if (type == HF_JOINT_SPHERICAL) {
        def.position[0] = 1.0;
    } else if (type == HF_JOINT_FREE) {
        def.position[3] = 1.0;
    }
    return def;
}

static hf_status link_check(const hf_spec *spec, const void *joint, const char *name,
                            hf_error *error)
{
    const hf_joint_def *def = joint;
    (void)spec;
    // The joint
    if ((unsigned)def->type >= HF_JOINT_TYPE_COUNT) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("joint", name, "type"),
                           "unknown type");
    }
    HF_TRY(hf_check_numbers(&def->offset.x, 3, "joint", name, "offset", error));
    HF_TRY(hf_check_unit_quat(&def->tilt.w, "joint", name, "orientation", error));
    HF_TRY(hf_check_numbers(&def->axis.x, 3, "joint", name, "axis", error));
    bool has_axis = def->type == HF_JOINT_REVOLUTE || def->type == HF_JOINT_PRISMATIC;
    if (has_axis && !(hf_v3_norm(def->axis) > NO_AXIS)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("joint", name, "axis"),
                           "axis must not be zero");
    }
    // Its link and rotor
    HF_TRY(hf_check_mass(def->mass, true, "joint", name, error));
    HF_TRY(hf_check_numbers(&def->center.x, 3, "joint", name, "center", error));
    HF_TRY(hf_check_inertia(&def->inertia, false, def->keep_inertia, "joint", name, error));
    bool moves = def->type != HF_JOINT_FIXED;
    if (!(def->armature >= 0.0) || !isfinite(def->armature) || (def->armature > 0.0 && !moves)) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("joint", name, "armature"),
                           "armature must not be negative, and a fixed joint has none; got %g",
                           def->armature);
    }
    // Where it starts, and its shape
    HF_TRY(hf_check_numbers(def->position, hf_joint_coordinates(def->type), "joint", name,
                            "position", error));
    HF_TRY(hf_check_numbers(def->velocity, hf_joint_velocities(def->type), "joint", name,
                            "velocity", error));
    if (def->type == HF_JOINT_SPHERICAL || def->type == HF_JOINT_FREE) {
        HF_TRY(hf_check_unit_quat(def->position + (def->type == HF_JOINT_FREE ? 3 : 0), "joint",
                                  name, "position", error));
    }
    HF_TRY(hf_check_numbers(&def->shape_center.x, 3, "joint", name, "shape center", error));
    return hf_check_moving_shape(&def->shape, "joint", name, error);
}

static bool link_keep(hf_arena *arena, void *def)
{
    return hf_shape_keep(arena, &((hf_joint_def *)def)->shape);
}

static bool link_number(void *def, int k, hf_body_number *number)
{
    hf_joint_def *d = def;
    if (hf_body_inertia_number(&d->mass, &d->inertia, k, number)) {
        return true;
    }
    bool turns = d->type == HF_JOINT_REVOLUTE;
    number->name = "armature";
    number->part = "";
    number->unit = turns ? "kg m^2" : "kg";
    number->at = &d->armature;
    return k == 7 && (turns || d->type == HF_JOINT_PRISMATIC);
}

static void link_size(const void *def, int *nq, int *nv)
{
    hf_joint_type type = ((const hf_joint_def *)def)->type;
    *nq = hf_joint_coordinates(type);
    *nv = hf_joint_velocities(type);
}

static void link_start(const void *def, double *q, double *v)
{
    const hf_joint_def *d = def;
    int nq, nv;
    link_size(def, &nq, &nv);
    memcpy(q, d->position, (size_t)nq * sizeof *q);
    memcpy(v, d->velocity, (size_t)nv * sizeof *v);
}

static void link_info(const void *def, hf_body_info *info)
{
    const hf_joint_def *d = def;
    info->joint = d->type;
    info->mass = d->mass;
    info->inertia = d->inertia;
    info->shape = d->shape;
    info->shape_center = d->shape_center;
    info->center = d->center;
    info->parent = d->parent;
    info->offset = d->offset;
    info->axis = d->axis;
}

// Where the links are, as it is kept; NULL: nothing keeps it.
static const hf_tree_places *places_of(const hf_tree_body *tree, const hf_body_io *io,
                                       hf_tree_places *places)
{
    if (io->places == NULL) {
        return NULL;
    }
    *places = hf_tree_places_at(&tree->tree, io->q + tree->q, io->places + tree->places);
    return places;
}

static void tree_pose(const void *bodies, int count, const hf_body_io *io)
{
    const hf_tree_body *trees = bodies;
    for (int i = 0; i < count; ++i) {
        const hf_tree_body *tree = &trees[i];
        if (tree->has_poses) {
            const double *q = io->q + tree->q;
            hf_tree_places places;
            hf_tree_poses_at(&tree->tree, places_of(tree, io, &places), q, io->v + tree->v,
                             io->poses + tree->pose);
        }
    }
}

static void tree_place(const void *bodies, int count, const hf_body_io *io)
{
    const hf_tree_body *trees = bodies;
    for (int i = 0; i < count; ++i) {
        const hf_tree_body *tree = &trees[i];
        hf_tree_places places;
        if (tree->has_poses && places_of(tree, io, &places) != NULL) {
            hf_tree_place_poses(&tree->tree, &places, io->poses + tree->pose);
        } else {
            tree_pose(tree, 1, io);
        }
    }
}

static void tree_rate(const void *bodies, int count, const hf_body_io *io, double *dq, double *dv)
{
    const hf_tree_body *trees = bodies;
    for (int i = 0; i < count; ++i) {
        const hf_tree_body *tree = &trees[i];
        const double *q = io->q + tree->q, *v = io->v + tree->v;
        if (tree->leads) {
            int q_step = tree[1].q - tree->q, v_step = tree[1].v - tree->v;
            if (q_step == v_step && v_step == tree->tree.nv) { // all in a row, as joints only turn
                for (int k = 0; k < HF_TREE_LANES * v_step; ++k) {
                    dq[tree->q + k] = v[k];
                }
            } else {
                for (int k = 0; k < HF_TREE_LANES; ++k) {
                    hf_tree_q_rate(&tree[k].tree, io->q + tree[k].q, io->v + tree[k].v,
                                   dq + tree[k].q);
                }
            }
            const hf_tree_lanes lanes = {
                .q = q, .v = v, .u = io->u + tree->v, .q_step = q_step, .v_step = v_step};
            hf_tree_forward_lanes(&tree->tree, &lanes, io->gravity, dv + tree->v);
            i += HF_TREE_LANES - 1;
            continue;
        }
        hf_tree_q_rate(&tree->tree, q, v, dq + tree->q);
        if (io->by_mass && io->places != NULL && tree->keeps &&
            hf_tree_forward_by_mass(tree, io, dv + tree->v)) {
            continue;
        }
        // Poses of these coordinates come first, where there are any
        hf_tree_places places;
        bool known = tree->has_poses && !tree->tree.planar;
        hf_tree_forward_at(&tree->tree, known ? places_of(tree, io, &places) : NULL, q, v,
                           io->u + tree->v, tree->has_poses ? io->wrenches + tree->pose : NULL,
                           io->gravity, io->work + tree->work, dv + tree->v);
    }
}

// Whether b is a, bit by bit, for the dynamics in the plane. Equal numbers with different bits (0
// and -0) are only computed one by one.
static bool are_alike(const hf_tree_model *a, const hf_tree_model *b)
{
    bool same = a->link_count == b->link_count && hf_tree_has_lanes(b) &&
                memcmp(&a->plane_x, &b->plane_x, sizeof a->plane_x) == 0 &&
                memcmp(&a->plane_y, &b->plane_y, sizeof a->plane_y) == 0;
    for (int i = 0; same && i < a->link_count; ++i) {
        same = memcmp(&a->links[i].plane, &b->links[i].plane, sizeof a->links[i].plane) == 0;
    }
    return same;
}

void hf_trees_find_lanes(hf_tree_body *trees, int count)
{
    for (int i = 0; i + HF_TREE_LANES <= count; ++i) {
        hf_tree_body *tree = &trees[i];
        bool leads = hf_tree_has_lanes(&tree->tree) && !tree->has_poses;
        for (int k = 1; k < HF_TREE_LANES && leads; ++k) {
            leads = !tree[k].has_poses && are_alike(&tree->tree, &tree[k].tree) &&
                    tree[k].q - tree[k - 1].q == tree[1].q - tree->q &&
                    tree[k].v - tree[k - 1].v == tree[1].v - tree->v;
        }
        tree->leads = leads;
        i += leads ? HF_TREE_LANES - 1 : 0;
    }
}

static void tree_q_rate(const void *bodies, int count, const double *q, const double *v, double *dq)
{
    const hf_tree_body *trees = bodies;
    for (int i = 0; i < count; ++i) {
        hf_tree_q_rate(&trees[i].tree, q + trees[i].q, v + trees[i].v, dq + trees[i].q);
    }
}

static void tree_normalize(const void *bodies, int count, double *q)
{
    const hf_tree_body *trees = bodies;
    for (int i = 0; i < count; ++i) {
        hf_tree_normalize(&trees[i].tree, q + trees[i].q);
    }
}

static void tree_energy(const void *bodies, int count, const hf_body_io *io, double *kinetic,
                        double *potential)
{
    const hf_tree_body *trees = bodies;
    for (int i = 0; i < count; ++i) {
        const hf_tree_body *tree = &trees[i];
        double *work = io->work + tree->work;
        const double *q = io->q + tree->q;
        *kinetic += hf_tree_kinetic(&tree->tree, q, io->v + tree->v, work);
        *potential += hf_tree_potential(&tree->tree, q, io->gravity, work);
    }
}

static void tree_pose_rates(const void *bodies, int count, const hf_pose *poses,
                            hf_pose_rate *rates)
{
    const hf_tree_body *trees = bodies;
    for (int i = 0; i < count; ++i) {
        if (trees[i].has_poses) {
            hf_tree_pose_rates(&trees[i].tree, poses + trees[i].pose, rates + trees[i].pose);
        }
    }
}

static void tree_clear(const void *body, const hf_body_io *io)
{
    const hf_tree_body *tree = body;
    memset(io->u + tree->v, 0, (size_t)tree->tree.nv * sizeof *io->u);
    memset(io->wrenches + tree->pose, 0, (size_t)tree->tree.link_count * sizeof *io->wrenches);
}

static void tree_respond(const void *body, const hf_body_io *io, double *dv)
{
    const hf_tree_body *tree = body;
    hf_tree_forward(&tree->tree, io->q + tree->q, io->v + tree->v, io->u + tree->v,
                    tree->has_poses ? io->wrenches + tree->pose : NULL, hf_v3(0.0, 0.0, 0.0),
                    io->work + tree->work, dv + tree->v);
}

static void tree_answer(const void *body, const hf_body_io *io, const double *f, double *a)
{
    const hf_tree_body *tree = body;
    hf_tree_forward(&tree->tree, io->q + tree->q, io->v + tree->v, f, NULL, hf_v3(0.0, 0.0, 0.0),
                    io->work + tree->work, a);
}

static bool is_zero(const hf_spatial *f)
{
    return f->angular.x == 0.0 && f->angular.y == 0.0 && f->angular.z == 0.0 &&
           f->linear.x == 0.0 && f->linear.y == 0.0 && f->linear.z == 0.0;
}

// Wrenches on the links, each with those of what hangs on it, along the directions of its joint.
// Poses are those of io->q.
static void tree_load(const void *body, const hf_body_io *io, double *f)
{
    const hf_tree_body *tree = body;
    const hf_pose *poses = io->poses + tree->pose;
    hf_spatial *carried = (hf_spatial *)(io->work + tree->work);
    // Forces on the coordinates, and wrenches on each link alone
    for (int k = 0; k < tree->tree.nv; ++k) {
        f[k] = io->u[tree->v + k];
    }
    if (!tree->has_poses) {
        return;
    }
    int last = -1; // the last link with a wrench
    for (int i = 0; i < tree->tree.link_count; ++i) {
        const hf_wrench *w = &io->wrenches[tree->pose + i];
        carried[i] = (hf_spatial){w->torque, w->force};
        last = is_zero(&carried[i]) ? last : i;
    }
    // Inward, each link hands on what it carries, if anything
    for (int i = last; i >= 0; --i) {
        const hf_tree_link *link = &tree->tree.links[i];
        hf_vec3 direction[6];
        if (is_zero(&carried[i])) {
            continue;
        }
        hf_vec3 lever = hf_tree_stand_link(link, io->q + tree->q + link->q,
                                           link->parent < 0 ? NULL : &poses[link->parent].rotation,
                                           &poses[i].rotation, direction);
        for (int k = 0; k < link->nv; ++k) {
            bool turns = hf_tree_turns(link->type, k);
            f[link->v + k] +=
                hf_v3_dot(direction[k], turns ? carried[i].angular : carried[i].linear);
        }
        if (link->parent >= 0) {
            hf_spatial *down = &carried[link->parent];
            hf_spatial g = hf_spatial_force_shifted(carried[i], lever);
            *down = (hf_spatial){hf_v3_add(down->angular, g.angular),
                                 hf_v3_add(down->linear, g.linear)};
        }
    }
}

// L, M, and one row of scratch.
static size_t tree_factor_size(const void *body)
{
    const hf_tree_body *tree = body;
    return 2 * hf_tree_row_numbers(tree->tree.nv, tree->above) + (size_t)tree->tree.nv;
}

static bool tree_factor(const void *body, const hf_body_io *io, double *l)
{
    const hf_tree_body *tree = body;
    const double *q = io->q + tree->q;
    size_t size = hf_tree_row_numbers(tree->tree.nv, tree->above);
    if (io->places != NULL && tree->keeps) {
        const double *there = hf_tree_factor_at(tree, q, io->work + tree->work, io->places);
        if (there != NULL) {
            memcpy(l, there, 2 * size * sizeof *l);
        }
        return there != NULL;
    }
    hf_tree_places places;
    hf_tree_mass_rows_at(&tree->tree, places_of(tree, io, &places), tree->above, q,
                         io->work + tree->work, l + size);
    memcpy(l, l + size, size * sizeof *l);
    return hf_tree_factor(tree->tree.nv, tree->above, l);
}

static void tree_mass(const void *body, const double *l, double *m)
{
    const hf_tree_body *tree = body;
    size_t size = hf_tree_row_numbers(tree->tree.nv, tree->above);
    memcpy(m, l + size, size * sizeof *m);
}

static void tree_momentum(const void *body, const double *l, const double *v, double *p)
{
    const hf_tree_body *tree = body;
    int n = tree->tree.nv;
    hf_tree_multiply(n, tree->above, l + hf_tree_row_numbers(n, tree->above), v, p);
}

static void tree_half(const void *body, const double *l, const double *j, double *y)
{
    const hf_tree_body *tree = body;
    hf_tree_factor_half(tree->tree.nv, tree->above, l, j, y);
}

static void tree_answer_rows(const void *body, const double *l, int count, double *y, double *x)
{
    const hf_tree_body *tree = body;
    hf_tree_factor_answer(tree->tree.nv, tree->above, l, count, y, x);
}

static const int *tree_above(const void *body)
{
    return ((const hf_tree_body *)body)->above;
}

static int tree_leaf(const void *body, int pose)
{
    const hf_tree_body *tree = body;
    int link = pose - tree->pose;
    while (link >= 0 && tree->tree.links[link].nv == 0) {
        link = tree->tree.links[link].parent;
    }
    return link < 0 ? -1 : tree->tree.links[link].v + tree->tree.links[link].nv - 1;
}

static void tree_weigh(const void *body, const hf_body_io *io, const double *l, const double *v,
                       double *s)
{
    const hf_tree_body *tree = body;
    (void)io;
    hf_tree_factor_weigh(tree->tree.nv, tree->above, l, v, s);
}

static void tree_unweigh(const void *body, const double *l, const double *s, double *v)
{
    const hf_tree_body *tree = body;
    size_t n = (size_t)tree->tree.nv;
    double *x = (double *)l + 2 * hf_tree_row_numbers(tree->tree.nv, tree->above); // its scratch
    hf_tree_factor_back(tree->tree.nv, tree->above, l, s, x);
    for (size_t i = 0; i < n; ++i) {
        v[i] += x[i];
    }
}

// Of each velocity on the way from a link to the one at its end, or to the world: the direction in
// which it turns the link, and that in which it moves a point so far from the link's origin. turn,
// shift: [velocities].
static void point_columns(const hf_tree_body *tree, const hf_body_io *io, int index, int end,
                          hf_vec3 arm, hf_vec3 *turn, hf_vec3 *shift)
{
    const hf_pose *poses = io->poses + tree->pose;
    for (int i = index; i != end; i = tree->tree.links[i].parent) {
        const hf_tree_link *link = &tree->tree.links[i];
        hf_vec3 direction[6];
        hf_vec3 lever = hf_tree_stand_link(link, io->q + tree->q + link->q,
                                           link->parent < 0 ? NULL : &poses[link->parent].rotation,
                                           &poses[i].rotation, direction);
        for (int k = 0; k < link->nv; ++k) {
            bool turns = hf_tree_turns(link->type, k);
            turn[link->v + k] = turns ? direction[k] : hf_v3(0.0, 0.0, 0.0);
            shift[link->v + k] = turns ? hf_v3_cross(direction[k], arm) : direction[k];
        }
        arm = hf_v3_add(arm, lever);
    }
}

// Poses are those of io->q. Nothing is touched beside the way from the pushed link to the world.
static void tree_rows(const void *body, const hf_body_io *io, const hf_body_push *push,
                      const double *l, double *rows, size_t stride, double *scratch)
{
    const hf_tree_body *tree = body;
    size_t n = (size_t)tree->tree.nv;
    hf_vec3 *turn = (hf_vec3 *)scratch, *shift = turn + n;
    double *row = scratch + 6 * n;
    int leaf = tree_leaf(body, push->pose),
        end = push->below > 0 ? tree_leaf(body, push->below) : -1;
    HF_ASSERT(l == NULL || push->below == 0); // L'^-1 fills the whole way
    hf_vec3 arm = push->force == NULL ? hf_v3(0.0, 0.0, 0.0) : push->arm;
    point_columns(tree, io, push->pose - tree->pose,
                  push->below > 0 ? push->below - tree->pose : -1, arm, turn, shift);
    for (int r = 0; r < push->count; ++r, rows += stride) {
        // J' of each push: forces at the point, torques on the link
        for (int k = leaf; k != end; k = tree->above[k]) {
            double sum = push->force == NULL ? 0.0 : hf_v3_dot(push->force[r], shift[k]);
            sum += push->torque == NULL ? 0.0 : hf_v3_dot(push->torque[r], turn[k]);
            row[k] = push->sign * sum;
        }
        // Weighed by the factor of the mass matrix, and added
        if (l != NULL) {
            hf_tree_factor_half_from(leaf, tree->tree.nv, tree->above, l, row);
        }
        for (int k = leaf; k != end; k = tree->above[k]) {
            rows[k] += row[k];
        }
    }
}

static int tree_meet(const void *body, int pose, int other)
{
    const hf_tree_body *tree = body;
    int a = pose - tree->pose, b = other - tree->pose;
    while (a != b) { // parents come first
        a = a > b ? tree->tree.links[a].parent : a;
        b = b > a ? tree->tree.links[b].parent : b;
    }
    return a < 0 ? 0 : tree->pose + a;
}

static hf_pose tree_look(const void *body, int link, const hf_body_io *io)
{
    const hf_tree_body *tree = body;
    hf_tree_places places;
    hf_tree_poses_at(&tree->tree, places_of(tree, io, &places), io->q + tree->q, io->v + tree->v,
                     io->poses + tree->pose);
    return io->poses[tree->pose + link];
}

const hf_body_ops hf_link_ops = {.type = HF_BODY_LINK,
                                 .name = "link",
                                 .bytes = sizeof(hf_tree_body),
                                 .accelerates = true,
                                 .turns = true,
                                 .coordinates = true,
                                 .shaped = true,
                                 .jointed = true,
                                 .def_size = sizeof(hf_joint_def),
                                 .check = link_check,
                                 .keep = link_keep,
                                 .number = link_number,
                                 .size = link_size,
                                 .start = link_start,
                                 .info = link_info,
                                 .pose = tree_pose,
                                 .place = tree_place,
                                 .rate = tree_rate,
                                 .q_rate = tree_q_rate,
                                 .normalize = tree_normalize,
                                 .energy = tree_energy,
                                 .pose_rates = tree_pose_rates,
                                 .clear = tree_clear,
                                 .respond = tree_respond,
                                 .answer = tree_answer,
                                 .spin = hf_tree_spin,
                                 .load = tree_load,
                                 .factor_size = tree_factor_size,
                                 .factor = tree_factor,
                                 .half = tree_half,
                                 .mass = tree_mass,
                                 .momentum = tree_momentum,
                                 .answer_rows = tree_answer_rows,
                                 .above = tree_above,
                                 .leaf = tree_leaf,
                                 .weigh = tree_weigh,
                                 .unweigh = tree_unweigh,
                                 .rows = tree_rows,
                                 .meet = tree_meet,
                                 .look = tree_look};
