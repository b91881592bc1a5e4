// SPDX-License-Identifier: Apache-2.0
// A convex solid on a surface of triangles.
//
// Every triangle near the solid is a flat solid of its own; what the two turn to each other is
// found as between any two. Its normal must belong to the surface: that of the triangle itself;
// beyond a convex edge one between the normals of both neighbours; at a vertex one of the cone that
// the edges there leave open. Edges between triangles of one plane, and hollow ones, have no
// normals: a direction that points out of such an edge is that of a single triangle, not of the
// surface, and in its place stands the triangle's own normal, with what lies over its outline.
//
// Points of triangles in one plane are gathered, and the few that are as far apart as they can be
// are kept.
#include <math.h>

#include "shapes/gjk.h"
#include "shapes/touch.h"

// A face that lies on a triangle: cosine of HF_PARALLEL.
#define LIES (1.0 - 0.5 * HF_PARALLEL * HF_PARALLEL)
// A direction along the triangle's normal but for rounding, and one that leaves a cone: sine.
#define ALONG  (1.0 - 1e-11)
#define BEYOND 1e-6
// Weights of a place on a triangle below this are on its edge.
#define ON_EDGE 1e-6
// A vertex is below a face where it is so by more than this part of the solid's reach: rounding.
#define BELOW 1e-12
// Points nearer to each other than this part of the size are one.
#define SAME_PLACE 1e-7

// How far a solid may turn within a step, for choosing which points to keep [rad].
#define TURN 0.1
// How far beside an edge, in depths there, a point may be of what reaches over it.
#define OVER 2.0
// How much a way out that the surface does not have must be along a triangle's normal to stand for
// it (cosine): others lead out beside it.
#define SPARE 0.7
// How far a solid is moved away from a convex edge, as a part of the smaller one.
#define AWAY 0.02

enum { MOST = 96, DEPTH = 96, PROXIMAL = 6, RIM = 900, AROUND = 2 };

typedef struct gathering {
    const hf_solid *a, *surface;
    double margin;
    double deepest; // half of the solid's thinnest side: deeper is another side of it
    double same;    // points nearer to each other are one
    int count;
    hf_touch_point points[MOST]; // places are from the surface's center
    // Of ways out that the surface does not have the one most along a triangle's normal, and how
    // much it is (cosine): where there is no other, the solid must not fall through.
    hf_touch_point spare;
    double spare_along; // at SPARE: none
} gathering;

// A triangle as a solid.
typedef struct facet {
    int index;
    const hf_facet *f;
    hf_piece piece;
    hf_solid solid; // about its middle
    hf_vec3 middle; // from the surface's center, world axes
    hf_vec3 normal; // world axes
} facet;

static facet facet_of(const hf_solid *surface, int index)
{
    const hf_triangles *t = surface->triangles;
    facet k = {.index = index, .f = &hf_triangles_facets(t)[index]};
    const hf_vec3 *v = hf_triangles_vertices(t);
    hf_vec3 middle = hf_v3_scale(
        1.0 / 3.0, hf_v3_add(hf_v3_add(v[k.f->corner[0]], v[k.f->corner[1]]), v[k.f->corner[2]]));
    double reach = 0.0;
    for (int i = 0; i < 3; ++i) {
        k.piece.corners[i] = hf_v3_sub(v[k.f->corner[i]], middle);
        reach = fmax(reach, hf_v3_norm(k.piece.corners[i]));
    }
    k.piece.normal = k.f->normal;
    k.middle = hf_m3_mulv(&surface->rotation, middle);
    k.normal = hf_m3_mulv(&surface->rotation, k.f->normal);
    k.solid = (hf_solid){.type = HF_SOLID_TRIANGLE,
                         .reach = reach,
                         .rotation = surface->rotation,
                         .center = hf_v3_add(surface->center, k.middle)};
    return k;
}

// ------------------------------------------------------------------------------------------------
// Gathering

// Among those of one place and one direction the deepest; where there is no room, in place of the
// shallowest.
static void gather(gathering *g, const facet *k, hf_touch_point point, unsigned feature)
{
    double size = SAME_PLACE * (g->a->reach + k->solid.reach);
    point.place = hf_v3_add(point.place, k->middle);
    point.feature = (unsigned)k->index * 2654435761u + feature;
    int shallow = 0;
    if (point.gap < -g->deepest) {
        return;
    }
    for (int i = 0; i < g->count; ++i) {
        hf_touch_point *p = &g->points[i];
        if (hf_v3_dot(p->n, point.n) > 1.0 - BEYOND &&
            hf_v3_norm(hf_v3_sub(p->place, point.place)) < size) {
            *p = point.gap < p->gap ? point : *p;
            return;
        }
        shallow = p->gap > g->points[shallow].gap ? i : shallow;
    }
    if (g->count < MOST) {
        g->points[g->count++] = point;
    } else if (point.gap < g->points[shallow].gap) {
        g->points[shallow] = point;
    }
}

// ------------------------------------------------------------------------------------------------
// Normals of the surface

// Weights of a triangle's corners at a point, by areas; the point is from its middle, local axes.
static void weights_at(const facet *k, hf_vec3 p, double w[3])
{
    const hf_vec3 *c = k->piece.corners;
    hf_vec3 n = hf_v3_cross(hf_v3_sub(c[1], c[0]), hf_v3_sub(c[2], c[0]));
    double all = hf_v3_dot(n, n);
    for (int i = 0; i < 3; ++i) {
        hf_vec3 u = hf_v3_sub(c[(i + 1) % 3], p), v = hf_v3_sub(c[(i + 2) % 3], p);
        w[i] = hf_v3_dot(n, hf_v3_cross(u, v)) / all;
    }
}

// Whether n (local axes) belongs to edge i of a triangle: it does not point into either neighbour.
static bool is_of_edge(const hf_triangles *t, const facet *k, int i, hf_vec3 n)
{
    const hf_facet *f = k->f;
    hf_vec3 along = hf_v3_sub(k->piece.corners[(i + 1) % 3], k->piece.corners[i]);
    along = hf_v3_scale(1.0 / hf_v3_norm(along), along);
    if (f->rim[i] == HF_RIM_FLAT || f->rim[i] == HF_RIM_HOLLOW ||
        hf_v3_dot(hf_v3_cross(along, f->normal), n) < -BEYOND) {
        return false;
    }
    if (f->rim[i] == HF_RIM_FREE) {
        return hf_v3_dot(f->normal, n) > -BEYOND;
    }
    hf_vec3 other = hf_triangles_facets(t)[f->beside[i]].normal;
    return hf_v3_dot(hf_v3_cross(other, along), n) > -BEYOND;
}

// Whether n (local axes) belongs to a vertex: all edges fall away from it.
static bool is_of_vertex(const hf_triangles *t, int vertex, hf_vec3 n)
{
    const hf_vec3 *v = hf_triangles_vertices(t);
    const int *first = hf_triangles_first(t), *beside = hf_triangles_neighbours(t);
    for (int i = first[vertex]; i < first[vertex + 1]; ++i) {
        hf_vec3 way = hf_v3_sub(v[beside[i]], v[vertex]);
        if (hf_v3_dot(way, n) > BEYOND * hf_v3_norm(way)) {
            return false;
        }
    }
    return true;
}

// Whether a direction n (world axes) at a point of a triangle belongs to the surface.
static bool is_of_surface(const gathering *g, const facet *k, hf_vec3 at, hf_vec3 n)
{
    const hf_mat3 *turn = &g->surface->rotation;
    if (hf_v3_dot(n, k->normal) >= ALONG) {
        return true;
    }
    double w[3];
    hf_vec3 local = hf_m3_tmulv(turn, n);
    int zeros = 0, vertex = 0, edge = 0;
    weights_at(k, hf_m3_tmulv(turn, at), w);
    for (int i = 0; i < 3; ++i) {
        zeros += w[i] < ON_EDGE;
        vertex = w[i] >= ON_EDGE ? i : vertex;
        edge = w[i] < ON_EDGE ? (i + 1) % 3 : edge; // opposite to the corner without weight
    }
    return zeros == 2   ? is_of_vertex(g->surface->triangles, k->f->corner[vertex], local)
           : zeros == 1 ? is_of_edge(g->surface->triangles, k, edge, local)
                        : false;
}

// ------------------------------------------------------------------------------------------------
// One triangle

// The outline of a triangle, a margin wider beyond hollow edges: what is over a neighbour that
// rises there may come to it within the step, and its plane holds there too.
static void widen(const gathering *g, const facet *k, hf_feature *face)
{
    for (int i = 0; i < 3; ++i) {
        hf_vec3 along = hf_v3_sub(k->piece.corners[(i + 1) % 3], k->piece.corners[i]);
        hf_vec3 out = hf_v3_cross(along, k->f->normal);
        double length = hf_v3_norm(out);
        if (k->f->rim[i] == HF_RIM_HOLLOW) {
            out = hf_m3_mulv(&g->surface->rotation, hf_v3_scale(g->margin / length, out));
            face->points[i] = hf_v3_add(face->points[i], out);
            face->points[(i + 1) % 3] = hf_v3_add(face->points[(i + 1) % 3], out);
        }
    }
}

// Whether the way out of a point is over edge i of a triangle: the edge is convex, the solid is
// less deep behind the neighbour there than the point says, and the point is where the solid
// reaches over the edge. Such a point is of the side of a step that the solid is coming down, or of
// a seam's. center: of the solid; it and the point are from the surface's center, world axes.
static bool is_over_edge(const gathering *g, const hf_facet *f, int i, hf_vec3 center,
                         const hf_touch_point *point)
{
    const hf_mat3 *turn = &g->surface->rotation;
    const hf_vec3 *v = hf_triangles_vertices(g->surface->triangles);
    if (f->rim[i] != HF_RIM_CONVEX) {
        return false;
    }
    // Behind the neighbour
    hf_vec3 m = hf_triangles_facets(g->surface->triangles)[f->beside[i]].normal;
    hf_vec3 out = hf_m3_mulv(turn, m), from = v[f->corner[i]];
    double lowest = hf_v3_dot(out, center) - hf_solid_extent(g->a, hf_v3_scale(-1.0, out));
    double depth = fmax(hf_v3_dot(m, from) - lowest, 0.0);
    // Beside the edge
    hf_vec3 at = hf_m3_tmulv(turn, hf_v3_axpy(point->place, -0.5 * point->gap, point->n));
    hf_vec3 along = hf_v3_sub(v[f->corner[(i + 1) % 3]], from), way = hf_v3_sub(at, from);
    double share = hf_v3_dot(way, along) / hf_v3_dot(along, along);
    share = share < 0.0 ? 0.0 : share > 1.0 ? 1.0 : share;
    double beside = hf_v3_norm(hf_v3_axpy(way, -share, along));
    return -point->gap > depth && beside <= OVER * depth + SAME_PLACE * g->a->reach;
}

// The same over any edge of a triangle, and of those that lie in its plane beside it.
static bool is_over_edges(const gathering *g, const hf_facet *f, int around, hf_vec3 center,
                          const hf_touch_point *point)
{
    bool found = false;
    for (int i = 0; i < 3 && !found; ++i) {
        found = is_over_edge(g, f, i, center, point);
        if (!found && around > 0 && f->rim[i] == HF_RIM_FLAT) {
            const hf_facet *next = &hf_triangles_facets(g->surface->triangles)[f->beside[i]];
            found = is_over_edges(g, next, around - 1, center, point);
        }
    }
    return found;
}

static void gather_all(gathering *g, const facet *k, hf_vec3 place, const hf_meeting *touch)
{
    hf_vec3 center = hf_v3_add(place, k->middle);
    for (int i = 0; i < touch->count; ++i) {
        hf_touch_point point = touch->points[i];
        point.place = hf_v3_add(point.place, k->middle);
        if (point.gap > 0.0 || !is_over_edges(g, k->f, AROUND, center, &point)) {
            gather(g, k, touch->points[i], touch->points[i].feature);
        }
    }
}

// What of the solid lies over the triangle's outline, along its normal.
static void lay_on(gathering *g, const facet *k, hf_vec3 place)
{
    hf_feature face, other;
    hf_solid_face(&k->solid, k->normal, &face);
    widen(g, k, &face);
    hf_solid_face(g->a, hf_v3_scale(-1.0, k->normal), &other);
    // The lowest vertex of a polyhedron may belong to another face than the one that looks down.
    hf_vec3 under = hf_solid_support(g->a, hf_v3_scale(-1.0, k->normal));
    bool lowest = g->a->type == HF_SHAPE_MESH;
    for (int i = 0; i < other.count; ++i) {
        lowest = lowest && hf_v3_dot(k->normal, under) <
                               hf_v3_dot(k->normal, other.points[i]) - BELOW * g->a->reach;
        other.points[i] = hf_v3_add(other.points[i], place);
    }
    if (lowest) {
        other.count = 1;
        other.points[0] = hf_v3_add(under, place);
    }
    hf_meeting touch = {.count = 0};
    if (other.count == 1) { // a point has no outline to clip
        hf_vec3 local = hf_m3_tmulv(&g->surface->rotation, other.points[0]);
        facet wide = *k;
        double w[3];
        for (int i = 0; i < 3; ++i) {
            wide.piece.corners[i] = hf_m3_tmulv(&g->surface->rotation, face.points[i]);
        }
        weights_at(&wide, local, w);
        double gap = hf_v3_dot(k->normal, other.points[0]) - hf_v3_dot(k->normal, face.points[0]) -
                     hf_solid_round(g->a);
        if (w[0] >= -ON_EDGE && w[1] >= -ON_EDGE && w[2] >= -ON_EDGE) {
            hf_touch_single(other.points[0], k->normal, gap, hf_solid_round(g->a), g->margin, 7,
                            &touch);
        }
    } else {
        hf_overlap overlap = {.face = &face,
                              .other = &other,
                              .normal = k->normal,
                              .round = hf_solid_round(g->a),
                              .margin = g->margin};
        (void)hf_touch_faces(&overlap, &touch);
    }
    gather_all(g, k, place, &touch);
}

// Whether a solid turns a face to the triangle that lies on it.
static bool lies_on(const gathering *g, const facet *k)
{
    hf_feature feature;
    hf_solid_face(g->a, hf_v3_scale(-1.0, k->normal), &feature);
    return feature.count >= 3 && -hf_v3_dot(feature.normal, k->normal) > LIES;
}

// Out of a small overlap a flat triangle has ways that the surface does not have. Beyond a convex
// edge the solid is therefore moved away along the mean normal, from where the nearest points are
// told, and back: proximal steps, as in touch_convex.c. False: no convex edge is what it touches.
static bool meet_rim(gathering *g, const facet *k, hf_vec3 place)
{
    const hf_triangles *t = g->surface->triangles;
    double away = AWAY * fmin(g->a->reach, k->solid.reach), round = hf_solid_round(g->a);
    // Each convex edge: the mean normal, improved from outside
    for (int i = 0; i < 3; ++i) {
        if (k->f->rim[i] != HF_RIM_CONVEX) {
            continue;
        }
        hf_vec3 sum = hf_v3_add(k->f->normal, hf_triangles_facets(t)[k->f->beside[i]].normal);
        hf_vec3 n = hf_m3_mulv(&g->surface->rotation, hf_v3_scale(1.0 / hf_v3_norm(sum), sum));
        hf_nearest near = {.apart = false};
        for (int step = 0; step < PROXIMAL; ++step) {
            near = hf_gjk(g->a, &k->solid, hf_v3_axpy(place, away, n), 1.0, HUGE_VAL);
            if (!near.apart || !(near.distance > 0.1 * away)) {
                break;
            }
            near.a = hf_v3_axpy(near.a, -away, n);
            n = hf_v3_scale(1.0 / near.distance, hf_v3_sub(hf_v3_axpy(near.a, away, n), near.b));
        }
        // Where the surface's own points are nearest along it
        if (!near.apart || !is_of_surface(g, k, near.b, n)) {
            continue;
        }
        hf_vec3 a = hf_v3_add(place, hf_solid_support(g->a, hf_v3_scale(-1.0, n)));
        hf_vec3 b = hf_solid_support(&k->solid, n);
        hf_meeting touch = {.count = 0};
        hf_touch_single(near.a, n, hf_v3_dot(n, hf_v3_sub(a, b)) - round, round, g->margin,
                        RIM + (unsigned)i, &touch);
        gather_all(g, k, place, &touch);
        return true;
    }
    return false;
}

static void spare(gathering *g, const facet *k, const hf_meeting *touch)
{
    for (int i = 0; i < touch->count; ++i) {
        const hf_touch_point *p = &touch->points[i];
        double along = hf_v3_dot(p->n, k->normal);
        if (p->gap < 0.0 && p->gap >= -g->deepest && along > g->spare_along) {
            g->spare = *p;
            g->spare.place = hf_v3_add(p->place, k->middle);
            g->spare.feature = (unsigned)k->index * 2654435761u + p->feature;
            g->spare_along = along;
        }
    }
}

static void meet_facet(gathering *g, int index)
{
    facet k = facet_of(g->surface, index);
    k.solid.piece = &k.piece;
    hf_vec3 place = hf_v3_sub(g->a->center, k.solid.center);
    double over = hf_v3_dot(k.normal, place) -
                  hf_v3_dot(k.normal, hf_m3_mulv(&k.solid.rotation, k.piece.corners[0]));
    // Above it, or behind it: the outside is where solids are
    if (over < 0.0 || over - hf_solid_extent(g->a, hf_v3_scale(-1.0, k.normal)) > g->margin) {
        return;
    }
    if (lies_on(g, &k)) {
        lay_on(g, &k, place);
        return;
    }
    // As a thin solid: only what the surface as a whole could do counts
    hf_meeting touch = {.count = 0};
    hf_touch_convex(g->a, &k.solid, place, g->margin, &touch);
    bool good = true, apart = true;
    for (int i = 0; i < touch.count; ++i) {
        const hf_touch_point *p = &touch.points[i];
        hf_vec3 at = hf_v3_axpy(p->place, -0.5 * p->gap, p->n);
        good = good && is_of_surface(g, &k, at, p->n);
        apart = apart && p->gap > 0.0;
    }
    if (!good) {
        spare(g, &k, &touch);
        if (apart || !meet_rim(g, &k, place)) {
            lay_on(g, &k, place);
        }
        return;
    }
    gather_all(g, &k, place, &touch);
}

// ------------------------------------------------------------------------------------------------
// Those that are kept

// The first point of a plane to keep: the deepest, and of those that are equally deep one at the
// edge, the farthest from the middle of all.
static int first_of(const gathering *g, const int *group, int of)
{
    hf_vec3 sum = {0};
    double least = HUGE_VAL, most = -HUGE_VAL;
    int count = 0, best = -1;
    for (int i = 0; i < g->count; ++i) {
        if (group[i] == of) {
            sum = hf_v3_add(sum, g->points[i].place);
            least = fmin(least, g->points[i].gap);
            count += 1;
        }
    }
    for (int i = 0; i < g->count; ++i) {
        hf_vec3 apart = hf_v3_axpy(g->points[i].place, -1.0 / count, sum);
        if (group[i] == of && g->points[i].gap <= least + g->same && hf_v3_norm(apart) > most) {
            most = hf_v3_norm(apart);
            best = i;
        }
    }
    return best;
}

// The next one to keep: what is farthest from all that are kept, along the plane. Of two the one
// that is nearer to touching: one that is higher than the deepest by a part of its distance from it
// needs a turn by as much to touch as soon.
static int next_of(const gathering *g, const int *group, int of, const int *kept, int count)
{
    int best = -1;
    double most = -HUGE_VAL;
    if (count == 0) {
        return first_of(g, group, of);
    }
    for (int i = 0; i < g->count; ++i) {
        const hf_touch_point *p = &g->points[i];
        double far = HUGE_VAL;
        for (int k = 0; k < count; ++k) {
            hf_vec3 apart = hf_v3_sub(p->place, g->points[kept[k]].place);
            apart = hf_v3_axpy(apart, -hf_v3_dot(apart, p->n), p->n);
            far = fmin(far, hf_v3_norm(apart));
        }
        double value = far - (p->gap - g->points[kept[0]].gap) / TURN;
        if (group[i] == of && value > most && far > g->same) {
            most = value;
            best = i;
        }
    }
    return best;
}

// Points by planes: each plane's, in turn, one after the other.
static int keep(const gathering *g, hf_touch_point *points, int room)
{
    int group[MOST], groups = 0, kept[MOST][HF_TOUCH_POINTS], counts[MOST] = {0}, used = 0;
    for (int i = 0; i < g->count; ++i) {
        int k = 0;
        while (k < i && !(hf_v3_dot(g->points[k].n, g->points[i].n) > LIES)) {
            ++k;
        }
        group[i] = k < i ? group[k] : groups++;
    }
    for (int round = 0; round < HF_TOUCH_POINTS; ++round) {
        for (int k = 0; k < groups && used < room; ++k) {
            int next = counts[k] == round ? next_of(g, group, k, kept[k], counts[k]) : -1;
            if (next >= 0) {
                kept[k][counts[k]++] = next;
                points[used++] = g->points[next];
            }
        }
    }
    return used;
}

static bool is_near(const hf_facet_node *node, hf_vec3 least, hf_vec3 most)
{
    return node->least.x <= most.x && node->most.x >= least.x && node->least.y <= most.y &&
           node->most.y >= least.y && node->least.z <= most.z && node->most.z >= least.z;
}

// Deepest first: planes are kept in the order in which they are met.
static void sort(gathering *g)
{
    for (int i = 1; i < g->count; ++i) {
        hf_touch_point moved = g->points[i];
        int at = i;
        for (; at > 0 && g->points[at - 1].gap > moved.gap; --at) {
            g->points[at] = g->points[at - 1];
        }
        g->points[at] = moved;
    }
}

static double half_thickness(const hf_solid *s)
{
    const hf_mat3 *r = &s->rotation;
    const hf_vec3 axes[3] = {hf_v3(r->xx, r->yx, r->zx), hf_v3(r->xy, r->yy, r->zy),
                             hf_v3(r->xz, r->yz, r->zz)};
    double least = HUGE_VAL;
    for (int k = 0; k < 3; ++k) {
        least = fmin(least, 0.5 * (hf_solid_extent(s, axes[k]) +
                                   hf_solid_extent(s, hf_v3_scale(-1.0, axes[k]))));
    }
    return least;
}

int hf_touch_triangles(const hf_solid *a, const hf_solid *surface, double margin,
                       hf_touch_point *points, int room)
{
    gathering g = {.a = a,
                   .surface = surface,
                   .margin = margin,
                   .deepest = half_thickness(a),
                   .spare_along = SPARE,
                   .same = SAME_PLACE * a->reach};
    const hf_mat3 *r = &surface->rotation;
    const hf_vec3 axes[3] = {hf_v3(r->xx, r->yx, r->zx), hf_v3(r->xy, r->yy, r->zy),
                             hf_v3(r->xz, r->yz, r->zz)};
    hf_vec3 middle = hf_m3_tmulv(r, hf_v3_sub(a->center, surface->center));
    double low[3], high[3];
    // The box around it, in the surface's frame
    for (int k = 0; k < 3; ++k) {
        low[k] = -hf_solid_extent(a, hf_v3_scale(-1.0, axes[k])) - margin;
        high[k] = hf_solid_extent(a, axes[k]) + margin;
    }
    hf_vec3 least = hf_v3_add(middle, hf_v3(low[0], low[1], low[2]));
    hf_vec3 most = hf_v3_add(middle, hf_v3(high[0], high[1], high[2]));
    // Triangles whose boxes overlap it
    const hf_facet_node *nodes = hf_triangles_nodes(surface->triangles);
    int stack[DEPTH], depth = 1;
    stack[0] = 0;
    while (depth > 0) {
        const hf_facet_node *node = &nodes[stack[--depth]];
        if (!is_near(node, least, most)) {
            continue;
        }
        for (int i = node->first; i < node->first + node->count; ++i) {
            meet_facet(&g, i);
        }
        if (node->count == 0 && depth + 2 <= DEPTH) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        }
    }
    // Nothing may fall through
    if (g.count == 0 && g.spare_along > SPARE) {
        g.points[g.count++] = g.spare;
    }
    sort(&g);
    return keep(&g, points, room);
}

int hf_touch_triangles_plane(const hf_solid *surface, const hf_solid *plane, double margin,
                             hf_touch_point *points, int room)
{
    gathering g = {.surface = plane, .margin = margin, .same = SAME_PLACE * surface->reach};
    hf_vec3 n = hf_v3(plane->rotation.xz, plane->rotation.yz, plane->rotation.zz);
    hf_vec3 place = hf_v3_sub(surface->center, plane->center);
    const hf_vec3 *v = hf_triangles_vertices(surface->triangles);
    for (int i = 0; i < surface->triangles->vertex_count; ++i) {
        hf_vec3 at = hf_v3_add(place, hf_m3_mulv(&surface->rotation, v[i]));
        double gap = hf_v3_dot(n, at);
        if (gap > margin) {
            continue;
        }
        hf_touch_point p = {.place = hf_v3_axpy(at, -0.5 * gap, n),
                            .n = n,
                            .gap = gap,
                            .feature = (unsigned)i * 2654435761u};
        if (g.count < MOST) {
            g.points[g.count++] = p;
            continue;
        }
        int shallow = 0;
        for (int k = 1; k < MOST; ++k) {
            shallow = g.points[k].gap > g.points[shallow].gap ? k : shallow;
        }
        g.points[shallow] = gap < g.points[shallow].gap ? p : g.points[shallow];
    }
    sort(&g);
    return keep(&g, points, room);
}
