// SPDX-License-Identifier: Apache-2.0
// Whether solids went through each other within a step.
//
// The contacts of a step are half spaces at its beginning, and hold to first order. What turns far
// within the step, or is made to by its impact, leaves them behind: a thin solid may end on the
// other side of a sheet. So the way from the beginning to the end is looked at again, by
// conservative advancement: with the gap g now, no point of the two comes nearer faster than w, and
//   g(t + s) >= g(t) - w s
// so that steps of s = (g + 2 d)/w miss no overlap deeper than 2 d. Deeper than d on the way, and
// than at its beginning, is gone through; d is a part of the thinner solid.
#include <math.h>

#include "collide/collider.h"
#include "collide/way.h"

// d, as a part of half of the thinnest side.
#define DEEP 0.1
// A turn beyond this has no axis that its ends determine [rad].
#define FARTHEST_TURN 2.5

enum { LOOKS = 100 };

typedef struct passage {
    hf_way ways[2];
    hf_solid solids[2]; // after t
    double step, speed; // [s], bound of the relative speed of points that may touch [m/s]
    double turn;        // the larger one, in the whole step [rad]
} passage;

// |b - a| in the norm of Frobenius.
static double change_of(const hf_mat3 *a, const hf_mat3 *b)
{
    hf_vec3 x = hf_v3(b->xx - a->xx, b->xy - a->xy, b->xz - a->xz);
    hf_vec3 y = hf_v3(b->yx - a->yx, b->yy - a->yy, b->yz - a->yz);
    hf_vec3 z = hf_v3(b->zx - a->zx, b->zy - a->zy, b->zz - a->zz);
    return sqrt(hf_v3_dot(x, x) + hf_v3_dot(y, y) + hf_v3_dot(z, z));
}

// By how much two solids come nearer in the step at most, without their ways: with R turned by an
// angle a below pi, |dR| = 2 sqrt(2) sin(a/2) in the norm of Frobenius, so that
// a <= pi/(2 sqrt(2)) |dR|. Never below speed_bound times the step.
static double nearer_bound(const hf_collider *c, const int solids[2], const hf_pose *from,
                           const hf_pose *to)
{
    static const double pi_over_root_8 = 1.1107207345395916, rounding = 1.0 + 1e-9;
    hf_vec3 shift[2], origin[2];
    double turn[2], reach[2];
    for (int k = 0; k < 2; ++k) {
        const hf_solid_place *place = &c->places[solids[k]];
        const hf_solid *solid = &c->solids[solids[k]];
        origin[k] = hf_v3_sub(solid->center, place->arm);
        reach[k] = solid->reach;
        shift[k] = hf_v3(0.0, 0.0, 0.0);
        turn[k] = 0.0;
        if (!place->fixed) {
            const hf_pose *a = &from[place->pose], *b = &to[place->pose];
            shift[k] = hf_v3_sub(b->position, a->position);
            turn[k] = pi_over_root_8 * change_of(&a->rotation, &b->rotation);
        }
    }
    int small = reach[0] <= reach[1] ? 0 : 1;
    double shifted = hf_v3_norm(hf_v3_sub(shift[0], shift[1]));
    double apart = hf_v3_norm(hf_v3_sub(origin[0], origin[1])) + shifted;
    double arm = reach[small] + hf_v3_norm(c->places[solids[small]].arm);
    return rounding * (shifted + arm * (turn[0] + turn[1]) + apart * turn[1 - small]);
}

// The motion that leads from one pose to another in h seconds. Of scenery: none.
static hf_way way_of(const hf_collider *c, int i, const hf_pose *from, const hf_pose *to, double h)
{
    const hf_solid_place *place = &c->places[i];
    const hf_solid *solid = &c->solids[i];
    hf_way way = {.origin = hf_v3_sub(solid->center, place->arm),
                  .arm = place->arm,
                  .rotation = solid->rotation};
    if (place->fixed) {
        return way;
    }
    const hf_pose *a = &from[place->pose], *b = &to[place->pose];
    way.velocity = hf_v3_scale(1.0 / h, hf_v3_sub(b->position, a->position));
    way.spin = hf_mean_spin(&a->rotation, &b->rotation, h);
    return way;
}

// Points that touch are within reach of either solid. The bound is the one of the smaller.
static double speed_bound(const passage *p)
{
    int small = p->solids[0].reach <= p->solids[1].reach ? 0 : 1;
    const hf_way *a = &p->ways[small], *b = &p->ways[1 - small];
    double reach = p->solids[small].reach + hf_v3_norm(a->arm);
    double apart = hf_v3_norm(hf_v3_sub(a->origin, b->origin)) +
                   p->step * hf_v3_norm(hf_v3_sub(a->velocity, b->velocity));
    return hf_v3_norm(hf_v3_sub(a->velocity, b->velocity)) +
           reach * (hf_v3_norm(a->spin) + hf_v3_norm(b->spin)) +
           (hf_v3_norm(b->spin) > 0.0 ? apart * hf_v3_norm(b->spin) : 0.0);
}

// The least gap after t seconds; HUGE_VAL: beyond what the rest of the step can close.
static double gap_at(passage *p, double t)
{
    hf_touch_point points[HF_SURFACE_POINTS];
    hf_vec3 arm;
    double least = HUGE_VAL;
    hf_way_put(&p->ways[0], t, &p->solids[0], &arm);
    hf_way_put(&p->ways[1], t, &p->solids[1], &arm);
    int count = hf_touch_points(&p->solids[0], &p->solids[1], p->speed * p->step, points);
    for (int i = 0; i < count; ++i) {
        least = fmin(least, points[i].gap);
    }
    return least;
}

static bool goes_through(passage *p, double deep)
{
    // A plane has no other side: only the end counts
    double h = p->step, gap = gap_at(p, 0.0), most = deep + fmax(0.0, -gap);
    if (p->solids[1].type == HF_SHAPE_PLANE) {
        return !(gap_at(p, h) >= -most);
    }
    if (p->turn > FARTHEST_TURN) {
        return gap < p->speed * h;
    }
    // Else all that is on the way, until the rest of it is too short to go deeper
    double t = 0.0;
    for (int i = 0; i < LOOKS && gap - p->speed * (h - t) < -most; ++i) {
        t = fmin(t + (gap + most + deep) / p->speed, h);
        gap = gap_at(p, t);
        if (!(gap >= -most)) {
            return true;
        }
    }
    return gap - p->speed * (h - t) < -most;
}

bool hf_collider_has_near(const hf_collider *c)
{
    return c->looked > 0;
}

bool hf_collider_passes(const hf_collider *c, const hf_pose *from, const hf_pose *to, double h,
                        int ends[2])
{
    for (int i = 0; i < c->near_count; ++i) {
        int a = c->sweep.pairs[i].a, b = c->sweep.pairs[i].b;
        if (hf_collider_margin(c, a, b, 0.0) < 0.0) {
            continue;
        }
        // Planes are second
        int on = c->solids[a].type == HF_SHAPE_PLANE ? b : a, other = on == a ? b : a;
        double thin = fmin(hf_solid_thinness(&c->solids[on]), hf_solid_thinness(&c->solids[other]));
        // What moves by less than that cannot
        if (!isfinite(thin) || !(nearer_bound(c, (int[2]){on, other}, from, to) > DEEP * thin)) {
            continue;
        }
        passage p = {.ways = {way_of(c, on, from, to, h), way_of(c, other, from, to, h)},
                     .solids = {c->solids[on], c->solids[other]},
                     .step = h};
        p.speed = speed_bound(&p);
        p.turn = h * fmax(hf_v3_norm(p.ways[0].spin), hf_v3_norm(p.ways[1].spin));
        if (p.speed * h > DEEP * thin && goes_through(&p, DEEP * thin)) {
            ends[0] = on;
            ends[1] = other;
            return true;
        }
    }
    return false;
}
