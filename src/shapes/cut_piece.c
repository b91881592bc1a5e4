// SPDX-License-Identifier: Apache-2.0
// Cutting a convex cell, with the polygons of a surface in it, by a plane.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shapes/cut_piece.h"

void hf_cut_piece_free(hf_cut_piece *piece)
{
    free(piece->corners);
    free(piece->polygons);
    *piece = (hf_cut_piece){0};
}

// Room for `more` items of `size` bytes behind `count`; NULL: out of memory, `items` stay.
static void *grown(void *items, int count, int more, int *room, size_t size)
{
    if (count + more <= *room) {
        return items;
    }
    int wanted = 2 * (count + more) + 16;
    void *larger = realloc(items, (size_t)wanted * size);
    *room = larger == NULL ? *room : wanted;
    return larger;
}

bool hf_cut_add(hf_cut_piece *piece, const hf_vec3 *corners, int count, hf_cut_plane plane,
                bool wall)
{
    hf_vec3 *at = grown(piece->corners, piece->corner_count, count, &piece->corner_room,
                        sizeof *piece->corners);
    piece->corners = at == NULL ? piece->corners : at;
    hf_cut_polygon *polygons = grown(piece->polygons, piece->polygon_count, 1, &piece->polygon_room,
                                     sizeof *piece->polygons);
    piece->polygons = polygons == NULL ? piece->polygons : polygons;
    if (at == NULL || polygons == NULL) {
        return false;
    }
    memcpy(at + piece->corner_count, corners, (size_t)count * sizeof *corners);
    polygons[piece->polygon_count++] = (hf_cut_polygon){plane, piece->corner_count, count, wall};
    piece->corner_count += count;
    return true;
}

bool hf_cut_add_box(hf_cut_piece *piece, hf_vec3 least, hf_vec3 most)
{
    const double ends[2][3] = {{least.x, least.y, least.z}, {most.x, most.y, most.z}};
    bool good = true;
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 2; ++side) {
            double n[3] = {0.0, 0.0, 0.0};
            hf_vec3 corners[4];
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            n[axis] = side == 0 ? -1.0 : 1.0;
            for (int k = 0; k < 4; ++k) { // (0, 0), (1, 0), (1, 1), (0, 1)
                double p[3];
                p[axis] = ends[side][axis];
                p[u] = ends[k == 1 || k == 2][u];
                p[v] = ends[k >= 2][v];
                corners[k] = hf_v3(p[0], p[1], p[2]);
            }
            hf_cut_plane plane = {hf_v3(n[0], n[1], n[2]), n[axis] * ends[side][axis]};
            good = good && hf_cut_add(piece, corners, 4, plane, true);
        }
    }
    return good;
}

// ------------------------------------------------------------------------------------------------
// Polygons

// Most corners of a polygon that is cut: each cut adds one to those of a convex polygon.
enum { MOST_CORNERS = 256 };

static double height(const hf_cut_plane *plane, hf_vec3 p)
{
    return hf_v3_dot(plane->normal, p) - plane->offset;
}

// The part of a polygon on one side (1: before the plane, -1: behind it). Returns its corners.
static int clip(const hf_vec3 *corners, int count, const hf_cut_plane *plane, double near,
                double side, hf_vec3 *out)
{
    int used = 0;
    for (int i = 0; i < count && used + 2 <= MOST_CORNERS; ++i) {
        hf_vec3 p = corners[i], q = corners[(i + 1) % count];
        double a = side * height(plane, p), b = side * height(plane, q);
        if (a >= -near) {
            out[used++] = p;
        }
        if ((a > near && b < -near) || (a < -near && b > near)) {
            out[used++] = hf_v3_axpy(p, a / (a - b), hf_v3_sub(q, p));
        }
    }
    return used;
}

// Corners that lie on the plane, of walls: those of the cut.
typedef struct rim {
    hf_vec3 at[MOST_CORNERS];
    int count;
} rim;

static void add_rim(rim *r, const hf_vec3 *corners, int count, const hf_cut_plane *plane,
                    double near)
{
    for (int i = 0; i < count; ++i) {
        bool known = fabs(height(plane, corners[i])) > near;
        for (int k = 0; k < r->count && !known; ++k) {
            known = hf_v3_norm(hf_v3_sub(r->at[k], corners[i])) <= near;
        }
        if (!known && r->count < MOST_CORNERS) {
            r->at[r->count++] = corners[i];
        }
    }
}

// Around their middle, counter-clockwise about the normal.
static void sort_rim(rim *r, hf_vec3 normal)
{
    hf_vec3 middle = {0};
    double angles[MOST_CORNERS];
    for (int i = 0; i < r->count; ++i) {
        middle = hf_v3_axpy(middle, 1.0 / r->count, r->at[i]);
    }
    hf_vec3 x = hf_v3_sub(r->at[0], middle), y = hf_v3_cross(normal, x);
    for (int i = 0; i < r->count; ++i) {
        hf_vec3 d = hf_v3_sub(r->at[i], middle);
        angles[i] = atan2(hf_v3_dot(d, y), hf_v3_dot(d, x));
    }
    for (int i = 1; i < r->count; ++i) { // few
        hf_vec3 p = r->at[i];
        double angle = angles[i];
        int k = i;
        for (; k > 0 && angles[k - 1] > angle; --k) {
            r->at[k] = r->at[k - 1];
            angles[k] = angles[k - 1];
        }
        r->at[k] = p;
        angles[k] = angle;
    }
}

// ------------------------------------------------------------------------------------------------
// Cells

static bool cut_polygon(const hf_cut_piece *piece, const hf_cut_polygon *polygon,
                        hf_cut_plane plane, double near, hf_cut_piece *sides[2], rim *r)
{
    const hf_vec3 *corners = piece->corners + polygon->first;
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (int i = 0; i < polygon->count; ++i) {
        double h = height(&plane, corners[i]);
        low = fmin(low, h);
        high = fmax(high, h);
    }
    // On one side, or on the plane: there it belongs to what lies behind its own normal
    bool on = low >= -near && high <= near;
    bool before = on ? hf_v3_dot(polygon->plane.normal, plane.normal) < 0.0 : low >= -near;
    if (polygon->wall && !on) {
        add_rim(r, corners, polygon->count, &plane, near);
    }
    if (on || low >= -near || high <= near) {
        return hf_cut_add(sides[before ? 0 : 1], corners, polygon->count, polygon->plane,
                          polygon->wall);
    }
    // On both
    bool good = true;
    for (int k = 0; k < 2; ++k) {
        hf_vec3 part[MOST_CORNERS];
        int count = clip(corners, polygon->count, &plane, near, k == 0 ? 1.0 : -1.0, part);
        if (polygon->wall) {
            add_rim(r, part, count, &plane, near);
        }
        good =
            good && (count < 3 || hf_cut_add(sides[k], part, count, polygon->plane, polygon->wall));
    }
    return good;
}

bool hf_cut_in_two(const hf_cut_piece *piece, hf_cut_plane plane, double near, hf_cut_piece *front,
                   hf_cut_piece *back)
{
    hf_cut_piece *sides[2] = {front, back};
    rim r = {.count = 0};
    bool good = true;
    *front = *back = (hf_cut_piece){0};
    // Every polygon
    for (int i = 0; i < piece->polygon_count && good; ++i) {
        good = cut_polygon(piece, &piece->polygons[i], plane, near, sides, &r);
    }
    // and the wall between
    if (good && r.count >= 3) {
        hf_cut_plane away = {hf_v3_scale(-1.0, plane.normal), -plane.offset};
        sort_rim(&r, plane.normal);
        good = hf_cut_add(back, r.at, r.count, plane, true);
        for (int i = 0; i < r.count / 2; ++i) {
            hf_vec3 kept = r.at[i];
            r.at[i] = r.at[r.count - 1 - i];
            r.at[r.count - 1 - i] = kept;
        }
        good = good && hf_cut_add(front, r.at, r.count, away, true);
    }
    if (!good || r.count < 3) {
        hf_cut_piece_free(front);
        hf_cut_piece_free(back);
    }
    return good;
}
