// SPDX-License-Identifier: Apache-2.0
// Articulated trees as bodies of a machine; their equations are in tree.h.
#include <string.h>

#include "bodies/bodies.h"

static void tree_pose(const void *bodies, int count, const hf_body_io *io)
{
    const hf_tree_body *trees = bodies;
    for (int i = 0; i < count; ++i) {
        const hf_tree_body *tree = &trees[i];
        if (tree->has_poses) {
            hf_tree_poses(&tree->tree, io->q + tree->q, io->v + tree->v, io->poses + tree->pose);
        }
    }
}

static void tree_rate(const void *bodies, int count, const hf_body_io *io, double *dq, double *dv)
{
    const hf_tree_body *trees = bodies;
    for (int i = 0; i < count; ++i) {
        const hf_tree_body *tree = &trees[i];
        const double *q = io->q + tree->q, *v = io->v + tree->v;
        hf_tree_q_rate(&tree->tree, q, v, dq + tree->q);
        hf_tree_forward(&tree->tree, q, v, io->u + tree->v,
                        tree->has_poses ? io->wrenches + tree->pose : NULL, io->gravity,
                        io->work + tree->work, dv + tree->v);
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

static hf_pose tree_look(const void *body, int link, const hf_body_io *io)
{
    const hf_tree_body *tree = body;
    hf_tree_poses(&tree->tree, io->q + tree->q, io->v + tree->v, io->poses + tree->pose);
    return io->poses[tree->pose + link];
}

const hf_body_ops hf_link_ops = {.type = HF_BODY_LINK,
                                 .name = "link",
                                 .size = sizeof(hf_tree_body),
                                 .accelerates = true,
                                 .pose = tree_pose,
                                 .rate = tree_rate,
                                 .q_rate = tree_q_rate,
                                 .normalize = tree_normalize,
                                 .energy = tree_energy,
                                 .pose_rates = tree_pose_rates,
                                 .clear = tree_clear,
                                 .respond = tree_respond,
                                 .answer = tree_answer,
                                 .look = tree_look};
