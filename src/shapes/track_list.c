// SPDX-License-Identifier: Apache-2.0
// Which features of two solids are near.
#include <math.h>

#include "shapes/track_parts.h"

// Caps that lean less stand on points of their rims as soon as they are near: sine of the angle.
#define NEARLY_FLAT 1e-2
// Middles of caps that are nearer to each other than this part of the radius lie on one axis.
#define COAXIAL 1e-3

void hf_track_keep(hf_track_search *s, const hf_track *track)
{
    hf_track_place p = hf_track_find(track, &s->on_spot, &s->to_spot);
    double inside = hf_track_inside(track, s->on, s->to, &s->on_spot, &s->to_spot);
    bool twice = false;
    if (!(fabs(p.gap) <= s->margin) || !(inside >= -s->margin)) {
        return;
    }
    for (int i = 0; i < s->count && i < s->room && track->kind >= HF_TRACK_RIM_EDGE; ++i) {
        twice = twice || hf_track_is_same(&s->tracks[i], track, &s->on_spot, &s->to_spot);
    }
    if (twice) {
        return;
    }
    if (s->count < s->room) {
        s->tracks[s->count] = *track;
    }
    s->count += 1;
}

// Whether a solid is nowhere far behind its corner, seen against a world direction n that points to
// it.
static bool is_foremost(const hf_solid *s, const hf_spot *spot, int corner, hf_vec3 n)
{
    hf_vec3 local = hf_m3_tmulv(&spot->rotation, n), at = hf_core_corner(s, corner);
    bool foremost = true;
    for (int k = 0, other = hf_core_neighbour(s, corner, 0); other >= 0;
         other = hf_core_neighbour(s, corner, ++k)) {
        hf_vec3 along = hf_v3_sub(hf_core_corner(s, other), at);
        foremost = foremost && hf_v3_dot(local, along) >= -HF_TRACK_BEHIND * hf_v3_norm(along);
    }
    return foremost;
}

// The same of an edge: the least sine of the faces beside it; of a line without faces
// HF_TRACK_ENDLESS.
double hf_foremost_edge(const hf_solid *s, const hf_spot *spot, const hf_core_edge *edge, hf_vec3 n)
{
    hf_vec3 local = hf_m3_tmulv(&spot->rotation, n);
    double least = HF_TRACK_ENDLESS;
    for (int k = 0; k < 2; ++k) {
        int face = k == 0 ? edge->left : edge->right;
        if (face >= 0) {
            least = fmin(least, hf_v3_dot(local, hf_core_inwards(s, edge, face)));
        }
    }
    if (edge->left >= 0 && edge->right < 0) { // the end of a surface, which has one side
        least = fmin(least, -hf_v3_dot(local, hf_core_normal(s, edge->left)));
    }
    return least;
}

// One side of a search: the solid whose feature comes first, and the other.
typedef struct sides {
    const hf_solid *a, *b;
    const hf_spot *a_spot, *b_spot;
    const hf_core_list *a_list, *b_list;
} sides;

static sides sides_of(const hf_track_search *s, bool turned)
{
    return turned ? (sides){s->to, s->on, &s->to_spot, &s->on_spot, &s->to_list, &s->on_list}
                  : (sides){s->on, s->to, &s->on_spot, &s->to_spot, &s->on_list, &s->to_list};
}

// A corner at a face; radius and axis of the rim that it is a point of.
static void corner_on_face(hf_track_search *s, bool turned, int corner, hf_vec3 at, int face,
                           double radius, hf_vec3 axis)
{
    sides f = sides_of(s, turned);
    double round = radius > 0.0 ? 0.0 : hf_solid_round(f.a);
    hf_vec3 normal = hf_core_normal(f.b, face), point = hf_core_face_point(f.b, face);
    hf_track track = {.kind = turned ? HF_TRACK_FACE_CORNER : HF_TRACK_CORNER_FACE,
                      .on = turned ? face : corner,
                      .to = turned ? corner : face,
                      .on_at = turned ? point : at,
                      .to_at = turned ? at : point,
                      .on_along = turned ? normal : axis,
                      .to_along = turned ? axis : normal,
                      .on_size = turned ? 0.0 : radius,
                      .to_size = turned ? radius : 0.0,
                      .round = round,
                      .on_round = turned ? 0.0 : round};
    hf_track_keep(s, &track);
}

static void corners_on_faces(hf_track_search *s, bool turned)
{
    sides f = sides_of(s, turned);
    double round = hf_solid_round(f.a);
    for (int i = 0; i < f.a_list->corner_count; ++i) {
        int corner = hf_core_number(f.a_list, f.a_list->corners, i);
        hf_vec3 at = hf_core_corner(f.a, corner);
        hf_vec3 there = hf_spot_local(f.b_spot, hf_spot_point(f.a_spot, at));
        for (int k = 0; k < f.b_list->face_count; ++k) {
            int face = hf_core_number(f.b_list, f.b_list->faces, k);
            hf_vec3 normal = hf_core_normal(f.b, face);
            double gap = hf_v3_dot(normal, hf_v3_sub(there, hf_core_face_point(f.b, face))) - round;
            if (fabs(gap) <= s->margin &&
                is_foremost(f.a, f.a_spot, corner, hf_m3_mulv(&f.b_spot->rotation, normal))) {
                corner_on_face(s, turned, corner, at, face, 0.0, hf_v3(0.0, 0.0, 0.0));
            }
        }
    }
}

// A solid whose cap stands on another one's: what both have in common is a lens, whose ends are on
// the line between their middles. Points of the rim stand there.
static hf_solid on_a_cap(const sides *f)
{
    hf_solid solid = *f->a;
    hf_vec3 line = hf_v3_sub(f->b_spot->center, f->a_spot->center);
    line = hf_m3_tmulv(&f->a_spot->rotation, line);
    line.z = 0.0;
    if (hf_core_rims(f->b) > 0 && hf_v3_norm(line) > COAXIAL * solid.radius) {
        solid.stand = line;
    }
    return solid;
}

// Caps that lie on faces, with points of their rims. Their numbers are behind those of corners.
static void caps_on_faces(hf_track_search *s, bool turned)
{
    enum { FIRST_NUMBER = 1000 };
    sides f = sides_of(s, turned);
    hf_solid standing = on_a_cap(&f);
    for (int rim = 0; rim < hf_core_rims(f.a); ++rim) {
        hf_core_rim r = hf_core_rim_at(f.a, rim);
        hf_vec3 out = hf_m3_mulv(&f.a_spot->rotation, r.out);
        for (int k = 0; k < f.b_list->face_count; ++k) {
            int face = hf_core_number(f.b_list, f.b_list->faces, k);
            hf_vec3 normal = hf_m3_mulv(&f.b_spot->rotation, hf_core_normal(f.b, face));
            bool lies =
                hf_v3_dot(out, normal) < 0.0 && hf_v3_norm(hf_v3_cross(out, normal)) <= NEARLY_FLAT;
            for (int i = 0; lies && i < HF_TRACK_STANDS; ++i) {
                corner_on_face(s, turned, FIRST_NUMBER + HF_TRACK_STANDS * rim + i,
                               hf_core_stand(&standing, rim, i), face, r.radius, r.out);
            }
        }
    }
}

// Which way the normal of two edges points: to where neither solid is behind its edge. Zero:
// nowhere.
static double sign_of(const hf_track_search *s, const hf_core_edge *a, const hf_core_edge *b,
                      hf_vec3 cross, hf_vec3 apart)
{
    hf_vec3 n = hf_v3_scale(1.0 / hf_v3_norm(cross), cross), back = hf_v3_scale(-1.0, n);
    double forth = fmin(hf_foremost_edge(s->on, &s->on_spot, a, n),
                        hf_foremost_edge(s->to, &s->to_spot, b, back));
    double other = fmin(hf_foremost_edge(s->on, &s->on_spot, a, back),
                        hf_foremost_edge(s->to, &s->to_spot, b, n));
    if (forth == HF_TRACK_ENDLESS && other == HF_TRACK_ENDLESS) { // lines
        return hf_v3_dot(n, apart) >= 0.0 ? 1.0 : -1.0;
    }
    return fmax(forth, other) < -HF_TRACK_BEHIND ? 0.0 : forth > other ? 1.0 : -1.0;
}

static void edges_across(hf_track_search *s)
{
    for (int i = 0; i < s->on_list.edge_count * s->to_list.edge_count; ++i) {
        int first = s->on_list.edges[i / s->to_list.edge_count];
        int second = s->to_list.edges[i % s->to_list.edge_count];
        hf_core_edge a = hf_core_edge_at(s->on, first), b = hf_core_edge_at(s->to, second);
        hf_track track = {.kind = HF_TRACK_EDGES,
                          .on = first,
                          .to = second,
                          .on_at = a.at,
                          .on_along = a.along,
                          .on_length = a.length,
                          .to_at = b.at,
                          .to_along = b.along,
                          .to_length = b.length,
                          .on_round = a.round,
                          .round = a.round + b.round};
        // Where they cross
        hf_vec3 p = hf_spot_point(&s->on_spot, a.at), q = hf_spot_point(&s->to_spot, b.at);
        hf_vec3 u = hf_m3_mulv(&s->on_spot.rotation, a.along);
        hf_vec3 v = hf_m3_mulv(&s->to_spot.rotation, b.along), cross = hf_v3_cross(u, v);
        if (hf_v3_norm(cross) < HF_TRACK_PARALLEL) {
            continue;
        }
        hf_crossing c = hf_cross_lines(p, u, q, v);
        if (hf_inside_edge(c.s, a.length) < -s->margin ||
            hf_inside_edge(c.t, b.length) < -s->margin) {
            continue;
        }
        // and which way they touch
        track.sign = sign_of(s, &a, &b, cross, hf_v3_sub(p, q));
        if (track.sign != 0.0) {
            hf_track_keep(s, &track);
        }
    }
}

// Around cores and barrels: a corner at edges.
static void corners_at_edges(hf_track_search *s, bool turned)
{
    sides f = sides_of(s, turned);
    double round = hf_solid_round(f.a);
    for (int i = 0; i < f.a_list->corner_count * f.b_list->edge_count; ++i) {
        int corner = f.a_list->corners[i / f.b_list->edge_count];
        int number = f.b_list->edges[i % f.b_list->edge_count];
        hf_core_edge edge = hf_core_edge_at(f.b, number);
        hf_vec3 at = hf_core_corner(f.a, corner), none = hf_v3(0.0, 0.0, 0.0);
        hf_track track = {.kind = turned ? HF_TRACK_EDGE_CORNER : HF_TRACK_CORNER_EDGE,
                          .on = turned ? number : corner,
                          .to = turned ? corner : number,
                          .on_at = turned ? edge.at : at,
                          .to_at = turned ? at : edge.at,
                          .on_along = turned ? edge.along : none,
                          .to_along = turned ? none : edge.along,
                          .on_length = turned ? edge.length : 0.0,
                          .to_length = turned ? 0.0 : edge.length,
                          .round = round + edge.round,
                          .on_round = turned ? edge.round : round};
        if (track.round > 0.0) {
            hf_track_keep(s, &track);
        }
    }
}

static void corners_at_corners(hf_track_search *s)
{
    double round = hf_solid_round(s->on) + hf_solid_round(s->to);
    int count = round > 0.0 ? s->on_list.corner_count : 0;
    for (int i = 0; i < count * s->to_list.corner_count; ++i) {
        int first = s->on_list.corners[i / s->to_list.corner_count];
        int second = s->to_list.corners[i % s->to_list.corner_count];
        hf_track track = {.kind = HF_TRACK_CORNERS,
                          .on = first,
                          .to = second,
                          .on_at = hf_core_corner(s->on, first),
                          .to_at = hf_core_corner(s->to, second),
                          .round = round,
                          .on_round = hf_solid_round(s->on)};
        hf_track_keep(s, &track);
    }
}

int hf_track_near(const hf_solid *on, const hf_solid *to, double margin, hf_track *tracks, int room)
{
    hf_track_search s = {.on = on,
                         .to = to,
                         .on_spot = {on->rotation, on->center},
                         .to_spot = {to->rotation, to->center},
                         .margin = margin,
                         .tracks = tracks,
                         .room = room};
    bool plane = to->type == HF_SHAPE_PLANE;
    hf_core_near(on, hf_spot_local(&s.on_spot, to->center), plane ? HUGE_VAL : to->reach + margin,
                 &s.on_list);
    hf_core_near(to, hf_spot_local(&s.to_spot, on->center), plane ? HUGE_VAL : on->reach + margin,
                 &s.to_list);
    for (int turned = 0; turned < 2; ++turned) {
        corners_on_faces(&s, turned != 0);
        caps_on_faces(&s, turned != 0);
    }
    edges_across(&s);
    for (int turned = 0; turned < 2 && !plane; ++turned) {
        corners_at_edges(&s, turned != 0);
    }
    if (!plane) {
        corners_at_corners(&s);
    }
    hf_curved_search(&s);
    return s.on_list.full || s.to_list.full ? -1 : s.count;
}
