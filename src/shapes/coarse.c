// SPDX-License-Identifier: Apache-2.0
// Makes meshes with fewer triangles, for pictures: vertices of one cell of a grid become one, which
// lies where the planes of the triangles around them meet best [Lindstrom2000],
//
//   (A + e tr(A) E) (p - m) = sum n (d - n m),   A = sum n n'
//
// with the planes n x = d, n as long as the triangle is large, and the vertices' mean m. The small
// e keeps p near m along what no plane says. Means alone would dent edges and wrinkle faces.
#include "shapes/coarse.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"

// e above: how much of a cell's edge must be there for the edge to count.
static const double LEAST_EDGE = 1e-3;

// A vertex and the cell it lies in.
typedef struct cell {
    uint64_t key;
    int vertex;
} cell;

static int by_key(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1)
                            : (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

typedef struct box {
    hf_vec3 least;
    double edge; // the longest
} box;

static box box_of(const hf_soup *soup)
{
    hf_vec3 least = soup->points[0], most = least;
    for (size_t i = 1; i < soup->point_count; ++i) {
        hf_vec3 p = soup->points[i];
        least = (hf_vec3){fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z)};
        most = (hf_vec3){fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z)};
    }
    return (box){least, fmax(most.x - least.x, fmax(most.y - least.y, most.z - least.z))};
}

static uint64_t index_of(double x, double least, double edge, int cells)
{
    double k = floor((x - least) / edge * cells);
    return k < 0.0 ? 0 : k >= cells ? (uint64_t)cells - 1 : (uint64_t)k;
}

// Vertices by cells. joined: the cell's number of each vertex.
static void sort_cells(const hf_soup *soup, const box *around, int cells, cell *all, int *joined)
{
    for (size_t i = 0; i < soup->point_count; ++i) {
        hf_vec3 p = soup->points[i];
        uint64_t x = index_of(p.x, around->least.x, around->edge, cells),
                 y = index_of(p.y, around->least.y, around->edge, cells),
                 z = index_of(p.z, around->least.z, around->edge, cells);
        all[i] = (cell){(x << 40) | (y << 20) | z, (int)i};
    }
    qsort(all, soup->point_count, sizeof *all, by_key);
    size_t count = 0;
    for (size_t i = 0; i < soup->point_count; ++i) {
        count += i == 0 || all[i].key != all[i - 1].key ? 1 : 0;
        joined[all[i].vertex] = (int)count - 1;
    }
}

static bool stays(const int *joined, const int *corners)
{
    int a = joined[corners[0]], b = joined[corners[1]], c = joined[corners[2]];
    return a != b && b != c && c != a;
}

static size_t count_staying(const hf_soup *soup, const int *joined)
{
    size_t count = 0;
    for (size_t t = 0; t < soup->triangle_count; ++t) {
        count += stays(joined, soup->corners + 3 * t) ? 1 : 0;
    }
    return count;
}

// What the triangles around the vertices of a cell say.
typedef struct bowl {
    hf_vec3 mean;
    hf_sym3 planes; // A
    hf_vec3 pull;   // sum n (d - n m)
} bowl;

static void add_plane(bowl *b, hf_vec3 n, hf_vec3 on)
{
    double off = hf_v3_dot(n, hf_v3_sub(on, b->mean));
    b->planes.xx += n.x * n.x, b->planes.yy += n.y * n.y, b->planes.zz += n.z * n.z;
    b->planes.xy += n.x * n.y, b->planes.xz += n.x * n.z, b->planes.yz += n.y * n.z;
    b->pull = hf_v3_axpy(b->pull, off, n);
}

static void add_planes(const hf_soup *soup, const int *joined, bowl *bowls)
{
    for (size_t t = 0; t < soup->triangle_count; ++t) {
        const int *c = soup->corners + 3 * t;
        hf_vec3 a = soup->points[c[0]], b = soup->points[c[1]], d = soup->points[c[2]];
        hf_vec3 n = hf_v3_cross(hf_v3_sub(b, a), hf_v3_sub(d, a));
        int x = joined[c[0]], y = joined[c[1]], z = joined[c[2]];
        add_plane(&bowls[x], n, a);
        if (y != x) {
            add_plane(&bowls[y], n, a);
        }
        if (z != x && z != y) {
            add_plane(&bowls[z], n, a);
        }
    }
}

// Where the planes of a cell meet best; its vertices' mean where that is outside of the cell.
static hf_vec3 bottom(const bowl *b, double reach)
{
    hf_sym3 a = b->planes;
    double trace = a.xx + a.yy + a.zz, scale = trace > 0.0 ? 1.0 / trace : 0.0;
    a = (hf_sym3){a.xx * scale + LEAST_EDGE,
                  a.yy * scale + LEAST_EDGE,
                  a.zz * scale + LEAST_EDGE,
                  a.xy * scale,
                  a.xz * scale,
                  a.yz * scale};
    hf_sym3 inverse = hf_s3_inverse(&a);
    hf_vec3 step = hf_s3_mulv(&inverse, hf_v3_scale(scale, b->pull));
    return hf_v3_norm(step) <= reach ? hf_v3_add(b->mean, step) : b->mean;
}

static hf_vec3 mean_of(const hf_soup *soup, const cell *all, size_t first, size_t end)
{
    hf_vec3 sum = {0};
    for (size_t i = first; i < end; ++i) {
        sum = hf_v3_add(sum, soup->points[all[i].vertex]);
    }
    return hf_v3_scale(1.0 / (double)(end - first), sum);
}

// Every vertex of a cell to one, in few digits.
static void join(hf_soup *soup, const box *around, double cell_edge, const cell *all,
                 const int *joined)
{
    double digits = pow(10.0, 4.0 - floor(log10(around->edge)));
    size_t count = 0;
    hf_vec3 *points = malloc(soup->point_count * sizeof *points);
    bowl *bowls = calloc(soup->point_count, sizeof *bowls);
    if (points == NULL || bowls == NULL) {
        free(points);
        free(bowls);
        soup->triangle_count = 0;
        return;
    }
    // Cells
    for (size_t i = 0; i < soup->point_count;) {
        size_t first = i;
        while (i < soup->point_count && all[i].key == all[first].key) {
            ++i;
        }
        bowls[count++].mean = mean_of(soup, all, first, i);
    }
    add_planes(soup, joined, bowls);
    for (size_t i = 0; i < count; ++i) {
        hf_vec3 p = bottom(&bowls[i], cell_edge);
        points[i] = (hf_vec3){round(p.x * digits) / digits, round(p.y * digits) / digits,
                              round(p.z * digits) / digits};
    }
    free(bowls);
    memcpy(soup->points, points, count * sizeof *points);
    free(points);
    // Triangles of them
    size_t kept = 0;
    for (size_t t = 0; t < soup->triangle_count; ++t) {
        const int *c = soup->corners + 3 * t;
        if (stays(joined, c)) {
            int a = joined[c[0]], b = joined[c[1]], d = joined[c[2]];
            int *to = soup->corners + 3 * kept++;
            to[0] = a, to[1] = b, to[2] = d;
        }
    }
    soup->point_count = count;
    soup->triangle_count = kept;
}

bool hf_soup_coarsen(hf_soup *soup, size_t most)
{
    static const int grids[] = {16384, 256, 192, 128, 96, 64, 48, 32, 24, 16, 8, 4};
    if (soup->point_count == 0 || soup->triangle_count == 0) {
        return false;
    }
    box around = box_of(soup);
    cell *all = malloc(soup->point_count * sizeof *all);
    int *joined = malloc(soup->point_count * sizeof *joined);
    bool good = all != NULL && joined != NULL && around.edge > 0.0 && isfinite(around.edge);
    for (size_t g = 0; good && g < sizeof grids / sizeof *grids; ++g) {
        sort_cells(soup, &around, grids[g], all, joined);
        // What is at one place; then the first grid that leaves few enough
        if (g == 0 || count_staying(soup, joined) <= most) {
            join(soup, &around, around.edge / grids[g], all, joined);
        }
        if (soup->triangle_count <= most) {
            break;
        }
    }
    free(all);
    free(joined);
    return good && soup->triangle_count > 0 && soup->triangle_count <= most;
}
