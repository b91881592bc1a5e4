// SPDX-License-Identifier: Apache-2.0
// Trees that turn fast, within a step of velocities first, then positions.
//
// Velocity products M v' = -c(q, v), which are quadratic in v, make energy when they are taken at
// the beginning of a step: a share of (h w)^2 in each. Where a joint turns by more than FAST_ they
// are taken in the middle of the step instead, which no other force shares,
//
//   w = v + h a((q + q')/2, (v + w)/2),   a = -M^-1 c
//
// by iteration, and w is then scaled to the kinetic energy of v where the tree will be: products of
// velocities do no work. What other forces do over the step comes on top. Slower trees, and those
// whose iteration does not settle, are as they were.
#include <math.h>
#include <string.h>

#include "bodies/bodies.h"

// Turn of a joint in a step [rad]: of trees that can turn about any axis, and of others.
#define FAST_FREE 0.01
#define FAST_ELSE 0.05
#define SETTLED   1e-12
enum { MOST_ITERATIONS = 40 };

static double fast_for(const hf_tree_model *tree)
{
    bool any = false;
    for (int i = 0; i < tree->link_count; ++i) {
        hf_joint_type type = tree->links[i].type;
        any = any || type == HF_JOINT_FREE || type == HF_JOINT_SPHERICAL;
    }
    return any ? FAST_FREE : FAST_ELSE;
}

// The largest turn of a joint in a step.
static double turn_of(const hf_tree_model *tree, const double *v, double h)
{
    double most = 0.0;
    for (int i = 0; i < tree->link_count; ++i) {
        const hf_tree_link *link = &tree->links[i];
        bool shifts = link->type == HF_JOINT_PLANAR || link->type == HF_JOINT_FREE;
        int first = link->type == HF_JOINT_PRISMATIC ? link->nv
                    : shifts                         ? link->nv / 2 + (link->nv == 3 ? 1 : 0)
                                                     : 0;
        for (int k = first; k < link->nv; ++k) {
            most = fmax(most, fabs(v[link->v + k]));
        }
    }
    return h * most;
}

// What the tree is looked at with: arrays of its coordinates and velocities.
typedef struct scratch {
    double *q, *dq;              // [nq]
    double *none, *mean, *a, *w; // [nv]
    double *work;
} scratch;

// a at (q, v), to s->a.
static void products(const hf_tree_model *tree, const double *q, const double *v, const scratch *s)
{
    hf_tree_forward(tree, q, v, s->none, NULL, hf_v3(0.0, 0.0, 0.0), s->work, s->a);
}

// Coordinates after h seconds at v, to s->q.
static void moved(const hf_tree_model *tree, const double *q, const double *v, double h,
                  const scratch *s)
{
    hf_tree_q_rate(tree, q, v, s->dq);
    for (int i = 0; i < tree->nq; ++i) {
        s->q[i] = q[i] + h * s->dq[i];
    }
    hf_tree_normalize(tree, s->q);
}

// w by iteration, to s->w. False: it does not settle.
static bool middle(const hf_tree_model *tree, const double *q, const double *v, double h,
                   const scratch *s)
{
    memcpy(s->w, v, (size_t)tree->nv * sizeof *v);
    for (int round = 0; round < MOST_ITERATIONS; ++round) {
        double change = 0.0, size = 0.0;
        for (int i = 0; i < tree->nv; ++i) {
            s->mean[i] = 0.5 * (v[i] + s->w[i]);
        }
        moved(tree, q, s->mean, 0.5 * h, s);
        products(tree, s->q, s->mean, s);
        for (int i = 0; i < tree->nv; ++i) {
            double next = v[i] + h * s->a[i];
            change = fmax(change, fabs(next - s->w[i]));
            size = fmax(size, fabs(next));
            s->w[i] = next;
        }
        if (change <= SETTLED * size) {
            return true;
        }
        if (!isfinite(change)) {
            return false;
        }
    }
    return false;
}

static scratch scratch_of(const hf_tree_model *tree, const hf_body_turn *turn, size_t work)
{
    double *at = turn->spare;
    int nq = tree->nq, nv = tree->nv;
    scratch s = {.q = at, .dq = at + nq, .none = at + 2 * nq, .work = turn->work + work};
    s.mean = s.none + nv;
    s.a = s.mean + nv;
    s.w = s.a + nv;
    memset(s.none, 0, (size_t)nv * sizeof *s.none);
    return s;
}

void hf_tree_spin(const void *bodies, int count, const hf_body_turn *turn)
{
    for (int k = 0; k < count; ++k) {
        const hf_tree_body *body = &((const hf_tree_body *)bodies)[k];
        const hf_tree_model *tree = &body->tree;
        const double *q = turn->q + body->q, *v = turn->v + body->v;
        double *after = turn->free_v + body->v, h = turn->h;
        if (!(turn_of(tree, v, h) > fast_for(tree))) {
            continue;
        }
        scratch s = scratch_of(tree, turn, body->work);
        if (!middle(tree, q, v, h, &s)) {
            continue;
        }
        // To the kinetic energy that it has, where it will be
        for (int i = 0; i < tree->nv; ++i) {
            s.mean[i] = turn->theta * s.w[i] + (1.0 - turn->theta) * v[i];
        }
        moved(tree, q, s.mean, h, &s);
        double before = hf_tree_kinetic(tree, q, v, s.work);
        double there = hf_tree_kinetic(tree, s.q, s.w, s.work);
        double share = there > 0.0 ? sqrt(before / there) : 1.0;
        // In place of the products as the evaluation had them
        products(tree, turn->there_q + body->q, turn->there_v + body->v, &s);
        for (int i = 0; i < tree->nv; ++i) {
            after[i] += share * s.w[i] - (v[i] + h * s.a[i]);
        }
    }
}
