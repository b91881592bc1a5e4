// SPDX-License-Identifier: Apache-2.0
// Caps of cylinders and cones that stand on a plane: on a few points of their rims.
//
// Whatever presses a cap, it does so at one point of its disc, the center of pressure. Points of
// the rim bear it as the whole rim does while it lies within their polygon. Where it would leave
// the polygon, the points are turned so that one of them lies beyond it: then it is within them up
// to the rim itself, where the body tips over.
#include <math.h>

#include "methods/switch/switch.h"

// Pressure nearer to the middle than this part of the radius is within any polygon.
#define MIDDLE 0.5
// A point is where it should be if it is within this of it [rad].
#define ALIGNED 1e-4
// Points are turned at most so often within this time, as a part of max(1 s, t): where the pressure
// of several caps depends on how redundant points share it, turning has no end.
enum { MOST_TURNS = 4 };
#define TURN_TIME 1e-6

static bool is_stand(const hf_element *e)
{
    const hf_track *t = &e->point.track;
    return e->slot && e->part == 0 && e->point.used &&
           (t->kind == HF_TRACK_CORNER_FACE || t->kind == HF_TRACK_FACE_CORNER) &&
           t->on_size + t->to_size > 0.0;
}

// Whether it stands on a cap: then its points are at the ends of what both have in common
// (track_list.c), and are not turned.
static bool is_on_cap(const hf_switch *own, const hf_element *e)
{
    int other = e->point.track.on_size > 0.0 ? e->point.to : e->point.on;
    hf_shape_type type = own->collider->solids[other].type;
    return type == HF_SHAPE_CYLINDER || type == HF_SHAPE_CONE;
}

// The solid with the cap.
static int solid_of(const hf_element *e)
{
    return e->point.track.on_size > 0.0 ? e->point.on : e->point.to;
}

static bool is_beside(const hf_element *a, const hf_element *b)
{
    const hf_track *t = &a->point.track, *u = &b->point.track;
    return a->force == b->force && a->point.on == b->point.on && a->point.to == b->point.to &&
           t->kind == u->kind && (t->on_size > 0.0 ? t->to == u->to : t->on == u->on);
}

// Where the pressure of the points beside an element is, as a part of the radius.
static hf_vec3 pressure_of(const hf_switch *own, const hf_element *e)
{
    hf_vec3 sum = hf_v3(0.0, 0.0, 0.0);
    double all = 0.0, radius = e->point.track.on_size + e->point.track.to_size;
    for (int i = 0; i < own->count; ++i) {
        const hf_element *other = &own->elements[i];
        if (!is_stand(other) || !is_beside(e, other) || !hf_element_holds(other)) {
            continue;
        }
        const hf_track *t = &other->point.track;
        double normal = fmax(0.0, -other->held[0]);
        hf_vec3 at = t->on_size > 0.0 ? t->on_at : t->to_at;
        sum = hf_v3_axpy(sum, normal / radius, hf_v3(at.x, at.y, 0.0));
        all += normal;
    }
    return all > 0.0 ? hf_v3_scale(1.0 / all, sum) : sum;
}

// How far a direction is from the nearest of the points that stand [rad].
static double off_point(hf_vec3 stand, hf_vec3 to)
{
    const double quarter = 1.5707963267948966;
    double base = stand.x != 0.0 || stand.y != 0.0 ? atan2(stand.y, stand.x) : 0.0;
    return fabs(remainder(atan2(to.y, to.x) - base, quarter));
}

bool hf_points_align(hf_sim *sim, const int *fallen)
{
    hf_switch *own = hf_switch_of(sim);
    bool turned = false;
    double t = sim->core->time;
    // Not again and again
    if (!(fabs(t - own->turned_at) <= TURN_TIME * fmax(1.0, fabs(t)))) {
        own->turned_at = t;
        own->turns = 0;
    }
    for (int i = 0; i < own->count && own->turns < MOST_TURNS; ++i) {
        const hf_element *e = &own->elements[i];
        const int *roots = fallen + HF_ELEMENT_ROOTS * i;
        if (!is_stand(e) || is_on_cap(own, e) || !hf_element_holds(e) ||
            (roots[0] == 0 && roots[1] == 0)) {
            continue;
        }
        hf_vec3 to = pressure_of(own, e);
        if (hf_v3_norm(to) < MIDDLE || off_point(e->point.stand, to) <= ALIGNED) {
            continue;
        }
        // All that stand on this solid's rims
        int solid = solid_of(e);
        for (int k = 0; k < own->count; ++k) {
            hf_element *other = &own->elements[k];
            if (is_stand(other) && solid_of(other) == solid) {
                other->point.stand = to;
            }
        }
        turned = true;
    }
    own->turns += turned ? 1 : 0;
    return turned;
}

void hf_points_stand(hf_switch *own)
{
    hf_collider *c = own->collider;
    for (int i = 0; i < c->sweep.count; ++i) {
        c->solids[i].stand = hf_v3(0.0, 0.0, 0.0);
    }
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        if (is_stand(e)) {
            c->solids[solid_of(e)].stand = e->point.stand;
        }
    }
}

void hf_point_note_stand(const hf_switch *own, hf_element *e)
{
    if (is_stand(e)) {
        e->point.stand = own->collider->solids[solid_of(e)].stand;
    }
}
