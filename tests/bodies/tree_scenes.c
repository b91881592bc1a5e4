// SPDX-License-Identifier: Apache-2.0
// Trees and random states that the tests of the tree share.
#include "tree_scenes.h"

#include <string.h>

hf_vec3 random_vector(hf_rng *rng)
{
    double x = hf_rng_normal(rng), y = hf_rng_normal(rng), z = hf_rng_normal(rng);
    return hf_v3(x, y, z);
}

static hf_vec3 random_unit(hf_rng *rng)
{
    hf_vec3 a = random_vector(rng);
    return hf_v3_scale(1.0 / hf_v3_norm(a), a);
}

hf_quat random_turn(hf_rng *rng)
{
    double w = hf_rng_normal(rng), x = hf_rng_normal(rng);
    double y = hf_rng_normal(rng), z = hf_rng_normal(rng);
    return hf_quat_normalized((hf_quat){w, x, y, z});
}

void tree_scene_prepare(tree_scene *scene, int count)
{
    assert_true(count <= TREE_MAX_LINKS);
    hf_tree_prepare(scene->links, count, &scene->tree);
    assert_true(hf_tree_work_size(&scene->tree) <= sizeof scene->work / sizeof scene->work[0]);
    // What a function reads it must have written.
    memset(scene->work, 0xff, sizeof scene->work);
}

// A body of a few points, so that its inertia is that of something real.
static void random_body(hf_tree_link *link, hf_rng *rng)
{
    link->mass = hf_rng_log_uniform(rng, 0.1, 3.0);
    link->center = hf_v3_scale(0.3, random_vector(rng));
    link->inertia = (hf_sym3){0};
    for (int k = 0; k < 4; k++) {
        hf_rigid_inertia point = hf_rigid_inertia_at(
            0.25 * link->mass, hf_v3_scale(0.3, random_vector(rng)), &(hf_sym3){0});
        link->inertia = hf_s3_add(&link->inertia, &point.inertia);
    }
}

static hf_vec3 random_axis(hf_rng *rng)
{
    switch (hf_rng_int(rng, 0, 4)) {
    case 0:
        return hf_v3(1, 0, 0);
    case 1:
        return hf_v3(0, 1, 0);
    case 2:
        return hf_v3(0, 0, 1);
    default:
        return random_unit(rng);
    }
}

static void random_state(tree_scene *scene, hf_rng *rng)
{
    for (int k = 0; k < scene->tree.nq; k++)
        scene->q[k] = hf_rng_normal(rng);
    for (int k = 0; k < scene->tree.nv; k++) {
        scene->v[k] = hf_rng_normal(rng);
        scene->u[k] = hf_rng_normal(rng);
    }
    hf_tree_normalize(&scene->tree, scene->q);
    for (int i = 0; i < scene->tree.link_count; i++)
        scene->external[i] = (hf_wrench){random_vector(rng), random_vector(rng)};
    scene->gravity = hf_v3_scale(5.0, random_vector(rng));
}

// Puts a random link's axes so that its joint moves in the plane across `normal` (world axes at
// zero coordinates; rest: the link's rotation there).
static void keep_in_plane(hf_tree_link *link, const hf_mat3 *rest, hf_vec3 normal, hf_rng *rng)
{
    hf_vec3 axis = normal;
    if (link->type == HF_JOINT_PRISMATIC) {
        axis = hf_v3_cross(normal, random_unit(rng));
        axis = hf_v3_scale(1.0 / hf_v3_norm(axis), axis);
    } else if (hf_rng_bool(rng)) {
        axis = hf_v3_scale(-1.0, normal);
    }
    link->axis = hf_m3_tmulv(rest, axis);
}

void tree_scene_random(tree_scene *scene, hf_rng *rng, int count, bool planar, bool free_base)
{
    hf_mat3 rest[TREE_MAX_LINKS];
    hf_vec3 normal = random_axis(rng);
    bool chain = hf_rng_bool(rng), turns = planar && hf_rng_bool(rng);
    memset(scene, 0, sizeof *scene);
    for (int i = 0; i < count; i++) {
        hf_tree_link *link = &scene->links[i];
        link->type = (hf_joint_type)hf_rng_int(
            rng, 0, planar ? HF_JOINT_PRISMATIC : HF_JOINT_TYPE_COUNT - 1);
        if (turns || (planar && i == count - 1))
            link->type = HF_JOINT_REVOLUTE;
        if (free_base && i == 0)
            link->type = HF_JOINT_FREE;
        link->parent = chain ? i - 1 : hf_rng_int(rng, free_base && i > 0 ? 0 : -1, i - 1);
        link->axis = random_axis(rng);
        link->offset = random_vector(rng);
        link->tilt = hf_rng_bool(rng) ? hf_m3_identity() : hf_quat_rotation(random_turn(rng));
        rest[i] = link->parent >= 0 ? hf_m3_mul(&rest[link->parent], &link->tilt) : link->tilt;
        if (planar)
            keep_in_plane(link, &rest[i], normal, rng);
        random_body(link, rng);
        bool one = link->type == HF_JOINT_REVOLUTE || link->type == HF_JOINT_PRISMATIC;
        link->armature = one && hf_rng_bool(rng) ? hf_rng_log_uniform(rng, 1e-3, 1.0) : 0.0;
    }
    tree_scene_prepare(scene, count);
    random_state(scene, rng);
}

void tree_scene_arm(tree_scene *scene)
{
    memset(scene, 0, sizeof *scene);
    for (int i = 0; i < 2; i++)
        scene->links[i] = (hf_tree_link){.type = HF_JOINT_REVOLUTE,
                                         .parent = i - 1,
                                         .axis = {0, 0, 1},
                                         .offset = {i == 0 ? 0.0 : 0.3, 0, 0},
                                         .tilt = hf_m3_identity(),
                                         .mass = 0.5,
                                         .center = {0.15, 0, 0},
                                         .inertia = {.yy = 0.00375, .zz = 0.00375}};
    tree_scene_prepare(scene, 2);
}

static void rates(tree_scene *s, const double *q, const double *v, double *dq, double *dv)
{
    hf_tree_q_rate(&s->tree, q, v, dq);
    hf_tree_forward(&s->tree, q, v, s->u, NULL, s->gravity, s->work, dv);
}

void tree_scene_rk4(tree_scene *s, double step)
{
    static const double ahead[4] = {0.0, 0.5, 0.5, 1.0}, weight[4] = {1, 2, 2, 1};
    double q[TREE_MAX_NQ], v[TREE_MAX_NV], dq[TREE_MAX_NQ] = {0}, dv[TREE_MAX_NV] = {0};
    double qs[TREE_MAX_NQ] = {0}, vs[TREE_MAX_NV] = {0};
    for (int stage = 0; stage < 4; stage++) {
        for (int k = 0; k < s->tree.nq; k++)
            q[k] = s->q[k] + ahead[stage] * step * dq[k];
        for (int k = 0; k < s->tree.nv; k++)
            v[k] = s->v[k] + ahead[stage] * step * dv[k];
        rates(s, q, v, dq, dv);
        for (int k = 0; k < s->tree.nq; k++)
            qs[k] += weight[stage] * dq[k];
        for (int k = 0; k < s->tree.nv; k++)
            vs[k] += weight[stage] * dv[k];
    }
    for (int k = 0; k < s->tree.nq; k++)
        s->q[k] += step / 6.0 * qs[k];
    for (int k = 0; k < s->tree.nv; k++)
        s->v[k] += step / 6.0 * vs[k];
    hf_tree_normalize(&s->tree, s->q);
}

hf_spatial tree_scene_momentum(tree_scene *scene)
{
    hf_pose poses[TREE_MAX_LINKS];
    hf_spatial sum = {{0, 0, 0}, {0, 0, 0}};
    hf_tree_poses(&scene->tree, scene->q, scene->v, poses);
    for (int i = 0; i < scene->tree.link_count; i++) {
        const hf_tree_link *link = &scene->links[i];
        hf_vec3 c = hf_m3_mulv(&poses[i].rotation, link->center);
        hf_vec3 velocity = hf_v3_add(poses[i].velocity, hf_v3_cross(poses[i].spin, c));
        hf_vec3 p = hf_v3_scale(link->mass, velocity);
        hf_sym3 inertia = hf_s3_rotated(&poses[i].rotation, &link->inertia);
        sum.linear = hf_v3_add(sum.linear, p);
        sum.angular = hf_v3_add(sum.angular, hf_v3_cross(hf_v3_add(poses[i].position, c), p));
        sum.angular = hf_v3_add(sum.angular, hf_s3_mulv(&inertia, poses[i].spin));
    }
    return sum;
}
