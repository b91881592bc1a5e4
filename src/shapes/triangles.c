// SPDX-License-Identifier: Apache-2.0
// Surfaces of triangles: joins vertices, finds neighbours beyond edges, builds the tree of boxes.
#include "shapes/triangles.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

enum { MOST_TRIANGLES = 2000000, LEAF = 4 };

// A triangle with less area than this part of its longest edge squared has no normal.
#define NO_AREA 1e-9
// Two neighbours in one plane: sine of the angle between them.
#define ONE_PLANE 1e-6
// Vertices lie within this distance of the origin [m].
#define FARTHEST 1e9

// What is built, before it is put into one block.
typedef struct builder {
    hf_vec3 *vertices;
    int *number; // of each point: its vertex
    int vertex_count;
    hf_facet *facets;
    int facet_count;
    hf_facet_node *nodes;
    int node_count;
    int *first, *neighbours;
    int neighbour_count;
    bool closed;
} builder;

static void free_builder(builder *b)
{
    free(b->vertices);
    free(b->number);
    free(b->facets);
    free(b->nodes);
    free(b->first);
    free(b->neighbours);
}

// ------------------------------------------------------------------------------------------------
// Vertices: equal points are one

typedef struct numbered {
    hf_vec3 p;
    int index;
} numbered;

static int compare(const void *a, const void *b)
{
    const numbered *x = a, *y = b;
    const double p[3] = {x->p.x, x->p.y, x->p.z}, q[3] = {y->p.x, y->p.y, y->p.z};
    for (int k = 0; k < 3; ++k) {
        if (p[k] != q[k]) {
            return p[k] < q[k] ? -1 : 1;
        }
    }
    return x->index - y->index;
}

static bool weld(builder *b, const hf_vec3 *points, int count)
{
    numbered *all = malloc((size_t)count * sizeof *all);
    b->number = malloc((size_t)count * sizeof *b->number);
    b->vertices = malloc((size_t)count * sizeof *b->vertices);
    if (all == NULL || b->number == NULL || b->vertices == NULL) {
        free(all);
        return false;
    }
    for (int i = 0; i < count; ++i) {
        all[i] = (numbered){points[i], i};
    }
    qsort(all, (size_t)count, sizeof *all, compare);
    for (int i = 0; i < count; ++i) {
        hf_vec3 p = all[i].p, *last = &b->vertices[b->vertex_count - 1];
        if (i == 0 || p.x != last->x || p.y != last->y || p.z != last->z) {
            b->vertices[b->vertex_count++] = p;
        }
        b->number[all[i].index] = b->vertex_count - 1;
    }
    free(all);
    return true;
}

// Triangles with an area; those without one are left out: their neighbours meet across them only
// where they share its corners.
static void take_facets(builder *b, const int *corners, int count)
{
    for (int i = 0; i < count; ++i) {
        hf_facet f = {.beside = {-1, -1, -1}, .rim = {HF_RIM_FREE, HF_RIM_FREE, HF_RIM_FREE}};
        for (int k = 0; k < 3; ++k) {
            f.corner[k] = b->number[corners[3 * i + k]];
        }
        hf_vec3 o = b->vertices[f.corner[0]], u = hf_v3_sub(b->vertices[f.corner[1]], o),
                w = hf_v3_sub(b->vertices[f.corner[2]], o), n = hf_v3_cross(u, w);
        hf_vec3 third = hf_v3_sub(w, u);
        double area = hf_v3_norm(n);
        double longest = fmax(hf_v3_dot(u, u), fmax(hf_v3_dot(w, w), hf_v3_dot(third, third)));
        if (area > NO_AREA * longest) {
            f.normal = hf_v3_scale(1.0 / area, n);
            b->facets[b->facet_count++] = f;
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Edges

typedef struct half_edge {
    int low, high; // vertices
    int facet, edge;
} half_edge;

static int compare_edges(const void *a, const void *b)
{
    const half_edge *x = a, *y = b;
    if (x->low != y->low) {
        return x->low - y->low;
    }
    if (x->high != y->high) {
        return x->high - y->high;
    }
    return x->facet != y->facet ? x->facet - y->facet : x->edge - y->edge;
}

static hf_rim rim_of(const builder *b, const hf_facet *f, const hf_facet *g)
{
    hf_vec3 o = b->vertices[f->corner[0]];
    double above = -HUGE_VAL;
    for (int k = 0; k < 3; ++k) { // g's corner that is not on the edge
        hf_vec3 way = hf_v3_sub(b->vertices[g->corner[k]], o);
        bool shared = g->corner[k] == f->corner[0] || g->corner[k] == f->corner[1] ||
                      g->corner[k] == f->corner[2];
        above = shared ? above : hf_v3_dot(f->normal, way);
    }
    bool flat = hf_v3_norm(hf_v3_cross(f->normal, g->normal)) <= ONE_PLANE &&
                hf_v3_dot(f->normal, g->normal) > 0.0;
    return flat ? HF_RIM_FLAT : above > 0.0 ? HF_RIM_HOLLOW : HF_RIM_CONVEX;
}

// Joins triangles beyond edges: where two meet that go through it in opposite ways. Where more
// meet, none of them is a neighbour.
static bool join_edges(builder *b)
{
    size_t count = 3 * (size_t)b->facet_count;
    half_edge *edges = malloc((count + 1) * sizeof *edges);
    if (edges == NULL) {
        return false;
    }
    // Every edge from both of its triangles, sorted
    for (size_t i = 0; i < count; ++i) {
        const hf_facet *f = &b->facets[i / 3];
        int k = (int)(i % 3), from = f->corner[k], to = f->corner[(k + 1) % 3];
        edges[i] = (half_edge){from < to ? from : to, from < to ? to : from, (int)(i / 3), k};
    }
    qsort(edges, count, sizeof *edges, compare_edges);
    b->closed = b->facet_count > 0;
    // Two in opposite ways: neighbours
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1;
             next < count && edges[next].low == edges[i].low && edges[next].high == edges[i].high;
             ++next) {
        }
        hf_facet *f = &b->facets[edges[i].facet];
        hf_facet *g = next == i + 2 ? &b->facets[edges[i + 1].facet] : NULL;
        int k = edges[i].edge, m = g == NULL ? 0 : edges[i + 1].edge;
        if (g == NULL || f->corner[k] == g->corner[m]) {
            b->closed = false;
            continue;
        }
        f->beside[k] = edges[i + 1].facet;
        g->beside[m] = edges[i].facet;
        f->rim[k] = g->rim[m] = rim_of(b, f, g);
    }
    free(edges);
    return true;
}

static int compare_ints(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// Neighbours of every vertex, each once.
static bool list_neighbours(builder *b)
{
    b->first = calloc((size_t)b->vertex_count + 2, sizeof *b->first);
    b->neighbours = malloc((6 * (size_t)b->facet_count + 1) * sizeof *b->neighbours);
    int *at = calloc((size_t)b->vertex_count + 2, sizeof *at);
    if (b->first == NULL || b->neighbours == NULL || at == NULL) {
        free(at);
        return false;
    }
    // Room: two for each corner of a facet
    for (int i = 0; i < b->facet_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            at[b->facets[i].corner[k] + 1] += 2;
        }
    }
    for (int v = 0; v < b->vertex_count; ++v) {
        at[v + 1] += at[v];
        b->first[v] = at[v];
    }
    b->first[b->vertex_count] = at[b->vertex_count];
    // The other two corners of each facet
    for (int i = 0; i < b->facet_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            int v = b->facets[i].corner[k];
            b->neighbours[at[v]++] = b->facets[i].corner[(k + 1) % 3];
            b->neighbours[at[v]++] = b->facets[i].corner[(k + 2) % 3];
        }
    }
    // Each once
    int kept = 0;
    for (int v = 0, begin = 0; v < b->vertex_count; ++v) {
        int end = b->first[v + 1], count = end - begin;
        qsort(b->neighbours + begin, (size_t)count, sizeof *b->neighbours, compare_ints);
        b->first[v] = kept;
        for (int i = begin; i < end; ++i) {
            if (i == begin || b->neighbours[i] != b->neighbours[i - 1]) {
                at[0] = b->neighbours[i]; // kept <= i: what is compared next is still there
                b->neighbours[kept++] = at[0];
            }
        }
        begin = end;
    }
    b->first[b->vertex_count] = kept;
    b->neighbour_count = kept;
    free(at);
    return true;
}

// ------------------------------------------------------------------------------------------------
// The tree of boxes

static void grow(hf_facet_node *node, hf_vec3 p)
{
    node->least =
        hf_v3(fmin(node->least.x, p.x), fmin(node->least.y, p.y), fmin(node->least.z, p.z));
    node->most = hf_v3(fmax(node->most.x, p.x), fmax(node->most.y, p.y), fmax(node->most.z, p.z));
}

static hf_facet_node box_of(const builder *b, int first, int count)
{
    hf_facet_node node = {.least = {HUGE_VAL, HUGE_VAL, HUGE_VAL},
                          .most = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL},
                          .first = first,
                          .count = count};
    for (int i = first; i < first + count; ++i) {
        for (int k = 0; k < 3; ++k) {
            grow(&node, b->vertices[b->facets[i].corner[k]]);
        }
    }
    return node;
}

static double middle_along(const builder *b, const hf_facet *f, int axis)
{
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        const hf_vec3 *p = &b->vertices[f->corner[k]];
        sum += axis == 0 ? p->x : axis == 1 ? p->y : p->z;
    }
    return sum;
}

// Puts the triangles of a node into two halves by their middles along its longest axis: those of
// the lower half first. Quickselect; equal middles keep no order, but the same input gives the
// same.
static void halve(const builder *b, int first, int count, int axis)
{
    int low = first, high = first + count - 1, half = first + count / 2;
    while (low < high) {
        double pivot = middle_along(b, &b->facets[low + (high - low) / 2], axis);
        int i = low, k = high;
        while (i <= k) {
            while (middle_along(b, &b->facets[i], axis) < pivot) {
                ++i;
            }
            while (middle_along(b, &b->facets[k], axis) > pivot) {
                --k;
            }
            if (i <= k) {
                hf_facet swapped = b->facets[i];
                b->facets[i++] = b->facets[k];
                b->facets[k--] = swapped;
            }
        }
        if (half <= k) {
            high = k;
        } else if (half >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static bool build_tree(builder *b)
{
    b->nodes = malloc((2 * (size_t)b->facet_count + 1) * sizeof *b->nodes);
    if (b->nodes == NULL) {
        return false;
    }
    b->nodes[b->node_count++] = box_of(b, 0, b->facet_count);
    for (int n = 0; n < b->node_count; ++n) {
        hf_facet_node *node = &b->nodes[n];
        if (node->count <= LEAF) {
            continue;
        }
        int first = node->first, count = node->count;
        hf_vec3 size = hf_v3_sub(node->most, node->least);
        int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        halve(b, first, count, axis);
        node->first = b->node_count;
        node->count = 0;
        b->nodes[b->node_count++] = box_of(b, first, count / 2);
        b->nodes[b->node_count++] = box_of(b, first + count / 2, count - count / 2);
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// The block

// Tetrahedra from the middle of the box to the triangles, as in mesh.c.
static void integrate(hf_triangles *t, const builder *b)
{
    hf_vec3 inside = hf_v3_scale(0.5, hf_v3_add(t->least, t->most)), first = {0};
    double volume = 0.0;
    hf_sym3 second = {0};
    // Volume, first and second moments of all tetrahedra
    for (int f = 0; f < b->facet_count; ++f) {
        hf_vec3 p[3], sum = {0};
        for (int k = 0; k < 3; ++k) {
            p[k] = hf_v3_sub(b->vertices[b->facets[f].corner[k]], inside);
            sum = hf_v3_add(sum, p[k]);
        }
        double v = hf_v3_dot(p[0], hf_v3_cross(p[1], p[2])) / 6.0;
        volume += v;
        first = hf_v3_axpy(first, 0.25 * v, sum);
        const hf_vec3 parts[4] = {sum, p[0], p[1], p[2]};
        for (int k = 0; k < 4; ++k) {
            hf_vec3 s = hf_v3_scale(0.05 * v, parts[k]), q = parts[k];
            second = (hf_sym3){second.xx + s.x * q.x, second.yy + s.y * q.y, second.zz + s.z * q.z,
                               second.xy + s.x * q.y, second.xz + s.x * q.z, second.yz + s.y * q.z};
        }
    }
    // Of an open surface they mean nothing
    t->closed = b->closed && volume > 0.0;
    if (!t->closed) {
        return;
    }
    // About the center of mass
    hf_vec3 c = hf_v3_scale(1.0 / volume, first);
    double s = 1.0 / volume;
    hf_sym3 m = {s * second.xx - c.x * c.x, s * second.yy - c.y * c.y, s * second.zz - c.z * c.z,
                 s * second.xy - c.x * c.y, s * second.xz - c.x * c.z, s * second.yz - c.y * c.z};
    t->volume = volume;
    t->center = hf_v3_add(inside, c);
    t->inertia = (hf_sym3){m.yy + m.zz, m.xx + m.zz, m.xx + m.yy, -m.xy, -m.xz, -m.yz};
}

static void *place(hf_triangles *t, size_t *offset, size_t bytes)
{
    const size_t align = _Alignof(max_align_t);
    *offset = t->bytes;
    t->bytes += (bytes + align - 1) / align * align;
    return (char *)t + *offset;
}

static hf_triangles *make_block(const builder *b)
{
    // How large it is
    size_t vertices = (size_t)b->vertex_count * sizeof *b->vertices;
    size_t facets = (size_t)b->facet_count * sizeof *b->facets;
    size_t nodes = (size_t)b->node_count * sizeof *b->nodes;
    size_t first = ((size_t)b->vertex_count + 1) * sizeof *b->first;
    size_t neighbours = (size_t)b->neighbour_count * sizeof *b->neighbours;
    size_t room = sizeof(hf_triangles) + vertices + facets + nodes + first + neighbours;
    hf_triangles *t = calloc(1, room + 8 * _Alignof(max_align_t));
    if (t == NULL) {
        return NULL;
    }
    // Arrays, one behind the other
    size_t head;
    (void)place(t, &head, sizeof *t);
    memcpy(place(t, &t->vertices, vertices), b->vertices, vertices);
    memcpy(place(t, &t->facets, facets), b->facets, facets);
    memcpy(place(t, &t->nodes, nodes), b->nodes, nodes);
    memcpy(place(t, &t->first_neighbours, first), b->first, first);
    memcpy(place(t, &t->neighbours, neighbours), b->neighbours, neighbours);
    // Counts, extent and moments
    t->vertex_count = b->vertex_count;
    t->facet_count = b->facet_count;
    t->node_count = b->node_count;
    t->neighbour_count = b->neighbour_count;
    t->least = b->nodes[0].least;
    t->most = b->nodes[0].most;
    for (int i = 0; i < b->vertex_count; ++i) {
        t->radius = fmax(t->radius, hf_v3_norm(b->vertices[i]));
    }
    integrate(t, b);
    return t;
}

// ------------------------------------------------------------------------------------------------

static hf_status check_input(const hf_vec3 *points, int count, const int *corners, int triangles,
                             hf_error *error)
{
    if (points == NULL || corners == NULL || count < 3 || triangles < 1 ||
        triangles > MOST_TRIANGLES) {
        return hf_error_set(error, HF_ERROR_INPUT,
                            "a surface has 1 to %d triangles, got %d of %d vertices",
                            MOST_TRIANGLES, triangles, count);
    }
    for (int i = 0; i < count; ++i) {
        if (!isfinite(points[i].x) || !isfinite(points[i].y) || !isfinite(points[i].z) ||
            hf_v3_norm(points[i]) > FARTHEST) {
            return hf_error_set(error, HF_ERROR_RANGE,
                                "the vertices must be finite numbers, at most 1e9 m away");
        }
    }
    for (long long i = 0; i < 3LL * triangles; ++i) {
        if (corners[i] < 0 || corners[i] >= count) {
            return hf_error_set(error, HF_ERROR_INPUT, "a triangle names vertex %d of %d",
                                corners[i], count);
        }
    }
    return HF_OK;
}

hf_triangles *hf_triangles_create(const hf_vec3 *points, int count, const int *corners,
                                  int triangles, hf_error *error)
{
    builder b = {0};
    hf_triangles *made = NULL;
    if (check_input(points, count, corners, triangles, error) < 0) {
        return NULL;
    }
    b.facets = malloc((size_t)triangles * sizeof *b.facets);
    bool room = b.facets != NULL && weld(&b, points, count);
    if (room) {
        take_facets(&b, corners, triangles);
        if (b.facet_count == 0) {
            (void)hf_error_set(error, HF_ERROR_INPUT, "no triangle has an area");
            free_builder(&b);
            return NULL;
        }
        // The tree puts triangles into another order: edges are joined afterwards.
        room = build_tree(&b) && join_edges(&b) && list_neighbours(&b);
    }
    made = room ? make_block(&b) : NULL;
    free_builder(&b);
    if (made == NULL) {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    return made;
}

hf_triangles *hf_triangles_from_heights(const double *heights, int columns, int rows, hf_vec3 size,
                                        hf_error *error)
{
    // Sizes that can be multiplied
    bool sized = columns >= 2 && rows >= 2 && columns <= 2000 && rows <= 2000 && size.x > 0.0 &&
                 size.y > 0.0;
    if (!sized) {
        (void)hf_error_set(error, HF_ERROR_RANGE,
                           "a height field has 2 to 2000 columns and rows, and a positive size");
        return NULL;
    }
    // Points on a grid
    int count = columns * rows, triangles = 2 * (columns - 1) * (rows - 1), used = 0;
    hf_vec3 *points = malloc((size_t)count * sizeof *points);
    int *corners = malloc(3 * (size_t)triangles * sizeof *corners);
    hf_triangles *made = NULL;
    for (int i = 0; points != NULL && i < count; ++i) {
        int x = i % columns, y = i / columns;
        points[i] = hf_v3(size.x * ((double)x / (columns - 1) - 0.5),
                          size.y * ((double)y / (rows - 1) - 0.5), heights[i]);
    }
    // Two triangles in each cell
    for (int y = 0; corners != NULL && y + 1 < rows; ++y) {
        for (int x = 0; x + 1 < columns; ++x, used += 6) {
            int o = y * columns + x;
            const int both[6] = {o, o + 1, o + columns + 1, o, o + columns + 1, o + columns};
            memcpy(corners + used, both, sizeof both);
        }
    }
    // The surface
    if (points != NULL && corners != NULL) {
        made = hf_triangles_create(points, count, corners, triangles, error);
    } else {
        (void)hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
    }
    free(points);
    free(corners);
    return made;
}

void hf_triangles_destroy(hf_triangles *triangles)
{
    free(triangles);
}

hf_triangles_info hf_triangles_get_info(const hf_triangles *t)
{
    return (hf_triangles_info){.vertices = t->vertex_count,
                               .triangles = t->facet_count,
                               .closed = t->closed,
                               .volume = t->volume,
                               .center = t->center,
                               .least = t->least,
                               .most = t->most};
}

hf_vec3 hf_triangles_vertex(const hf_triangles *t, int vertex)
{
    HF_ASSERT(vertex >= 0 && vertex < t->vertex_count);
    return hf_triangles_vertices(t)[vertex];
}

void hf_triangles_corners(const hf_triangles *t, int triangle, int corners[3])
{
    HF_ASSERT(triangle >= 0 && triangle < t->facet_count);
    memcpy(corners, hf_triangles_facets(t)[triangle].corner, 3 * sizeof *corners);
}
