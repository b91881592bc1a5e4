// SPDX-License-Identifier: Apache-2.0
// Makes meshes with fewer triangles, for pictures.
#include "shapes/coarse.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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

// Every vertex of a cell to their mean, in few digits.
static void join(hf_soup *soup, const box *around, const cell *all, const int *joined)
{
    double digits = pow(10.0, 4.0 - floor(log10(around->edge)));
    size_t count = 0;
    hf_vec3 *points = malloc(soup->point_count * sizeof *points);
    if (points == NULL) {
        soup->triangle_count = 0;
        return;
    }
    // Means of cells
    for (size_t i = 0; i < soup->point_count;) {
        hf_vec3 sum = {0};
        size_t first = i;
        for (; i < soup->point_count && all[i].key == all[first].key; ++i) {
            hf_vec3 p = soup->points[all[i].vertex];
            sum = (hf_vec3){sum.x + p.x, sum.y + p.y, sum.z + p.z};
        }
        double n = (double)(i - first);
        points[count++] =
            (hf_vec3){round(sum.x / n * digits) / digits, round(sum.y / n * digits) / digits,
                      round(sum.z / n * digits) / digits};
    }
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
        join(soup, &around, all, joined);
        if (soup->triangle_count <= most) {
            break;
        }
    }
    free(all);
    free(joined);
    return good && soup->triangle_count > 0 && soup->triangle_count <= most;
}
