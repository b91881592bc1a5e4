// SPDX-License-Identifier: Apache-2.0
// Trees that turn, within a step of velocities first, then positions.
//
// Velocity products M v' = -c(q, v), which are quadratic in v, make energy when they are taken at
// the beginning of a step: a share of up to (h w)^2 in each. Where a joint turns by more than
// FAST_, and with theta below 1, they are taken in the middle of the step instead, which no other
// force shares,
//
//   w = v + h a((q + q')/2, (v + w)/2),   a = -M^-1 c
//
// by iteration. w, of the middle or of the beginning, is then scaled to the kinetic energy of v
// where the tree will be: products of velocities do no work. (Branches that meet in the world alone
// have an energy each: what one of them does is no matter of the others.) What other forces do over
// the step, g, comes on top. With theta below 1 it is within, w = v + g + h a, and the energy that
// of v and their work, M g (v + w)/2: of second order together; not where stiff forces are among
// them, which do over the step something else than g. The linearly implicit step, (I - h a_v - h^2
// a_q) (w - v) = h (a + h a_q v), has no such bound: a double pendulum at 60 rad/s and 10 ms comes
// to 1,800 times its energy.
#include <math.h>
#include <string.h>

#include "bodies/bodies.h"
#include "bodies/tree_internal.h"

// Turn of a joint in a step [rad]: of trees that can turn about any axis, and of others. Below the
// last, products make less than 1e-8 of the energy in a step.
#define FAST_FREE 0.01
#define FAST_ELSE 0.05
#define SLOW      1e-4
#define SETTLED   1e-13
// What is left of the energy of a tree that forces stop: its velocities are not scaled.
#define LEAST_LEFT 0.25
// Of a step's velocities: what changes by more is stable, and not the machine's motion.
#define MOST_CHANGE 0.5
enum { MOST_ITERATIONS = 40, MOST_SHARES = 20, HALVINGS = 60 };

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
    double *q, *dq;                 // [nq]
    double *none, *mean, *a, *w;    // [nv]
    double *own_v, *own_from, *all; // [nv] of one branch, and all of w
    double *work, *all_places;
    int top; // the branch that is looked at, by its first velocity; -1: the whole tree
    const int *above;
} scratch;

// a at (q, v), to s->a.
static void products(const hf_tree_model *tree, const double *q, const double *v, const scratch *s)
{
    hf_tree_forward(tree, q, v, s->none, NULL, hf_v3(0.0, 0.0, 0.0), s->work, s->a);
}

// The same by the factor of the mass at q, which is there.
static void products_of(const hf_tree_body *body, const double *q, const double *v, const double *l,
                        const scratch *s)
{
    const hf_tree_model *tree = &body->tree;
    if (body->keeps) {
        const double *c = hf_tree_products_at(body, q, v, s->work, s->all_places);
        memcpy(s->a, c, (size_t)tree->nv * sizeof *c);
    } else {
        hf_tree_places places = hf_tree_places_at(tree, q, s->all_places + body->places);
        hf_tree_inverse_at(tree, &places, q, v, NULL, NULL, hf_v3(0.0, 0.0, 0.0), s->work, s->a);
    }
    hf_tree_factor_half(tree->nv, body->above, l, s->a, s->a);
    hf_tree_factor_back(tree->nv, body->above, l, s->a, s->a);
    for (int i = 0; i < tree->nv; ++i) {
        s->a[i] = -s->a[i];
    }
}

// Kinetic energy at the coordinates of the factor: |L v|^2/2.
static double energy_of(const hf_tree_body *body, const double *v, const double *l,
                        const scratch *s)
{
    double sum = 0.0;
    hf_tree_factor_weigh(body->tree.nv, body->above, l, v, s->mean);
    for (int i = 0; i < body->tree.nv; ++i) {
        sum += 0.5 * s->mean[i] * s->mean[i];
    }
    return sum;
}

// The first velocity on the way from the world to velocity k.
static int top_of(const int *above, int k)
{
    while (above[k] >= 0) {
        k = above[k];
    }
    return k;
}

// Kinetic energy of the tree, or of the branch alone that is looked at.
static double kinetic(const hf_tree_model *tree, const double *q, const double *v, const scratch *s)
{
    return s->top < 0 ? hf_tree_kinetic(tree, q, v, s->work)
                      : hf_tree_branch_kinetic(tree, s->above, s->top, q, v, s->work);
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

// w by iteration from `from`, which is v or v + g, to s->w. False: it does not settle.
static bool middle(const hf_tree_model *tree, const double *q, const double *v, const double *from,
                   double h, const scratch *s)
{
    memcpy(s->w, from, (size_t)tree->nv * sizeof *from);
    for (int round = 0; round < MOST_ITERATIONS; ++round) {
        double change = 0.0, size = 0.0;
        for (int i = 0; i < tree->nv; ++i) {
            s->mean[i] = 0.5 * (v[i] + s->w[i]);
        }
        moved(tree, q, s->mean, 0.5 * h, s);
        products(tree, s->q, s->mean, s);
        for (int i = 0; i < tree->nv; ++i) {
            double next = from[i] + h * s->a[i];
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

// Whether the products change the velocities by less than half of them, by their kinetic energy.
static bool is_resolved(const hf_tree_model *tree, const double *q, const double *v,
                        const double *from, const scratch *s)
{
    for (int i = 0; i < tree->nv; ++i) {
        s->mean[i] = s->w[i] - from[i];
    }
    return hf_tree_kinetic(tree, q, s->mean, s->work) <=
           MOST_CHANGE * MOST_CHANGE * hf_tree_kinetic(tree, q, v, s->work);
}

static scratch scratch_of(const hf_tree_model *tree, const hf_body_turn *turn,
                          const hf_tree_body *body)
{
    double *at = turn->spare;
    int nq = tree->nq, nv = tree->nv;
    scratch s = {.q = at, .dq = at + nq, .none = at + 2 * nq, .work = turn->work + body->work};
    s.all_places = turn->places;
    s.mean = s.none + nv;
    s.a = s.mean + nv;
    s.w = s.a + nv;
    s.own_v = s.w + nv;
    s.own_from = s.own_v + nv;
    s.all = s.own_from + nv;
    s.top = -1;
    memset(s.none, 0, (size_t)nv * sizeof *s.none);
    return s;
}

// Kinetic energy after the step with share times s->w.
static double energy_with(const hf_tree_model *tree, const hf_body_turn *turn, const double *q,
                          const double *v, double share, const scratch *s)
{
    for (int i = 0; i < tree->nv; ++i) {
        s->mean[i] = turn->theta * share * s->w[i] + (1.0 - turn->theta) * v[i];
    }
    moved(tree, q, s->mean, turn->h, s);
    return share * share * kinetic(tree, s->q, s->w, s);
}

// Work of g = from - v over the mean of v and s->w at q: (T(mean + g) - T(mean - g))/2.
static double work_over(const hf_tree_model *tree, const double *q, const double *v,
                        const double *from, const scratch *s)
{
    double sum = 0.0;
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < tree->nv; ++i) {
            s->mean[i] = 0.5 * (v[i] + s->w[i]) + side * (from[i] - v[i]);
        }
        sum += 0.5 * side * kinetic(tree, q, s->mean, s);
    }
    return sum;
}

// The share of s->w that has the kinetic energy `wanted` where the tree will be: by iteration, from
// the second on along the secant, or where that does not settle by halves, the most that has not
// more. turned: of a joint in the step.
static double share_of(const hf_tree_model *tree, const hf_body_turn *turn, const double *q,
                       const double *v, double wanted, double turned, const scratch *s)
{
    double share = 1.0, low = 0.0, high = 1.0, last_share = 0.0, last_off = 1.0;
    for (int i = 0; i < MOST_SHARES; ++i) {
        double ratio = energy_with(tree, turn, q, v, share, s) / wanted, off = ratio - 1.0;
        double slope = (off - last_off) / (share - last_share); // 2, but for how far it moves
        bool secant = i > 0 && fabs(slope - 2.0) < 1.0;
        double next = secant ? share - off / slope : share / sqrt(ratio);
        // What the next one would find
        if (fabs(off) * turned * (secant ? fmin(fabs(last_off), 1.0) : 1.0) <= SETTLED) {
            return next;
        }
        last_share = share;
        last_off = off;
        share = next;
    }
    for (int i = 0; i < HALVINGS; ++i) {
        share = 0.5 * (low + high);
        bool less = energy_with(tree, turn, q, v, share, s) <= wanted;
        low = less ? share : low;
        high = less ? high : share;
    }
    return low;
}

// The share of s->w that is to be taken; v and `after` (v + g) are those of the tree, or of a
// branch.
static double share_for(const hf_tree_model *tree, const hf_body_turn *turn,
                        const hf_tree_body *body, bool weighed, const double *v,
                        const double *after, double turned, const scratch *s)
{
    const double *q = turn->q + body->q, *there_q = turn->there_q + body->q;
    bool within = turn->theta < 1.0 && !turn->apart;
    double before = weighed ? energy_of(body, v, turn->mass, s) : kinetic(tree, q, v, s);
    double wanted = before + (within ? work_over(tree, there_q, v, after, s) : 0.0);
    bool stops = !(wanted > LEAST_LEFT * before);
    return stops ? 1.0 : share_of(tree, turn, q, v, wanted, turned, s);
}

static int count_tops(const hf_tree_body *body)
{
    int count = 0;
    for (int k = 0; k < body->tree.nv; ++k) {
        count += body->above[k] < 0 ? 1 : 0;
    }
    return count;
}

// after := velocities with products, those of each branch scaled to its own energy.
static void scale_branches(const hf_tree_model *tree, const hf_body_turn *turn,
                           const hf_tree_body *body, bool weighed, double *after, scratch *s)
{
    const double *v = turn->v + body->v;
    bool within = turn->theta < 1.0 && !turn->apart;
    size_t size = (size_t)tree->nv * sizeof *v;
    memcpy(s->all, s->w, size);
    for (int top = 0; top < tree->nv; ++top) {
        if (body->above[top] >= 0) {
            continue;
        }
        // The branch alone
        s->top = top;
        for (int i = 0; i < tree->nv; ++i) {
            bool own = top_of(body->above, i) == top;
            s->own_v[i] = own ? v[i] : 0.0;
            s->own_from[i] = own ? after[i] : 0.0;
            s->w[i] = own ? s->all[i] : 0.0;
        }
        double turned = turn_of(tree, s->own_v, turn->h), share = 1.0;
        if (turned > SLOW) {
            share = share_for(tree, turn, body, weighed, s->own_v, s->own_from, turned, s);
        }
        for (int i = top; i < tree->nv; ++i) {
            if (top_of(body->above, i) == top) {
                after[i] = share * s->all[i] + (within ? 0.0 : after[i] - v[i]);
            }
        }
    }
}

static void spin(const hf_tree_model *tree, const hf_body_turn *turn, const hf_tree_body *body,
                 double turned)
{
    const double *q = turn->q + body->q, *v = turn->v + body->v;
    const double *there_q = turn->there_q + body->q;
    double *after = turn->free_v + body->v, h = turn->h;
    scratch s = scratch_of(tree, turn, body);
    bool within = turn->theta < 1.0 && !turn->apart;
    bool fast = turn->theta < 1.0 || turned > fast_for(tree);
    bool weighed = turn->mass != NULL && there_q == q && turn->there_v + body->v == v;
    // v + g: without the products as the evaluation had them
    if (weighed) {
        products_of(body, q, v, turn->mass, &s);
    } else {
        products(tree, there_q, turn->there_v + body->v, &s);
    }
    for (int i = 0; i < tree->nv; ++i) {
        after[i] -= h * s.a[i];
    }
    // Velocities with products: of the middle, or of the beginning
    const double *from = within ? after : v;
    bool found = fast && middle(tree, q, v, from, h, &s);
    if (fast && (!found || !is_resolved(tree, q, v, from, &s))) {
        *turn->unsettled = fmax(*turn->unsettled, turned);
    }
    if (!found) {
        if (fast) {
            products(tree, q, v, &s);
        }
        for (int i = 0; i < tree->nv; ++i) {
            s.w[i] = from[i] + h * s.a[i];
        }
    }
    // As much of them as has the energy
    s.above = body->above;
    if (count_tops(body) == 1) {
        double share = share_for(tree, turn, body, weighed, v, after, turned, &s);
        for (int i = 0; i < tree->nv; ++i) {
            after[i] = share * s.w[i] + (within ? 0.0 : after[i] - v[i]);
        }
    } else {
        scale_branches(tree, turn, body, weighed, after, &s);
    }
}

void hf_tree_spin(const void *bodies, int count, const hf_body_turn *turn)
{
    for (int k = 0; k < count; ++k) {
        const hf_tree_body *body = &((const hf_tree_body *)bodies)[k];
        double turned = turn_of(&body->tree, turn->v + body->v, turn->h);
        if (body->tree.nv > 1 && turned > SLOW) {
            spin(&body->tree, turn, body, turned);
        }
    }
}
