// SPDX-License-Identifier: Apache-2.0
// Convex hulls: a tetrahedron of points far apart grows, each time by the point farthest outside
// one of its triangles. What that point sees is taken away, and its horizon is joined to it.
//
// Points nearer than a tolerance to a triangle's plane do not count as outside; the tolerance is
// some hundred roundings of the coordinates, so that no sliver triangle turns over.
//
// Each triangle keeps the points above its plane, or nearly so. What lies above a new triangle,
// over an edge of the horizon, lies above one of the two triangles that met there
// [ClarksonShor1989]: so only their lists are looked at.
#include "shapes/hull.h"

#include <float.h>
#include <stdlib.h>

// Roundings of the largest coordinate below which a distance says nothing.
#define ROUNDINGS 256.0
// What a triangle keeps as possibly outside lies above it by this part of the tolerance: more than
// the rounding of a point in its plane.
#define NEAR 0.25
// A hull thinner than this part of its size is treated as flat.
#define FLAT 1e-7

// ------------------------------------------------------------------------------------------------
// Triangles

static double height(const hf_hull_triangle *t, hf_vec3 p)
{
    return hf_v3_dot(t->normal, p) - t->offset;
}

static void set_plane(const hf_hull *hull, hf_hull_triangle *t)
{
    hf_vec3 a = hull->points[t->corner[0]], b = hull->points[t->corner[1]],
            c = hull->points[t->corner[2]];
    hf_vec3 n = hf_v3_cross(hf_v3_sub(b, a), hf_v3_sub(c, a));
    double length = hf_v3_norm(n);
    t->normal = length > 0.0 ? hf_v3_scale(1.0 / length, n) : hf_v3(0.0, 0.0, 0.0);
    // the mean of three offsets, each of which is rounded
    t->offset = (hf_v3_dot(t->normal, a) + hf_v3_dot(t->normal, b) + hf_v3_dot(t->normal, c)) / 3.0;
}

static bool grow(hf_hull *hull)
{
    if (hull->count < hull->capacity) {
        return true;
    }
    int capacity = hull->capacity == 0 ? 64 : 2 * hull->capacity;
    hf_hull_triangle *moved = realloc(hull->triangles, (size_t)capacity * sizeof *hull->triangles);
    if (moved == NULL) {
        return false;
    }
    hull->triangles = moved;
    int *stack = realloc(hull->stack, (size_t)capacity * sizeof *stack);
    if (stack == NULL) {
        return false;
    }
    hull->stack = stack;
    int *edges = realloc(hull->edges, (size_t)capacity * 6 * sizeof *edges);
    if (edges == NULL) {
        return false;
    }
    hull->edges = edges;
    hull->capacity = capacity;
    return true;
}

static int add_triangle(hf_hull *hull, int a, int b, int c)
{
    hf_hull_triangle *t = &hull->triangles[hull->count];
    *t = (hf_hull_triangle){.corner = {a, b, c}, .beside = {-1, -1, -1}, .mark = -1};
    set_plane(hull, t);
    return hull->count++;
}

static void join(hf_hull *hull, int a, int edge_a, int b, int edge_b)
{
    hull->triangles[a].beside[edge_a] = b;
    hull->triangles[b].beside[edge_b] = a;
}

// ------------------------------------------------------------------------------------------------
// The first tetrahedron

static int farthest_from_point(const hf_hull *hull, hf_vec3 from)
{
    int best = 0;
    double most = -1.0;
    for (int i = 0; i < hull->point_count; ++i) {
        hf_vec3 d = hf_v3_sub(hull->points[i], from);
        double far = hf_v3_dot(d, d);
        if (far > most) {
            most = far;
            best = i;
        }
    }
    return best;
}

static int farthest_from_line(const hf_hull *hull, int a, int b)
{
    hf_vec3 along = hf_v3_sub(hull->points[b], hull->points[a]);
    int best = -1;
    double most = 0.0;
    for (int i = 0; i < hull->point_count; ++i) {
        hf_vec3 c = hf_v3_cross(along, hf_v3_sub(hull->points[i], hull->points[a]));
        double far = hf_v3_dot(c, c);
        if (far > most) {
            most = far;
            best = i;
        }
    }
    return best;
}

static int farthest_from_plane(const hf_hull *hull, const hf_hull_triangle *plane)
{
    int best = -1;
    double most = 0.0;
    for (int i = 0; i < hull->point_count; ++i) {
        double far = fabs(height(plane, hull->points[i]));
        if (far > most) {
            most = far;
            best = i;
        }
    }
    return best;
}

static hf_hull_fault first_tetrahedron(hf_hull *hull, double size)
{
    // Four points far from each other
    int a = farthest_from_point(hull, hull->points[0]);
    int b = farthest_from_point(hull, hull->points[a]);
    int c = farthest_from_line(hull, a, b);
    if (c < 0 || a == b) {
        return HF_HULL_FLAT;
    }
    // Not in a plane, and such that d lies below it
    hf_hull_triangle plane = {.corner = {a, b, c}};
    set_plane(hull, &plane);
    int d = farthest_from_plane(hull, &plane);
    if (d < 0 || !(fabs(height(&plane, hull->points[d])) > FLAT * size)) {
        return HF_HULL_FLAT;
    }
    if (height(&plane, hull->points[d]) > 0.0) {
        int other = b;
        b = c;
        c = other;
    }
    if (!grow(hull)) {
        return HF_HULL_MEMORY;
    }
    // d is below abc: seen from d the base is clockwise
    int base = add_triangle(hull, a, b, c);
    int ab = add_triangle(hull, b, a, d), bc = add_triangle(hull, c, b, d),
        ca = add_triangle(hull, a, c, d);
    join(hull, base, 0, ab, 0);
    join(hull, base, 1, bc, 0);
    join(hull, base, 2, ca, 0);
    join(hull, ab, 1, ca, 2);
    join(hull, bc, 1, ab, 2);
    join(hull, ca, 1, bc, 2);
    hull->vertices = 4;
    return HF_HULL_OK;
}

// ------------------------------------------------------------------------------------------------
// Growth

// Marks all triangles that the point sees, from `start`, and lists the edges of those that stay
// around them. Returns how many edges; *dead: how many triangles, on the stack.
static int find_horizon(hf_hull *hull, int start, int point, int *dead)
{
    hf_vec3 p = hull->points[point];
    int seen = 0, depth = 0;
    hull->stack[depth++] = start;
    hull->triangles[start].mark = point;
    // what is seen
    for (int i = 0; i < depth; ++i) {
        hf_hull_triangle *t = &hull->triangles[hull->stack[i]];
        t->dead = true;
        for (int k = 0; k < 3; ++k) {
            hf_hull_triangle *next = &hull->triangles[t->beside[k]];
            if (next->mark != point && height(next, p) > 0.0) {
                next->mark = point;
                hull->stack[depth++] = t->beside[k];
            }
        }
    }
    // the edges between what is seen and what stays
    for (int i = 0; i < depth; ++i) {
        const hf_hull_triangle *t = &hull->triangles[hull->stack[i]];
        for (int k = 0; k < 3; ++k) {
            int other = t->beside[k];
            if (hull->triangles[other].mark == point) {
                continue;
            }
            int edge = 0;
            while (hull->triangles[other].beside[edge] != hull->stack[i] ||
                   hull->triangles[other].corner[edge] != t->corner[(k + 1) % 3]) {
                ++edge;
            }
            hull->edges[3 * seen] = other;
            hull->edges[3 * seen + 1] = edge;
            hull->edges[3 * seen + 2] = hull->stack[i];
            ++seen;
        }
    }
    *dead = depth;
    return seen;
}

// The points near or above a new triangle, of those of the two that met at its edge, in order.
static bool find_near(hf_hull *hull, int added, const hf_hull_triangle *a,
                      const hf_hull_triangle *b)
{
    hf_hull_triangle *t = &hull->triangles[added];
    int i = 0, j = 0, room = a->near_count + b->near_count;
    t->near = room == 0 ? NULL : malloc((size_t)room * sizeof *t->near);
    if (room > 0 && t->near == NULL) {
        return false;
    }
    while (i < a->near_count || j < b->near_count) {
        bool first = j == b->near_count || (i < a->near_count && a->near[i] <= b->near[j]);
        int point = first ? a->near[i] : b->near[j];
        i += i < a->near_count && a->near[i] == point ? 1 : 0;
        j += j < b->near_count && b->near[j] == point ? 1 : 0;
        if (height(t, hull->points[point]) > NEAR * hull->tolerance) {
            t->near[t->near_count++] = point;
        }
    }
    if (t->near_count < room && t->near_count > 0) {
        int *less = realloc(t->near, (size_t)t->near_count * sizeof *t->near);
        t->near = less == NULL ? t->near : less;
    }
    return true;
}

// The same for a triangle of the first tetrahedron, of all points.
static bool find_all_near(hf_hull *hull, hf_hull_triangle *t)
{
    t->near = malloc((size_t)hull->point_count * sizeof *t->near);
    for (int i = 0; t->near != NULL && i < hull->point_count; ++i) {
        if (height(t, hull->points[i]) > NEAR * hull->tolerance) {
            t->near[t->near_count++] = i;
        }
    }
    return t->near != NULL;
}

// A cone from the horizon's edges to the point.
static hf_hull_fault add_cone(hf_hull *hull, int point, int edges)
{
    int first = hull->count;
    // A triangle from each edge to the point; it inherits the points that its neighbours had
    // outside
    for (int i = 0; i < edges; ++i) {
        if (!grow(hull)) {
            return HF_HULL_MEMORY;
        }
        int other = hull->edges[3 * i], edge = hull->edges[3 * i + 1];
        int from = hull->triangles[other].corner[edge],
            to = hull->triangles[other].corner[(edge + 1) % 3];
        int added = add_triangle(hull, to, from, point);
        join(hull, added, 0, other, edge);
        if (!find_near(hull, added, &hull->triangles[other],
                       &hull->triangles[hull->edges[3 * i + 2]])) {
            return HF_HULL_MEMORY;
        }
    }
    // the sides of the cone: `from` of one is `to` of the next
    for (int i = first; i < hull->count; ++i) {
        for (int j = first; j < hull->count; ++j) {
            if (hull->triangles[j].corner[0] == hull->triangles[i].corner[1]) {
                join(hull, i, 1, j, 2);
                break;
            }
        }
    }
    for (int i = first; i < hull->count; ++i) {
        if (hull->triangles[i].beside[1] < 0 || hull->triangles[i].beside[2] < 0) {
            return HF_HULL_ROUNDING; // the horizon is no single loop
        }
    }
    return HF_HULL_OK;
}

// The point farthest outside a triangle, or -1.
static int farthest_outside(const hf_hull *hull, const hf_hull_triangle *t)
{
    int best = -1;
    double most = hull->tolerance;
    for (int i = 0; i < t->near_count; ++i) {
        double far = height(t, hull->points[t->near[i]]);
        if (far > most) {
            most = far;
            best = t->near[i];
        }
    }
    return best;
}

static void free_near(hf_hull_triangle *t)
{
    free(t->near);
    t->near = NULL;
    t->near_count = 0;
}

hf_hull_fault hf_hull_triangulate(hf_hull *hull)
{
    // Sizes, and what rounding makes of them
    hf_vec3 least = hull->points[0], most = least;
    for (int i = 0; i < hull->point_count; ++i) {
        hf_vec3 p = hull->points[i];
        least = hf_v3(fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z));
        most = hf_v3(fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z));
    }
    double size = hf_v3_norm(hf_v3_sub(most, least));
    double reach = fmax(hf_v3_norm(most), hf_v3_norm(least));
    hull->tolerance = ROUNDINGS * DBL_EPSILON * reach;
    // A tetrahedron, and which points each of its faces sees
    hf_hull_fault fault = first_tetrahedron(hull, size);
    for (int i = 0; fault == HF_HULL_OK && i < hull->count; ++i) {
        fault = find_all_near(hull, &hull->triangles[i]) ? HF_HULL_OK : HF_HULL_MEMORY;
    }
    // Until no face has a point outside: the farthest one becomes a corner
    for (int i = 0; fault == HF_HULL_OK && i < hull->count; ++i) {
        if (hull->triangles[i].dead) {
            continue;
        }
        int point = farthest_outside(hull, &hull->triangles[i]);
        if (point < 0) {
            continue;
        }
        int seen = 0, edges = find_horizon(hull, i, point, &seen);
        fault = ++hull->vertices > HF_HULL_VERTICES_MOST ? HF_HULL_VERTICES
                                                         : add_cone(hull, point, edges);
        for (int k = 0; k < seen; ++k) {
            free_near(&hull->triangles[hull->stack[k]]);
        }
    }
    return fault;
}

void hf_hull_free(hf_hull *hull)
{
    for (int i = 0; i < hull->count; ++i) {
        free_near(&hull->triangles[i]);
    }
    free(hull->triangles);
    free(hull->stack);
    free(hull->edges);
}
