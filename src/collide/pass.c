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

// The least gap; HUGE_VAL: beyond `most`.
static double least_gap(const hf_solid *on, const hf_solid *to, double most)
{
    hf_touch_point points[HF_SURFACE_POINTS];
    double least = HUGE_VAL;
    int count = hf_touch_points(on, to, most, points);
    for (int i = 0; i < count; ++i) {
        least = fmin(least, points[i].gap);
    }
    return least;
}

// The least gap after t seconds; HUGE_VAL: beyond what the rest of the step can close.
static double gap_at(passage *p, double t)
{
    hf_vec3 arm;
    hf_way_put(&p->ways[0], t, &p->solids[0], &arm);
    hf_way_put(&p->ways[1], t, &p->solids[1], &arm);
    return least_gap(&p->solids[0], &p->solids[1], p->speed * p->step);
}

static bool goes_through(passage *p, double deep)
{
    double h = p->step, gap = gap_at(p, 0.0), most = deep + fmax(0.0, -gap);
    if (p->turn > FARTHEST_TURN) {
        return gap < p->speed * h;
    }
    // All that is on the way, until the rest of it is too short to go deeper
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

// ------------------------------------------------------------------------------------------------
// Planes

// Where a solid will be.
static hf_solid put_at_end(const hf_collider *c, int i, const hf_pose *from, const hf_pose *to)
{
    const hf_solid_place *place = &c->places[i];
    hf_solid solid = c->solids[i];
    if (!place->fixed) {
        hf_mat3 back = hf_m3_transpose(&from[place->pose].rotation);
        hf_mat3 turn = hf_m3_mul(&to[place->pose].rotation, &back);
        solid.rotation = hf_m3_mul(&turn, &solid.rotation);
        solid.center = hf_v3_add(to[place->pose].position, hf_m3_mulv(&turn, place->arm));
    }
    return solid;
}

// A plane has no other side: only the end counts. nearer: by how much they come nearer at most.
static bool goes_under(const hf_collider *c, const int solids[2], const hf_pose *from,
                       const hf_pose *to, double nearer, double deep)
{
    hf_solid on = put_at_end(c, solids[0], from, to), plane = put_at_end(c, solids[1], from, to);
    double gap = least_gap(&on, &plane, nearer);
    return !(gap >= -deep) && !(gap >= -deep + fmin(0.0, least_gap(&c->solids[solids[0]],
                                                                   &c->solids[solids[1]], nearer)));
}

// ------------------------------------------------------------------------------------------------

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
        double nearer = nearer_bound(c, (int[2]){on, other}, from, to);
        if (!isfinite(thin) || !(nearer > DEEP * thin)) {
            continue;
        }
        if (c->solids[other].type == HF_SHAPE_PLANE) {
            if (goes_under(c, (int[2]){on, other}, from, to, nearer, DEEP * thin)) {
                ends[0] = on;
                ends[1] = other;
                return true;
            }
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
