// SPDX-License-Identifier: Apache-2.0
// Contacts of features followed as functions of the poses, for methods that locate events.
#include "shapes/track.h"

#include <math.h>
#include <stdlib.h>

#include "shapes/track_parts.h"

// A way that leads inwards by less than this is along the end of a face: sine of the angle.
#define LEAST_WAY 1e-6
// Places of tracks that are the same but for rounding, as a part of the size.
#define SAME_PLACE 1e-7

// ------------------------------------------------------------------------------------------------
// Places

// Corners and edges in the world.
typedef struct ends {
    hf_vec3 a, u, b, v;
} ends;

static ends ends_of(const hf_track *k, const hf_spot *on, const hf_spot *to)
{
    return (ends){hf_spot_point(on, k->on_at), hf_m3_mulv(&on->rotation, k->on_along),
                  hf_spot_point(to, k->to_at), hf_m3_mulv(&to->rotation, k->to_along)};
}

// Two points of cores, with the direction between them as normal.
hf_track_place hf_track_join(const hf_track *k, hf_vec3 a, hf_vec3 b)
{
    hf_vec3 apart = hf_v3_sub(a, b);
    double distance = hf_v3_norm(apart);
    hf_track_place p = {.gap = distance - k->round};
    p.n = hf_v3_scale(1.0 / distance, apart);
    p.on = hf_v3_axpy(a, -k->on_round, p.n);
    p.to = hf_v3_axpy(b, k->round - k->on_round, p.n);
    return p;
}

hf_track_place hf_track_find(const hf_track *k, const hf_spot *on, const hf_spot *to)
{
    ends e = ends_of(k, on, to);
    hf_track_place p = {0};
    if (k->kind >= HF_TRACK_RIM_FACE) {
        return hf_curved_find(k, on, to);
    }
    switch (k->kind) {
    case HF_TRACK_CORNER_FACE:
        p.n = e.v;
        p.gap = hf_v3_dot(p.n, hf_v3_sub(e.a, e.b)) - k->round;
        p.on = p.to = hf_v3_axpy(e.a, -k->on_round, p.n);
        break;
    case HF_TRACK_FACE_CORNER:
        p.n = hf_v3_scale(-1.0, e.u);
        p.gap = hf_v3_dot(p.n, hf_v3_sub(e.a, e.b)) - k->round;
        p.on = p.to = hf_v3_axpy(e.b, k->round, p.n);
        break;
    case HF_TRACK_EDGES: {
        hf_crossing c = hf_cross_lines(e.a, e.u, e.b, e.v);
        hf_vec3 a = hf_v3_axpy(e.a, c.s, e.u), b = hf_v3_axpy(e.b, c.t, e.v);
        p.n = hf_v3_scale(k->sign / hf_v3_norm(c.cross), c.cross);
        p.gap = hf_v3_dot(p.n, hf_v3_sub(e.a, e.b)) - k->round;
        p.on = hf_v3_axpy(a, -k->on_round, p.n);
        p.to = hf_v3_axpy(b, k->round - k->on_round, p.n);
        break;
    }
    case HF_TRACK_CORNER_EDGE:
        p = hf_track_join(k, e.a, hf_v3_axpy(e.b, hf_v3_dot(e.v, hf_v3_sub(e.a, e.b)), e.v));
        break;
    case HF_TRACK_EDGE_CORNER:
        p = hf_track_join(k, hf_v3_axpy(e.a, hf_v3_dot(e.u, hf_v3_sub(e.b, e.a)), e.u), e.b);
        break;
    default:
        p = hf_track_join(k, e.a, e.b);
        break;
    }
    return p;
}

// ------------------------------------------------------------------------------------------------
// Inside

// How far a point of space, nearest to corner i, is from being nearer to one of the edges there.
static double beyond_corner(const hf_solid *s, int i, hf_vec3 p)
{
    hf_vec3 corner = hf_core_corner(s, i), apart = hf_v3_sub(p, corner);
    double least = HF_TRACK_ENDLESS;
    for (int k = 0, other = hf_core_neighbour(s, i, 0); other >= 0;
         other = hf_core_neighbour(s, i, ++k)) {
        hf_vec3 along = hf_v3_sub(hf_core_corner(s, other), corner);
        least = fmin(least, -hf_v3_dot(apart, along) / hf_v3_norm(along));
    }
    return least;
}

// How far a point of space, nearest to an edge, is from being nearer to one of the faces beside it.
static double beyond_faces(const hf_solid *solid, const hf_core_edge *edge, hf_vec3 p)
{
    double s = hf_v3_dot(hf_v3_sub(p, edge->at), edge->along), least = HF_TRACK_ENDLESS;
    hf_vec3 apart = hf_v3_sub(p, hf_v3_axpy(edge->at, s, edge->along));
    for (int k = 0; k < 2; ++k) {
        int face = k == 0 ? edge->left : edge->right;
        if (face >= 0) {
            least = fmin(least, -hf_v3_dot(apart, hf_core_inwards(solid, edge, face)));
        }
    }
    return least;
}

// The same of edge i and the faces beside it, and of the ends of the edge.
static double beyond_edge(const hf_solid *solid, int i, hf_vec3 p)
{
    hf_core_edge edge = hf_core_edge_at(solid, i);
    double s = hf_v3_dot(hf_v3_sub(p, edge.at), edge.along);
    return fmin(hf_inside_edge(s, edge.length), beyond_faces(solid, &edge, p));
}

// Of a corner that is a point of a rim: how far the cap is from leaning.
static double lean(double radius, hf_vec3 axis, hf_vec3 normal)
{
    double sine = hf_v3_norm(hf_v3_cross(axis, normal));
    return radius > 0.0 ? (HF_TRACK_LEAN * HF_TRACK_TILT - sine) * radius : HF_TRACK_ENDLESS;
}

double hf_track_inside(const hf_track *k, const hf_solid *on, const hf_solid *to,
                       const hf_spot *on_spot, const hf_spot *to_spot)
{
    ends e = ends_of(k, on_spot, to_spot);
    if (k->kind >= HF_TRACK_RIM_FACE) {
        return hf_curved_inside(k, on, to, on_spot, to_spot);
    }
    switch (k->kind) {
    case HF_TRACK_CORNER_FACE:
        return fmin(hf_core_inside(to, k->to, hf_spot_local(to_spot, e.a)),
                    lean(k->on_size, e.u, e.v));
    case HF_TRACK_FACE_CORNER:
        return fmin(hf_core_inside(on, k->on, hf_spot_local(on_spot, e.b)),
                    lean(k->to_size, e.v, e.u));
    case HF_TRACK_EDGES: {
        hf_crossing c = hf_cross_lines(e.a, e.u, e.b, e.v);
        return fmin(hf_inside_edge(c.s, k->on_length), hf_inside_edge(c.t, k->to_length));
    }
    case HF_TRACK_CORNER_EDGE: {
        hf_vec3 b = hf_v3_axpy(e.b, hf_v3_dot(e.v, hf_v3_sub(e.a, e.b)), e.v);
        return fmin(beyond_edge(to, k->to, hf_spot_local(to_spot, e.a)),
                    beyond_corner(on, k->on, hf_spot_local(on_spot, b)));
    }
    case HF_TRACK_EDGE_CORNER: {
        hf_vec3 a = hf_v3_axpy(e.a, hf_v3_dot(e.u, hf_v3_sub(e.b, e.a)), e.u);
        return fmin(beyond_edge(on, k->on, hf_spot_local(on_spot, e.b)),
                    beyond_corner(to, k->to, hf_spot_local(to_spot, a)));
    }
    default:
        return fmin(beyond_corner(to, k->to, hf_spot_local(to_spot, e.a)),
                    beyond_corner(on, k->on, hf_spot_local(on_spot, e.b)));
    }
}

// A round corner at an edge: past the end of the faces beside the edge, and of the capsule that the
// corner is of. By how little the capsule is nearer says nothing where it is nearly along the edge.
static hf_track_faces corner_facing(const hf_solid *round, int corner, const hf_spot *round_spot,
                                    const hf_solid *solid, int number, const hf_spot *spot)
{
    hf_core_edge edge = hf_core_edge_at(solid, number);
    hf_vec3 at = hf_core_corner(round, corner);
    hf_vec3 there = hf_spot_local(spot, hf_spot_point(round_spot, at));
    hf_track_faces faces = {beyond_faces(solid, &edge, there), HF_TRACK_ENDLESS};
    if (round->type == HF_SHAPE_CAPSULE) {
        double s = hf_v3_dot(hf_v3_sub(there, edge.at), edge.along);
        hf_vec3 foot = hf_spot_point(spot, hf_v3_axpy(edge.at, s, edge.along));
        double behind = beyond_corner(round, corner, hf_spot_local(round_spot, foot));
        hf_vec3 axis = hf_m3_mulv(&round_spot->rotation, hf_v3(0.0, 0.0, at.z > 0.0 ? -1.0 : 1.0));
        faces.lax = behind >= 0.0 ? HF_TRACK_ENDLESS
                                  : hf_past_end(hf_spot_point(round_spot, at), axis, foot,
                                                hf_m3_mulv(&spot->rotation, edge.along), behind);
    }
    return faces;
}

hf_track_faces hf_track_facing(const hf_track *k, const hf_track_place *at, const hf_solid *on,
                               const hf_solid *to, const hf_spot *on_spot, const hf_spot *to_spot)
{
    switch (k->kind) {
    case HF_TRACK_CORNER_EDGE:
        return corner_facing(on, k->on, on_spot, to, k->to, to_spot);
    case HF_TRACK_EDGE_CORNER:
        return corner_facing(to, k->to, to_spot, on, k->on, on_spot);
    case HF_TRACK_RIM_EDGE:
    case HF_TRACK_RIMS:
        return hf_curved_facing(k, at, on, to, on_spot, to_spot);
    default:
        return (hf_track_faces){HF_TRACK_ENDLESS, HF_TRACK_ENDLESS};
    }
}

// ------------------------------------------------------------------------------------------------
// Corners at the ends of faces

// Whether a way along face i leads inwards over each end of it that a point is near.
static bool leads_in(const hf_solid *s, int i, hf_vec3 p, double near, hf_vec3 way)
{
    bool in = true;
    if (s->type == HF_SHAPE_BOX) {
        const double at[3] = {p.x, p.y, p.z}, to[3] = {way.x, way.y, way.z};
        const double half[3] = {s->half.x, s->half.y, s->half.z};
        for (int k = 1; k < 3; ++k) {
            int axis = (i / 2 + k) % 3;
            double inwards = at[axis] < 0.0 ? to[axis] : -to[axis];
            in = in && (half[axis] - fabs(at[axis]) > near || inwards > LEAST_WAY);
        }
        return in;
    }
    const hf_mesh_plane *face = &hf_mesh_faces(s->mesh)[i];
    const int *loop = hf_mesh_corners(s->mesh) + face->first;
    const hf_vec3 *v = hf_mesh_vertices(s->mesh);
    for (int k = 0; k < face->count; ++k) {
        hf_vec3 from = v[loop[k]], side = hf_v3_sub(v[loop[(k + 1) % face->count]], from);
        hf_vec3 inwards = hf_v3_scale(1.0 / hf_v3_norm(side), hf_v3_cross(face->normal, side));
        in = in &&
             (hf_v3_dot(inwards, hf_v3_sub(p, from)) > near || hf_v3_dot(inwards, way) > LEAST_WAY);
    }
    return in;
}

// The unit way from a corner to its neighbour k, in the frame of another solid; false: none.
static bool way_to(const hf_solid *s, int corner, int k, const hf_spot *spot, const hf_spot *frame,
                   hf_vec3 *way)
{
    int other = hf_core_neighbour(s, corner, k);
    if (other < 0) {
        return false;
    }
    hf_vec3 along = hf_v3_sub(hf_core_corner(s, other), hf_core_corner(s, corner));
    along = hf_m3_tmulv(&frame->rotation, hf_m3_mulv(&spot->rotation, along));
    *way = hf_v3_scale(1.0 / hf_v3_norm(along), along);
    return true;
}

bool hf_track_is_over(const hf_track *k, const hf_solid *on, const hf_solid *to,
                      const hf_spot *on_spot, const hf_spot *to_spot, double near)
{
    bool turned = k->kind == HF_TRACK_FACE_CORNER;
    const hf_solid *a = turned ? to : on, *b = turned ? on : to;
    const hf_spot *a_spot = turned ? to_spot : on_spot, *b_spot = turned ? on_spot : to_spot;
    int corner = turned ? k->to : k->on, face = turned ? k->on : k->to;
    hf_vec3 first, second;
    bool corners = k->kind == HF_TRACK_FACE_CORNER || k->kind == HF_TRACK_CORNER_FACE;
    bool flat = b->type == HF_SHAPE_BOX || b->type == HF_SHAPE_MESH;
    if (!corners || !flat || hf_solid_round(a) > 0.0 || (turned ? k->to_size : k->on_size) > 0.0 ||
        !way_to(a, corner, 0, a_spot, b_spot, &first)) {
        return true;
    }
    // Along an edge of the solid, or between two of them
    hf_vec3 p = hf_spot_local(b_spot, hf_spot_point(a_spot, hf_core_corner(a, corner)));
    bool over = false;
    for (int i = 0; !over && way_to(a, corner, i, a_spot, b_spot, &first); ++i) {
        for (int j = i; !over && way_to(a, corner, j, a_spot, b_spot, &second); ++j) {
            over = leads_in(b, face, p, near, hf_v3_add(first, second));
        }
    }
    return over;
}

// ------------------------------------------------------------------------------------------------
// Rims

bool hf_track_is_same(const hf_track *a, const hf_track *b, const hf_spot *on, const hf_spot *to)
{
    bool corners = a->kind == HF_TRACK_CORNER_FACE || a->kind == HF_TRACK_FACE_CORNER;
    if (a->kind != b->kind || a->on != b->on || a->to != b->to || a->turned != b->turned ||
        a->on_part != b->on_part || a->to_part != b->to_part ||
        (a->kind == HF_TRACK_SMOOTH && a->sign != b->sign)) {
        return false;
    }
    if (corners && a->on_size + a->to_size > 0.0) { // points of a rim, of which others may stand
        hf_vec3 x = hf_v3_sub(a->on_at, b->on_at), y = hf_v3_sub(a->to_at, b->to_at);
        return hf_v3_norm(x) + hf_v3_norm(y) == 0.0;
    }
    if (a->kind != HF_TRACK_RIM_EDGE && a->kind != HF_TRACK_RIMS) {
        return true;
    }
    hf_track_place x = hf_track_find(a, on, to), y = hf_track_find(b, on, to);
    double size = a->on_size + a->to_size;
    return hf_v3_norm(hf_v3_sub(x.on, y.on)) <= SAME_PLACE * size;
}

double hf_track_pace(const hf_track *k, const hf_spot *on, const hf_spot *to)
{
    if (k->kind != HF_TRACK_RIM_FACE) {
        return 1.0;
    }
    const hf_spot *rim = k->turned ? to : on, *face = k->turned ? on : to;
    hf_vec3 axis = hf_m3_mulv(&rim->rotation, k->on_along);
    hf_vec3 normal = hf_m3_mulv(&face->rotation, k->to_along);
    return 1.0 / fmax(hf_v3_norm(hf_v3_cross(axis, normal)), HF_TRACK_TILT);
}
