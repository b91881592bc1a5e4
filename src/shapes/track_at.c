// SPDX-License-Identifier: Apache-2.0
// The track of a contact that was found by other means: which features of both solids meet there.
//
// A contact point that is held to two points of the bodies is right where it was found only. When a
// ball rolls on over a cap, an edge or a barrel, the line from its center to the old point leans,
// and pushes the ball on: v h/r of its weight after the time h. A track is the same contact as a
// function of the places of the solids, and its normal is the gradient of its gap. So it makes no
// energy.
#include <math.h>

#include "shapes/track_curved.h"

// Points and features are the same within this part of the solid's reach.
#define SAME_PLACE 1e-7
// Directions are the same, or across each other, within this sine.
#define SAME_WAY 1e-6
// Lines that are closer to parallel have no crossing to follow: sine of the angle.
#define CROSSES 0.02
// A rim that leans less on a face has no one point that it rolls on: sine of the angle.
#define LEANS 1e-3
// How far a normal may be from the one its track has where it was found.
#define SAME_NORMAL 1e-4

// A feature of a solid at a point of its surface.
typedef struct feature {
    hf_track_part type;
    int number;
    hf_vec3 core; // the point less the radius around the feature, the solid's frame [m]
    double round;
    bool known;
} feature;

static bool is_along(hf_vec3 a, hf_vec3 b)
{
    return hf_v3_dot(a, b) > 0.0 && hf_v3_norm(hf_v3_cross(a, b)) < SAME_WAY;
}

static feature feature_of(hf_track_part type, int number, hf_vec3 core, double round)
{
    return (feature){.type = type, .number = number, .core = core, .round = round, .known = true};
}

// The flat face that has the point p and the normal o.
static feature find_face(const hf_solid *s, const hf_core_list *list, hf_vec3 o, hf_vec3 p)
{
    for (int i = 0; i < list->face_count; ++i) {
        int face = hf_core_number(list, list->faces, i);
        if (is_along(hf_core_normal(s, face), o)) {
            return feature_of(HF_PART_FACE, face, p, 0.0);
        }
    }
    return (feature){0};
}

// An edge, or the line of a capsule or barrel, that has the point p, across o.
static feature find_edge(const hf_solid *s, const hf_core_list *list, hf_vec3 o, hf_vec3 p,
                         double near)
{
    for (int i = 0; i < list->edge_count; ++i) {
        hf_core_edge e = hf_core_edge_at(s, list->edges[i]);
        hf_vec3 core = hf_v3_axpy(p, -e.round, o), from = hf_v3_sub(core, e.at);
        double at = hf_v3_dot(from, e.along);
        bool on_line = hf_v3_norm(hf_v3_axpy(from, -at, e.along)) < near;
        if (on_line && fabs(hf_v3_dot(e.along, o)) < SAME_WAY && at > -near &&
            at < e.length + near) {
            return feature_of(HF_PART_EDGE, list->edges[i], core, e.round);
        }
    }
    return (feature){0};
}

static feature find_rim(const hf_solid *s, hf_vec3 p, double near)
{
    for (int i = 0; i < hf_core_rims(s); ++i) {
        hf_core_rim rim = hf_core_rim_at(s, i);
        hf_vec3 from = hf_v3_sub(p, rim.center);
        double above = hf_v3_dot(from, rim.out), across = hf_v3_norm(hf_across(from, rim.out));
        if (fabs(above) < near && fabs(across - rim.radius) < near) {
            return feature_of(HF_PART_RIM, i, p, 0.0);
        }
    }
    return (feature){0};
}

static feature find_corner(const hf_solid *s, const hf_core_list *list, hf_vec3 o, hf_vec3 p,
                           double near)
{
    double round = hf_solid_round(s);
    hf_vec3 core = hf_v3_axpy(p, -round, o);
    for (int i = 0; i < list->corner_count; ++i) {
        int corner = hf_core_number(list, list->corners, i);
        if (hf_v3_norm(hf_v3_sub(hf_core_corner(s, corner), core)) < near) {
            return feature_of(HF_PART_CORNER, corner, core, round);
        }
    }
    return (feature){0};
}

// What of a solid has the point p of its surface with the outward normal o, both in its frame. On a
// face the side of a cone is its rim and its tip.
static feature find_feature(const hf_solid *s, hf_vec3 o, hf_vec3 p, bool on_face)
{
    if (s->type == HF_SHAPE_PLANE) {
        return feature_of(HF_PART_FACE, 0, p, 0.0);
    }
    if (s->type == HF_SHAPE_ELLIPSOID) {
        return feature_of(HF_PART_ELLIPSOID, 0, p, 0.0);
    }
    // Faces, then lines, rims and points
    double near = SAME_PLACE * s->reach;
    hf_core_list list;
    hf_core_near(s, p, near, &list);
    feature f = find_face(s, &list, o, p);
    if (!f.known && s->type == HF_SHAPE_CONE && !on_face) {
        hf_part side;
        hf_part_put(s, HF_PART_SIDE, 0, &side);
        f = fabs(o.z - side.size) < SAME_WAY ? feature_of(HF_PART_SIDE, 0, p, 0.0) : f;
    }
    f = f.known ? f : find_edge(s, &list, o, p, near);
    f = f.known ? f : find_rim(s, p, near);
    return f.known ? f : find_corner(s, &list, o, p, near);
}

static bool is_curved(hf_track_part type)
{
    return type == HF_PART_RIM || type == HF_PART_SIDE || type == HF_PART_ELLIPSOID;
}

// ------------------------------------------------------------------------------------------------
// Pairs

typedef struct meeting {
    const hf_solid *solids[2];
    hf_spot spots[2];
    feature features[2];
    hf_vec3 n, points[2]; // world
} meeting;

// Cores of points and lines with a radius around at least one.
static bool set_round(const meeting *m, hf_track *track)
{
    const feature *on = &m->features[0], *to = &m->features[1];
    *track = (hf_track){.on_at = on->core,
                        .to_at = to->core,
                        .round = on->round + to->round,
                        .on_round = on->round,
                        .sign = 1.0};
    bool lines[2] = {on->type == HF_PART_EDGE, to->type == HF_PART_EDGE};
    hf_vec3 u = {0}, v = {0};
    if (lines[0]) {
        track->on_along = hf_core_edge_at(m->solids[0], on->number).along;
        u = hf_m3_mulv(&m->spots[0].rotation, track->on_along);
    }
    if (lines[1]) {
        track->to_along = hf_core_edge_at(m->solids[1], to->number).along;
        v = hf_m3_mulv(&m->spots[1].rotation, track->to_along);
    }
    // Lines that cross have a normal of their own; of parallel ones the point of `on` is followed
    hf_vec3 cross = hf_v3_cross(u, v);
    if (lines[0] && lines[1] && hf_v3_norm(cross) > CROSSES) {
        track->kind = HF_TRACK_EDGES;
        track->sign = hf_v3_dot(cross, m->n) < 0.0 ? -1.0 : 1.0;
        return true;
    }
    track->kind = lines[1]   ? HF_TRACK_CORNER_EDGE
                  : lines[0] ? HF_TRACK_EDGE_CORNER
                             : HF_TRACK_CORNERS;
    return track->round > 0.0;
}

// The direction of a rim's point from its middle, in its solid's frame.
static hf_vec3 way_on_rim(const hf_solid *s, const feature *f)
{
    hf_core_rim rim = hf_core_rim_at(s, f->number);
    return hf_unit(hf_across(hf_v3_sub(f->core, rim.center), rim.out));
}

// The tangent of a rim, or the direction of an edge, world axes.
static hf_vec3 tangent(const hf_solid *s, const hf_spot *spot, const feature *f)
{
    hf_vec3 local = f->type == HF_PART_RIM
                        ? hf_v3_cross(hf_core_rim_at(s, f->number).out, way_on_rim(s, f))
                        : hf_core_edge_at(s, f->number).along;
    return hf_m3_mulv(&spot->rotation, local);
}

// The first of a pair is of `to` when turned; n from the second to the first.
static bool set_rim(const meeting *m, bool turned, hf_vec3 n, hf_track *track)
{
    const int first = turned ? 1 : 0, second = 1 - first;
    const feature *a = &m->features[first], *b = &m->features[second];
    track->on_guess = way_on_rim(m->solids[first], a);
    if (b->type == HF_PART_CORNER) {
        track->kind = HF_TRACK_RIM_CORNER;
        return track->round > 0.0;
    }
    // A line or another rim, which it crosses
    track->kind = b->type == HF_PART_RIM ? HF_TRACK_RIMS : HF_TRACK_RIM_EDGE;
    if (b->type == HF_PART_RIM) {
        track->to_guess = way_on_rim(m->solids[second], b);
    }
    hf_vec3 cross = hf_v3_cross(tangent(m->solids[first], &m->spots[first], a),
                                tangent(m->solids[second], &m->spots[second], b));
    track->sign = hf_v3_dot(cross, n) < 0.0 ? -1.0 : 1.0;
    return track->round > 0.0 || hf_v3_norm(cross) > CROSSES;
}

// An ellipsoid or the side of a cone, and anything.
static bool set_smooth(const meeting *m, bool turned, hf_vec3 n, hf_track *track)
{
    const int first = turned ? 1 : 0, second = 1 - first;
    track->on_guess = hf_m3_tmulv(&m->spots[first].rotation, n);
    track->to_guess = hf_m3_tmulv(&m->spots[second].rotation, n);
    hf_parts parts = hf_parts_of(track, &m->spots[first], &m->spots[second]);
    hf_ring rings[2];
    if (hf_rings_of(&parts, rings) < 2) {
        return true;
    }
    // Two directions have both angles: the one that is n
    hf_vec3 forth, back;
    if (!hf_at_rings(&rings[0], &rings[1], 1.0, &forth) ||
        !hf_at_rings(&rings[0], &rings[1], -1.0, &back)) {
        return false;
    }
    track->sign = hf_v3_dot(back, n) > hf_v3_dot(forth, n) ? -1.0 : 1.0;
    return true;
}

static bool set_curved(const meeting *m, hf_track *track)
{
    const feature *on = &m->features[0], *to = &m->features[1];
    // Ellipsoids and sides come first, then rims
    bool on_smooth = is_curved(on->type) && on->type != HF_PART_RIM;
    bool to_smooth = is_curved(to->type) && to->type != HF_PART_RIM;
    bool turned = on_smooth ? false : to_smooth ? true : on->type != HF_PART_RIM;
    const feature *a = turned ? to : on, *b = turned ? on : to;
    hf_vec3 n = turned ? hf_v3_scale(-1.0, m->n) : m->n;
    *track =
        hf_curved_track(m->solids[0], m->solids[1], turned, a->type, a->number, b->type, b->number);
    if (on_smooth || to_smooth) {
        return set_smooth(m, turned, n, track);
    }
    return set_rim(m, turned, n, track);
}

// A curved feature that rolls on a face; `face`: which of both has it.
static bool set_on_face(const meeting *m, int face, hf_track *track)
{
    const feature *a = &m->features[1 - face], *b = &m->features[face];
    if (a->type == HF_PART_RIM) {
        hf_core_rim rim = hf_core_rim_at(m->solids[1 - face], a->number);
        hf_vec3 axis = hf_m3_mulv(&m->spots[1 - face].rotation, rim.out);
        if (hf_v3_norm(hf_across(axis, m->n)) < LEANS) {
            return false;
        }
    }
    *track = hf_curved_track(m->solids[0], m->solids[1], face == 0, a->type, a->number,
                             HF_PART_FACE, b->number);
    track->to_at = b->core;
    track->kind = a->type == HF_PART_RIM ? HF_TRACK_RIM_FACE : HF_TRACK_SMOOTH;
    return true;
}

// Whether a track has the contact that was found: its normal, and both of its points.
static bool is_found(const meeting *m, const hf_track *track)
{
    hf_track_place p = hf_track_find(track, &m->spots[0], &m->spots[1]);
    double size = fmin(m->solids[0]->reach, m->solids[1]->reach);
    double gap = hf_v3_dot(m->n, hf_v3_sub(m->points[0], m->points[1]));
    hf_vec3 middle = hf_v3_scale(0.5, hf_v3_add(m->points[0], m->points[1]));
    hf_vec3 off = hf_v3_sub(hf_v3_axpy(p.on, -0.5 * p.gap, p.n), middle);
    return fabs(p.gap - gap) < SAME_PLACE * size && hf_v3_norm(off) < SAME_NORMAL * size &&
           hf_v3_norm(hf_v3_sub(p.n, m->n)) < SAME_NORMAL;
}

static hf_follows follow(const meeting *m, hf_track *track)
{
    const feature *f = m->features;
    for (int face = 1; face >= 0; --face) {
        if (f[face].type == HF_PART_FACE) {
            bool rolls = is_curved(f[1 - face].type) && set_on_face(m, face, track);
            return rolls && is_found(m, track) ? HF_FOLLOWS_TRACK
                   : face == 1                 ? HF_FOLLOWS_TO_FACE
                                               : HF_FOLLOWS_ON_FACE;
        }
    }
    bool curved = is_curved(f[0].type) || is_curved(f[1].type);
    bool known = curved ? set_curved(m, track) : set_round(m, track);
    return known && is_found(m, track) ? HF_FOLLOWS_TRACK : HF_FOLLOWS_NONE;
}

hf_follows hf_track_at(const hf_solid *on, const hf_solid *to, hf_vec3 n, hf_vec3 on_point,
                       hf_vec3 to_point, hf_track *track)
{
    meeting m = {.solids = {on, to},
                 .spots = {{on->rotation, on->center}, {to->rotation, to->center}},
                 .n = n,
                 .points = {on_point, to_point}};
    // Features in the frames of their solids; faces first: they tell how cones lie on them
    hf_vec3 outwards[2] = {hf_v3_scale(-1.0, n), n};
    for (int k = 1; k >= 0; --k) {
        hf_vec3 o = hf_m3_tmulv(&m.spots[k].rotation, outwards[k]);
        bool on_face = k == 0 && m.features[1].known && m.features[1].type == HF_PART_FACE;
        m.features[k] =
            find_feature(m.solids[k], o, hf_spot_local(&m.spots[k], m.points[k]), on_face);
    }
    if (m.features[0].known && m.features[0].type == HF_PART_FACE &&
        m.features[1].type == HF_PART_SIDE) {
        hf_vec3 o = hf_m3_tmulv(&m.spots[1].rotation, n);
        m.features[1] = find_feature(to, o, hf_spot_local(&m.spots[1], to_point), true);
    }
    // A face keeps its normal, whatever lies on it
    for (int k = 1; k >= 0; --k) {
        if (m.features[k].known && m.features[k].type == HF_PART_FACE && !m.features[1 - k].known) {
            return k == 1 ? HF_FOLLOWS_TO_FACE : HF_FOLLOWS_ON_FACE;
        }
    }
    return m.features[0].known && m.features[1].known ? follow(&m, track) : HF_FOLLOWS_NONE;
}
