// SPDX-License-Identifier: Apache-2.0
#include "shapes/track.h"

#include <math.h>
#include <stdlib.h>

// Edges closer to parallel than this do not cross: sine of the angle. Corners are in their place.
#define PARALLEL 1e-4
// What lies on the wrong side of a feature by more than this is behind it: sine of the angle. Below
// it a neighbouring feature is nearer in any case.
#define BEHIND 0.1
// A way that leads inwards by less than this is along the end of a face: sine of the angle.
#define LEAST_WAY 1e-6
// Inside by this where there is no end [m].
#define ENDLESS 1e9

// ------------------------------------------------------------------------------------------------
// Features of a core, in the frame of its solid

typedef struct core_edge {
    int from, to;    // corners
    int left, right; // faces beside it; -1: none
} core_edge;

bool hf_track_knows(const hf_solid *solid)
{
    switch (solid->type) {
    case HF_SHAPE_POINT:
    case HF_SHAPE_SPHERE:
    case HF_SHAPE_CAPSULE:
    case HF_SHAPE_BOX:
    case HF_SHAPE_PLANE:
    case HF_SHAPE_MESH:
        return true;
    default:
        return false;
    }
}

static int corner_count(const hf_solid *s)
{
    switch (s->type) {
    case HF_SHAPE_PLANE:
        return 0;
    case HF_SHAPE_CAPSULE:
        return 2;
    case HF_SHAPE_BOX:
        return 8;
    case HF_SHAPE_MESH:
        return s->mesh->vertex_count;
    default:
        return 1;
    }
}

static hf_vec3 corner_of(const hf_solid *s, int i)
{
    switch (s->type) {
    case HF_SHAPE_CAPSULE:
        return hf_v3(0.0, 0.0, i == 0 ? -s->half.z : s->half.z);
    case HF_SHAPE_BOX:
        return hf_v3((i & 1) != 0 ? s->half.x : -s->half.x, (i & 2) != 0 ? s->half.y : -s->half.y,
                     (i & 4) != 0 ? s->half.z : -s->half.z);
    case HF_SHAPE_MESH:
        return hf_mesh_vertices(s->mesh)[i];
    default:
        return hf_v3(0.0, 0.0, 0.0);
    }
}

// Corner k beside corner i; -1: there are no more.
static int neighbour_of(const hf_solid *s, int i, int k)
{
    switch (s->type) {
    case HF_SHAPE_CAPSULE:
        return k == 0 ? 1 - i : -1;
    case HF_SHAPE_BOX:
        return k < 3 ? i ^ 1 << k : -1;
    case HF_SHAPE_MESH: {
        const int *first = hf_mesh_first_neighbours(s->mesh);
        return first[i] + k < first[i + 1] ? hf_mesh_neighbours(s->mesh)[first[i] + k] : -1;
    }
    default:
        return -1;
    }
}

static int edge_count(const hf_solid *s)
{
    return s->type == HF_SHAPE_CAPSULE ? 1
           : s->type == HF_SHAPE_BOX   ? 12
           : s->type == HF_SHAPE_MESH  ? s->mesh->edge_count
                                       : 0;
}

// Of a box: four along each axis, at the four signs of the other two. Face 2 k + s is that across
// axis k on the low (0) or high (1) side.
static core_edge edge_of(const hf_solid *s, int i)
{
    if (s->type == HF_SHAPE_BOX) {
        int axis = i / 4, b = (axis + 1) % 3, c = (axis + 2) % 3;
        int low_b = i & 1, low_c = i >> 1 & 1, from = low_b << b | low_c << c;
        return (core_edge){from, from | 1 << axis, 2 * b + low_b, 2 * c + low_c};
    }
    if (s->type == HF_SHAPE_MESH) {
        const hf_mesh_edge *e = &hf_mesh_edges(s->mesh)[i];
        return (core_edge){e->from, e->to, e->left, e->right};
    }
    return (core_edge){0, 1, -1, -1};
}

static int face_count(const hf_solid *s)
{
    return s->type == HF_SHAPE_PLANE  ? 1
           : s->type == HF_SHAPE_BOX  ? 6
           : s->type == HF_SHAPE_MESH ? s->mesh->face_count
                                      : 0;
}

static hf_vec3 normal_of(const hf_solid *s, int i)
{
    if (s->type == HF_SHAPE_BOX) {
        double side = (i & 1) != 0 ? 1.0 : -1.0;
        return hf_v3(i / 2 == 0 ? side : 0.0, i / 2 == 1 ? side : 0.0, i / 2 == 2 ? side : 0.0);
    }
    return s->type == HF_SHAPE_MESH ? hf_mesh_faces(s->mesh)[i].normal : hf_v3(0.0, 0.0, 1.0);
}

static hf_vec3 point_of_face(const hf_solid *s, int i)
{
    if (s->type == HF_SHAPE_BOX) {
        hf_vec3 n = normal_of(s, i);
        return hf_v3(n.x * s->half.x, n.y * s->half.y, n.z * s->half.z);
    }
    return s->type == HF_SHAPE_MESH
               ? hf_v3_scale(hf_mesh_faces(s->mesh)[i].offset, hf_mesh_faces(s->mesh)[i].normal)
               : hf_v3(0.0, 0.0, 0.0);
}

// How far inside of the outline of a face a point over it is.
static double inside_face(const hf_solid *s, int i, hf_vec3 p)
{
    if (s->type == HF_SHAPE_PLANE) {
        return ENDLESS;
    }
    if (s->type == HF_SHAPE_BOX) {
        const double room[3] = {s->half.x - fabs(p.x), s->half.y - fabs(p.y),
                                s->half.z - fabs(p.z)};
        return fmin(room[(i / 2 + 1) % 3], room[(i / 2 + 2) % 3]);
    }
    const hf_mesh_plane *face = &hf_mesh_faces(s->mesh)[i];
    const int *loop = hf_mesh_corners(s->mesh) + face->first;
    const hf_vec3 *v = hf_mesh_vertices(s->mesh);
    double least = ENDLESS;
    for (int k = 0; k < face->count; ++k) {
        hf_vec3 from = v[loop[k]], along = hf_v3_sub(v[loop[(k + 1) % face->count]], from);
        hf_vec3 inwards = hf_v3_cross(face->normal, along);
        least = fmin(least, hf_v3_dot(inwards, hf_v3_sub(p, from)) / hf_v3_norm(along));
    }
    return least;
}

// The unit direction along face i from its edge inwards.
static hf_vec3 inwards_of(const hf_solid *s, const core_edge *edge, int i)
{
    hf_vec3 from = corner_of(s, edge->from), along = hf_v3_sub(corner_of(s, edge->to), from);
    hf_vec3 across = hf_v3_cross(normal_of(s, i), along);
    double size = hf_v3_norm(across);
    // Towards the middle of the solid
    double side = hf_v3_dot(across, from) > 0.0 ? -1.0 : 1.0;
    if (s->type == HF_SHAPE_MESH) {
        side = i == edge->left ? 1.0 : -1.0;
    }
    return hf_v3_scale(side / size, across);
}

// ------------------------------------------------------------------------------------------------
// Places

static hf_vec3 world_point(const hf_spot *spot, hf_vec3 local)
{
    return hf_v3_add(spot->center, hf_m3_mulv(&spot->rotation, local));
}

static hf_vec3 local_point(const hf_spot *spot, hf_vec3 world)
{
    return hf_m3_tmulv(&spot->rotation, hf_v3_sub(world, spot->center));
}

// Nearest points of two lines a + s u and b + t v, which are not parallel.
typedef struct crossing {
    double s, t;
    hf_vec3 cross; // u x v
} crossing;

static crossing cross_lines(hf_vec3 a, hf_vec3 u, hf_vec3 b, hf_vec3 v)
{
    hf_vec3 cross = hf_v3_cross(u, v), apart = hf_v3_sub(b, a);
    double squares = hf_v3_dot(cross, cross);
    return (crossing){.s = hf_v3_dot(hf_v3_cross(apart, v), cross) / squares,
                      .t = hf_v3_dot(hf_v3_cross(apart, u), cross) / squares,
                      .cross = cross};
}

// Corners and edges in the world.
typedef struct ends {
    hf_vec3 a, u, b, v;
} ends;

static ends ends_of(const hf_track *k, const hf_spot *on, const hf_spot *to)
{
    return (ends){world_point(on, k->on_at), hf_m3_mulv(&on->rotation, k->on_along),
                  world_point(to, k->to_at), hf_m3_mulv(&to->rotation, k->to_along)};
}

// Two points of cores, with the direction between them as normal.
static hf_track_place join(const hf_track *k, hf_vec3 a, hf_vec3 b)
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
        crossing c = cross_lines(e.a, e.u, e.b, e.v);
        hf_vec3 a = hf_v3_axpy(e.a, c.s, e.u), b = hf_v3_axpy(e.b, c.t, e.v);
        p.n = hf_v3_scale(k->sign / hf_v3_norm(c.cross), c.cross);
        p.gap = hf_v3_dot(p.n, hf_v3_sub(e.a, e.b)) - k->round;
        p.on = hf_v3_axpy(a, -k->on_round, p.n);
        p.to = hf_v3_axpy(b, k->round - k->on_round, p.n);
        break;
    }
    case HF_TRACK_CORNER_EDGE:
        p = join(k, e.a, hf_v3_axpy(e.b, hf_v3_dot(e.v, hf_v3_sub(e.a, e.b)), e.v));
        break;
    case HF_TRACK_EDGE_CORNER:
        p = join(k, hf_v3_axpy(e.a, hf_v3_dot(e.u, hf_v3_sub(e.b, e.a)), e.u), e.b);
        break;
    case HF_TRACK_CORNERS:
        p = join(k, e.a, e.b);
        break;
    }
    return p;
}

// ------------------------------------------------------------------------------------------------
// Inside

static double inside_edge(double s, double length)
{
    return fmin(s, length - s);
}

// How far a point of space, nearest to corner i, is from being nearer to one of the edges there.
static double beyond_corner(const hf_solid *s, int i, hf_vec3 p)
{
    hf_vec3 corner = corner_of(s, i), apart = hf_v3_sub(p, corner);
    double least = ENDLESS;
    for (int k = 0, other = neighbour_of(s, i, 0); other >= 0; other = neighbour_of(s, i, ++k)) {
        hf_vec3 along = hf_v3_sub(corner_of(s, other), corner);
        least = fmin(least, -hf_v3_dot(apart, along) / hf_v3_norm(along));
    }
    return least;
}

// The same of the point at s on edge i and the faces beside it, and of the ends of the edge.
static double beyond_edge(const hf_solid *solid, int i, hf_vec3 p)
{
    core_edge edge = edge_of(solid, i);
    hf_vec3 from = corner_of(solid, edge.from);
    hf_vec3 along = hf_v3_sub(corner_of(solid, edge.to), from);
    double length = hf_v3_norm(along);
    double s = hf_v3_dot(hf_v3_sub(p, from), along) / length;
    double least = inside_edge(s, length);
    hf_vec3 apart = hf_v3_sub(p, hf_v3_axpy(from, s / length, along));
    for (int k = 0; k < 2; ++k) {
        int face = k == 0 ? edge.left : edge.right;
        if (face >= 0) {
            least = fmin(least, -hf_v3_dot(apart, inwards_of(solid, &edge, face)));
        }
    }
    return least;
}

double hf_track_inside(const hf_track *k, const hf_solid *on, const hf_solid *to,
                       const hf_spot *on_spot, const hf_spot *to_spot)
{
    ends e = ends_of(k, on_spot, to_spot);
    switch (k->kind) {
    case HF_TRACK_CORNER_FACE:
        return inside_face(to, k->to, local_point(to_spot, e.a));
    case HF_TRACK_FACE_CORNER:
        return inside_face(on, k->on, local_point(on_spot, e.b));
    case HF_TRACK_EDGES: {
        crossing c = cross_lines(e.a, e.u, e.b, e.v);
        return fmin(inside_edge(c.s, k->on_length), inside_edge(c.t, k->to_length));
    }
    case HF_TRACK_CORNER_EDGE: {
        hf_vec3 b = hf_v3_axpy(e.b, hf_v3_dot(e.v, hf_v3_sub(e.a, e.b)), e.v);
        return fmin(beyond_edge(to, k->to, local_point(to_spot, e.a)),
                    beyond_corner(on, k->on, local_point(on_spot, b)));
    }
    case HF_TRACK_EDGE_CORNER: {
        hf_vec3 a = hf_v3_axpy(e.a, hf_v3_dot(e.u, hf_v3_sub(e.b, e.a)), e.u);
        return fmin(beyond_edge(on, k->on, local_point(on_spot, e.b)),
                    beyond_corner(to, k->to, local_point(to_spot, a)));
    }
    default:
        return fmin(beyond_corner(to, k->to, local_point(to_spot, e.a)),
                    beyond_corner(on, k->on, local_point(on_spot, e.b)));
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
    int other = neighbour_of(s, corner, k);
    if (other < 0) {
        return false;
    }
    hf_vec3 along = hf_v3_sub(corner_of(s, other), corner_of(s, corner));
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
    if (hf_solid_round(a) > 0.0 || b->type == HF_SHAPE_PLANE ||
        !way_to(a, corner, 0, a_spot, b_spot, &first)) {
        return true;
    }
    // Along an edge of the solid, or between two of them
    hf_vec3 p = local_point(b_spot, world_point(a_spot, corner_of(a, corner)));
    bool over = false;
    for (int i = 0; !over && way_to(a, corner, i, a_spot, b_spot, &first); ++i) {
        for (int j = i; !over && way_to(a, corner, j, a_spot, b_spot, &second); ++j) {
            over = leads_in(b, face, p, near, hf_v3_add(first, second));
        }
    }
    return over;
}

// ------------------------------------------------------------------------------------------------
// Those that are near

typedef struct search {
    const hf_solid *on, *to;
    hf_spot on_spot, to_spot;
    double margin;
    hf_track *tracks;
    int room, count;
} search;

static void keep(search *s, const hf_track *track)
{
    hf_track_place p = hf_track_find(track, &s->on_spot, &s->to_spot);
    double inside = hf_track_inside(track, s->on, s->to, &s->on_spot, &s->to_spot);
    if (fabs(p.gap) <= s->margin && inside >= -s->margin) {
        if (s->count < s->room) {
            s->tracks[s->count] = *track;
        }
        s->count += 1;
    }
}

// Whether a solid is nowhere far behind its corner, seen against a world direction n that points to
// it.
static bool is_foremost(const hf_solid *s, const hf_spot *spot, int corner, hf_vec3 n)
{
    hf_vec3 local = hf_m3_tmulv(&spot->rotation, n), at = corner_of(s, corner);
    bool foremost = true;
    for (int k = 0, other = neighbour_of(s, corner, 0); other >= 0;
         other = neighbour_of(s, corner, ++k)) {
        hf_vec3 along = hf_v3_sub(corner_of(s, other), at);
        foremost = foremost && hf_v3_dot(local, along) >= -BEHIND * hf_v3_norm(along);
    }
    return foremost;
}

// The same of an edge: the least sine of the faces beside it; of a line without faces ENDLESS.
static double foremost_edge(const hf_solid *s, const hf_spot *spot, const core_edge *edge,
                            hf_vec3 n)
{
    hf_vec3 local = hf_m3_tmulv(&spot->rotation, n);
    double least = ENDLESS;
    for (int k = 0; k < 2; ++k) {
        int face = k == 0 ? edge->left : edge->right;
        if (face >= 0) {
            least = fmin(least, hf_v3_dot(local, inwards_of(s, edge, face)));
        }
    }
    return least;
}

static void corners_on_faces(search *s, bool turned)
{
    const hf_solid *a = turned ? s->to : s->on, *b = turned ? s->on : s->to;
    const hf_spot *a_spot = turned ? &s->to_spot : &s->on_spot;
    const hf_spot *b_spot = turned ? &s->on_spot : &s->to_spot;
    double round = hf_solid_round(a);
    for (int i = 0; i < corner_count(a); ++i) {
        hf_vec3 corner = corner_of(a, i);
        hf_vec3 there = local_point(b_spot, world_point(a_spot, corner));
        for (int f = 0; f < face_count(b); ++f) {
            hf_vec3 normal = normal_of(b, f), point = point_of_face(b, f);
            double gap = hf_v3_dot(normal, hf_v3_sub(there, point)) - round;
            if (fabs(gap) > s->margin ||
                !is_foremost(a, a_spot, i, hf_m3_mulv(&b_spot->rotation, normal))) {
                continue;
            }
            hf_track track = {.kind = turned ? HF_TRACK_FACE_CORNER : HF_TRACK_CORNER_FACE,
                              .on = turned ? f : i,
                              .to = turned ? i : f,
                              .on_at = turned ? point : corner,
                              .to_at = turned ? corner : point,
                              .round = round,
                              .on_round = turned ? 0.0 : round};
            track.on_along = turned ? normal : track.on_along;
            track.to_along = turned ? track.to_along : normal;
            keep(s, &track);
        }
    }
}

static hf_vec3 along_edge(const hf_solid *s, const core_edge *edge, double *length)
{
    hf_vec3 along = hf_v3_sub(corner_of(s, edge->to), corner_of(s, edge->from));
    *length = hf_v3_norm(along);
    return hf_v3_scale(1.0 / *length, along);
}

// Which way the normal of two edges points: to where neither solid is behind its edge. Zero:
// nowhere.
static double sign_of(const search *s, const core_edge *a, const core_edge *b, hf_vec3 cross,
                      hf_vec3 apart)
{
    hf_vec3 n = hf_v3_scale(1.0 / hf_v3_norm(cross), cross), back = hf_v3_scale(-1.0, n);
    double forth =
        fmin(foremost_edge(s->on, &s->on_spot, a, n), foremost_edge(s->to, &s->to_spot, b, back));
    double other =
        fmin(foremost_edge(s->on, &s->on_spot, a, back), foremost_edge(s->to, &s->to_spot, b, n));
    if (forth == ENDLESS && other == ENDLESS) { // lines
        return hf_v3_dot(n, apart) >= 0.0 ? 1.0 : -1.0;
    }
    return fmax(forth, other) < -BEHIND ? 0.0 : forth > other ? 1.0 : -1.0;
}

static void edges_across(search *s)
{
    for (int i = 0; i < edge_count(s->on); ++i) {
        core_edge a = edge_of(s->on, i);
        hf_track track = {.kind = HF_TRACK_EDGES,
                          .on = i,
                          .on_at = corner_of(s->on, a.from),
                          .on_round = hf_solid_round(s->on),
                          .round = hf_solid_round(s->on) + hf_solid_round(s->to)};
        track.on_along = along_edge(s->on, &a, &track.on_length);
        for (int j = 0; j < edge_count(s->to); ++j) {
            core_edge b = edge_of(s->to, j);
            track.to = j;
            track.to_at = corner_of(s->to, b.from);
            track.to_along = along_edge(s->to, &b, &track.to_length);
            ends e = ends_of(&track, &s->on_spot, &s->to_spot);
            hf_vec3 cross = hf_v3_cross(e.u, e.v);
            if (hf_v3_norm(cross) < PARALLEL) {
                continue;
            }
            crossing c = cross_lines(e.a, e.u, e.b, e.v);
            if (inside_edge(c.s, track.on_length) < -s->margin ||
                inside_edge(c.t, track.to_length) < -s->margin) {
                continue;
            }
            track.sign = sign_of(s, &a, &b, cross, hf_v3_sub(e.a, e.b));
            if (track.sign != 0.0) {
                keep(s, &track);
            }
        }
    }
}

// Around cores: a corner at edges or at corners.
static void corners_at_edges(search *s, bool turned)
{
    const hf_solid *a = turned ? s->to : s->on, *b = turned ? s->on : s->to;
    double round = hf_solid_round(a) + hf_solid_round(b);
    for (int i = 0; i < corner_count(a); ++i) {
        for (int k = 0; k < edge_count(b); ++k) {
            core_edge edge = edge_of(b, k);
            double length = 0.0;
            hf_vec3 along = along_edge(b, &edge, &length);
            hf_track track = {.kind = turned ? HF_TRACK_EDGE_CORNER : HF_TRACK_CORNER_EDGE,
                              .on = turned ? k : i,
                              .to = turned ? i : k,
                              .on_at = turned ? corner_of(b, edge.from) : corner_of(a, i),
                              .to_at = turned ? corner_of(a, i) : corner_of(b, edge.from),
                              .on_length = turned ? length : 0.0,
                              .to_length = turned ? 0.0 : length,
                              .round = round,
                              .on_round = hf_solid_round(s->on)};
            track.on_along = turned ? along : track.on_along;
            track.to_along = turned ? track.to_along : along;
            keep(s, &track);
        }
    }
}

static void corners_at_corners(search *s)
{
    for (int i = 0; i < corner_count(s->on); ++i) {
        for (int k = 0; k < corner_count(s->to); ++k) {
            hf_track track = {.kind = HF_TRACK_CORNERS,
                              .on = i,
                              .to = k,
                              .on_at = corner_of(s->on, i),
                              .to_at = corner_of(s->to, k),
                              .round = hf_solid_round(s->on) + hf_solid_round(s->to),
                              .on_round = hf_solid_round(s->on)};
            keep(s, &track);
        }
    }
}

int hf_track_near(const hf_solid *on, const hf_solid *to, double margin, hf_track *tracks, int room)
{
    search s = {.on = on,
                .to = to,
                .on_spot = {on->rotation, on->center},
                .to_spot = {to->rotation, to->center},
                .margin = margin,
                .tracks = tracks,
                .room = room};
    corners_on_faces(&s, false);
    corners_on_faces(&s, true);
    edges_across(&s);
    if (hf_solid_round(on) + hf_solid_round(to) > 0.0) {
        corners_at_edges(&s, false);
        corners_at_edges(&s, true);
        corners_at_corners(&s);
    }
    return s.count;
}
