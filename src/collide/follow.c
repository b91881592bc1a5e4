// SPDX-License-Identifier: Apache-2.0
// Where the motion ahead leads a pair of solids.
//
// A contact that is found before it closes is a half space, gap + n.d >= 0, beyond which a solid
// may not go. The solid itself may end before: a box that slides over two flush tiles, or towards
// one that lies a little lower, is stopped by the half space of the next tile's side, which it
// would never touch. So a pair whose contact would act within the step is followed along its
// present motion, by conservative advancement: to where it is `depth` deep in each other for the
// first time, or does not come nearer any more, or the step ends without a contact. What keeps it
// apart there is its contact. Steps and edges lower than `depth` are so passed over; higher ones
// stop it. Where the direction is the one of the beginning, nothing changes, to the bit.
//
// Gaps are then those of the beginning along the new normals, gap - t n.u, so that the step's
// prediction gap + h n.u is that of the place where they were looked at.
#include <math.h>

#include "collide/collider.h"
#include "collide/way.h"

enum { ADVANCES = 12 };

// What closes within this many steps is followed: forces of this very step may close it now.
#define AHEAD 2.0
// Beyond that a pair is followed on a way of this part of the smaller solid.
#define BEYOND 0.02
// What moves by less within a step, as a part of `depth`, is at rest: velocities of rounding would
// lead it anywhere in the time that they take.
#define AT_REST 1e-6
// Normals that differ by less are one direction: sine of the angle.
#define SAME_WAY HF_PARALLEL
// Arms of spheres that are zero but for rounding, as a part of the radius.
#define CENTERED 1e-9
// Depths that are reached but for rounding, as a part.
#define REACHED 0.999

static hf_way rigid_of(const hf_collider *c, int i, const hf_course *course)
{
    const hf_solid_place *place = &c->places[i];
    const hf_solid *solid = &c->solids[i];
    hf_vec3 zero = {0};
    return (hf_way){.origin = hf_v3_sub(solid->center, place->arm),
                    .velocity = place->fixed ? zero : course->velocities[place->pose],
                    .spin = place->fixed ? zero : course->spins[place->pose],
                    .arm = place->arm,
                    .rotation = solid->rotation};
}

typedef struct chase {
    hf_way a, b;
    hf_solid solids[2]; // after t
    hf_vec3 arms[2];
    double t;
} chase;

// Velocity of a from b at a point.
static hf_vec3 relative(const chase *x, const hf_touch_point *p)
{
    hf_vec3 from_b = hf_v3_add(x->arms[1], p->place);
    hf_vec3 from_a = hf_v3_add(
        x->arms[0], hf_v3_sub(p->place, hf_v3_sub(x->solids[0].center, x->solids[1].center)));
    hf_vec3 a = hf_v3_add(x->a.velocity, hf_v3_cross(x->a.spin, from_a));
    hf_vec3 b = hf_v3_add(x->b.velocity, hf_v3_cross(x->b.spin, from_b));
    return hf_v3_sub(a, b);
}

// The point that is `depth` deep first, of those that close within the step, and when; NULL: none.
static const hf_touch_point *first_to_act(const chase *x, const hf_meeting *touch,
                                          const hf_course *course, double *wait)
{
    const hf_touch_point *first = NULL;
    for (int i = 0; i < touch->count; ++i) {
        const hf_touch_point *p = &touch->points[i];
        double approach = -hf_v3_dot(p->n, relative(x, p));
        if (!(approach > 0.0) || !(p->gap < fmax(0.0, AHEAD * course->step - x->t) * approach)) {
            continue;
        }
        double time = (p->gap + course->depth) / approach;
        if (first == NULL || time < *wait) {
            first = p;
            *wait = time;
        }
    }
    return first;
}

// How long the pair is followed; zero: it is at rest.
static double longest(const chase *x, const hf_course *course)
{
    double smaller = fmin(x->solids[0].reach, x->solids[1].reach);
    double turn = hf_v3_norm(x->a.spin) * x->solids[0].reach;
    turn += hf_v3_norm(x->b.spin) * smaller;
    double speed = hf_v3_norm(hf_v3_sub(x->a.velocity, x->b.velocity)) + turn;
    bool rests = speed * course->step < AT_REST * course->depth;
    return rests ? 0.0 : AHEAD * course->step + BEYOND * smaller / speed;
}

// Gaps at the beginning; never deeper than they will be, nor than the two are now: what does not
// touch yet is not pushed out.
static void take_back(const chase *x, double deepest, hf_meeting *touch)
{
    for (int i = 0; i < touch->count; ++i) {
        hf_touch_point *p = &touch->points[i];
        double now = p->gap - x->t * hf_v3_dot(p->n, relative(x, p));
        p->gap = fmax(now, fmax(fmin(p->gap, 0.0), deepest));
    }
}

static chase chase_of(const hf_collider *c, int on, int to, const hf_course *course)
{
    return (chase){.a = rigid_of(c, on, course),
                   .b = rigid_of(c, to, course),
                   .solids = {c->solids[on], c->solids[to]},
                   .arms = {c->places[on].arm, c->places[to].arm}};
}

static hf_placed placed(const hf_collider *c, int to, const chase *x)
{
    return (hf_placed){.arms = {x->arms[0], c->places[to].fixed ? x->solids[1].center : x->arms[1]},
                       .apart = hf_v3_sub(x->solids[0].center, x->solids[1].center)};
}

// How far what touches turns within a step: a sphere about its own center does not.
static double turn_of(const hf_solid *solid, const hf_way *body, double h)
{
    bool centered =
        solid->type == HF_SHAPE_SPHERE && hf_v3_norm(body->arm) <= CENTERED * solid->radius;
    return centered ? 0.0 : h * hf_v3_norm(body->spin);
}

bool hf_collider_halfway(const hf_collider *c, int on, int to, double margin,
                         const hf_course *course, hf_meeting *touch, hf_placed *at)
{
    chase x = chase_of(c, on, to, course);
    double turn =
        fmax(turn_of(&x.solids[0], &x.a, course->step), turn_of(&x.solids[1], &x.b, course->step));
    if (!(turn > course->turn)) {
        return false;
    }
    x.t = 0.5 * course->step;
    hf_way_put(&x.a, x.t, &x.solids[0], &x.arms[0]);
    hf_way_put(&x.b, x.t, &x.solids[1], &x.arms[1]);
    hf_touch_find(&x.solids[0], &x.solids[1], margin, touch);
    for (int i = 0; i < touch->count; ++i) {
        hf_touch_point *p = &touch->points[i];
        p->gap -= x.t * hf_v3_dot(p->n, relative(&x, p));
    }
    *at = placed(c, to, &x);
    return true;
}

bool hf_collider_follow(const hf_collider *c, int on, int to, double margin,
                        const hf_course *course, hf_meeting *touch, hf_placed *at)
{
    // Which point will press first, and when; nothing to follow where one presses already
    chase x = chase_of(c, on, to, course);
    double wait;
    const hf_touch_point *acts = first_to_act(&x, touch, course, &wait);
    const double end = longest(&x, course);
    if (acts == NULL || acts->gap < -REACHED * course->depth || wait > end) {
        return false;
    }
    double deepest = 0.0;
    for (int i = 0; i < touch->count; ++i) {
        deepest = fmin(deepest, touch->points[i].gap);
    }
    // Moves both to that time, again and again, until the depth there is reached
    const hf_vec3 normal = acts->n;
    hf_meeting now;
    for (int i = 0; i < ADVANCES && acts != NULL && x.t + wait <= end; ++i) {
        x.t += wait;
        hf_way_put(&x.a, x.t, &x.solids[0], &x.arms[0]);
        hf_way_put(&x.b, x.t, &x.solids[1], &x.arms[1]);
        hf_touch_find(&x.solids[0], &x.solids[1], margin, &now);
        acts = first_to_act(&x, &now, course, &wait);
        if (acts != NULL && acts->gap <= -REACHED * course->depth) {
            break;
        }
    }
    // The same direction as at the beginning: the points of the beginning will do
    if (acts != NULL && hf_v3_dot(acts->n, normal) > 1.0 - 0.5 * SAME_WAY * SAME_WAY) {
        return false;
    }
    take_back(&x, deepest, &now);
    *touch = now;
    *at = placed(c, to, &x);
    return true;
}
