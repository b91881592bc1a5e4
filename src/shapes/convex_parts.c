// SPDX-License-Identifier: Apache-2.0
// A closed surface, convex or not, as convex parts.
//
// Space is cut into convex cells by planes of the surface's own triangles, from the box around it
// on. In a cell the solid is convex where no point of it stands out over the plane of a triangle;
// by how much one does is the depth of the hollow in front of that triangle. Cells with a hollow
// deeper than the tolerance are cut along one of the planes over which something stands out: behind
// it that triangle has no hollow any more, so that this ends. What is made of flat faces is cut
// exactly; round hollows as far as the tolerance asks. Parts that are convex together are joined
// again.
//
// The points of a cell's part are the corners of the surface in it, which is clipped to the cell,
// and those corners of the cell that lie in the solid: by the winding number of the surface, the
// sum of the solid angles of its triangles by 4 pi [VanOosterom1983].
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "shapes/cut_piece.h"
#include "shapes/mesh.h"
#include "shapes/mesh_file.h"
#include "shapes/triangles.h"

// Corners nearer to a plane than this are on it, by the size of the surface: files have numbers in
// single precision.
static const double NEAR = 1e-6;
// Corners of cells are looked at from this much nearer to the cell's middle: on the surface they
// would be neither in nor out.
static const double INWARD = 1e-5;
// Parts of less than this share of the volume are rounding.
static const double SLIVER = 1e-7;
// Parts are joined where their hull has no more than this share of their volume beyond them.
static const double JOINED = 1e-6;
// Planes that are compared for one cut, and points that each is judged by.
enum { PLANES = 24, JUDGED = 400 };

typedef struct cutter {
    const hf_triangles *surface;
    double tolerance, near;
    hf_cut_piece *pieces; // that are not looked at yet
    int piece_count;
    hf_mesh **parts;
    int part_count, most;
    hf_error *error;
} cutter;

static bool out_of_memory(const cutter *c)
{
    (void)hf_error_set(c->error, HF_ERROR_MEMORY, "out of memory");
    return false;
}

// ------------------------------------------------------------------------------------------------
// Points of a part

// Solid angle of a triangle seen from p, by 2.
static double half_angle(hf_vec3 p, hf_vec3 a, hf_vec3 b, hf_vec3 c)
{
    hf_vec3 x = hf_v3_sub(a, p), y = hf_v3_sub(b, p), z = hf_v3_sub(c, p);
    double u = hf_v3_norm(x), v = hf_v3_norm(y), w = hf_v3_norm(z);
    return atan2(hf_v3_dot(x, hf_v3_cross(y, z)),
                 u * v * w + hf_v3_dot(x, y) * w + hf_v3_dot(y, z) * u + hf_v3_dot(z, x) * v);
}

static bool is_inside(const hf_triangles *t, hf_vec3 p)
{
    const double pi = 3.14159265358979323846;
    const hf_vec3 *v = hf_triangles_vertices(t);
    const hf_facet *facets = hf_triangles_facets(t);
    double sum = 0.0;
    for (int i = 0; i < t->facet_count; ++i) {
        const int *c = facets[i].corner;
        sum += half_angle(p, v[c[0]], v[c[1]], v[c[2]]);
    }
    return sum > pi; // of 2 pi
}

static hf_vec3 middle_of(const hf_cut_piece *piece)
{
    hf_vec3 sum = {0};
    int count = 0;
    for (int i = 0; i < piece->polygon_count; ++i) {
        const hf_cut_polygon *polygon = &piece->polygons[i];
        for (int k = 0; k < polygon->count && polygon->wall; ++k, ++count) {
            sum = hf_v3_add(sum, piece->corners[polygon->first + k]);
        }
    }
    return hf_v3_scale(1.0 / (count > 0 ? count : 1), sum);
}

// Into `points`, which has room for all corners. Returns how many.
static int collect(const cutter *c, const hf_cut_piece *piece, hf_vec3 *points)
{
    hf_vec3 middle = middle_of(piece);
    int count = 0;
    for (int i = 0; i < piece->polygon_count; ++i) {
        const hf_cut_polygon *polygon = &piece->polygons[i];
        for (int k = 0; k < polygon->count; ++k) {
            hf_vec3 p = piece->corners[polygon->first + k];
            if (polygon->wall &&
                !is_inside(c->surface, hf_v3_axpy(p, INWARD, hf_v3_sub(middle, p)))) {
                continue;
            }
            points[count++] = p;
        }
    }
    return count;
}

// The hull of what is in a cell; *mesh stays NULL where that has no volume.
static bool make_hull(const cutter *c, const hf_cut_piece *piece, hf_mesh **mesh)
{
    double moved;
    *mesh = NULL;
    hf_vec3 *points = malloc(((size_t)piece->corner_count + 1) * sizeof *points);
    if (points == NULL) {
        return out_of_memory(c);
    }
    int count = collect(c, piece, points);
    hf_hull_fault fault = hf_hull_make(points, count, true, mesh);
    bool good = fault == HF_HULL_OK || fault == HF_HULL_FLAT || fault == HF_HULL_FEW;
    if (!good) {
        *mesh = hf_mesh_create_from(points, (size_t)count, &moved, c->error);
        good = *mesh != NULL;
    }
    free(points);
    if (*mesh != NULL && (*mesh)->volume < SLIVER * c->surface->volume) {
        free(*mesh);
        *mesh = NULL;
    }
    return good;
}

// ------------------------------------------------------------------------------------------------
// Hollows

// How far the farthest of some points stands out over a plane. offset: of the points' origin.
static double depth_over(const hf_cut_plane *plane, const hf_vec3 *points, int count, int stride,
                         hf_vec3 origin)
{
    double most = -HUGE_VAL;
    for (int i = 0; i < count; i += stride) {
        most = fmax(most, hf_v3_dot(plane->normal, points[i]));
    }
    return most + hf_v3_dot(plane->normal, origin) - plane->offset;
}

typedef struct hollow {
    hf_cut_plane plane;
    double depth;
} hollow;

static bool same_plane(const cutter *c, const hf_cut_plane *a, const hf_cut_plane *b)
{
    return hf_v3_dot(a->normal, b->normal) > 1.0 - NEAR && fabs(a->offset - b->offset) <= c->near;
}

// The deepest hollows that have planes of their own, deepest first. Returns how many.
static int find_hollows(const cutter *c, const hf_cut_piece *piece, const hf_mesh *hull,
                        hollow *hollows)
{
    int count = 0;
    for (int i = 0; i < piece->polygon_count; ++i) {
        const hf_cut_polygon *polygon = &piece->polygons[i];
        hollow h = {polygon->plane, 0.0};
        if (!polygon->wall) {
            h.depth =
                depth_over(&h.plane, hf_mesh_vertices(hull), hull->vertex_count, 1, hull->center);
        }
        bool taken = h.depth > c->tolerance;
        for (int k = 0; k < count && taken; ++k) {
            taken = !same_plane(c, &h.plane, &hollows[k].plane);
        }
        if (!taken || (count == PLANES && h.depth <= hollows[count - 1].depth)) {
            continue;
        }
        count += count < PLANES;
        int k = count - 1;
        for (; k > 0 && hollows[k - 1].depth < h.depth; --k) {
            hollows[k] = hollows[k - 1];
        }
        hollows[k] = h;
    }
    return count;
}

static double area_of(const hf_cut_piece *piece, const hf_cut_polygon *polygon)
{
    const hf_vec3 *p = piece->corners + polygon->first;
    hf_vec3 sum = {0};
    for (int i = 2; i < polygon->count; ++i) {
        sum = hf_v3_add(sum, hf_v3_cross(hf_v3_sub(p[i - 1], p[0]), hf_v3_sub(p[i], p[0])));
    }
    return 0.5 * hf_v3_norm(sum);
}

// What is left of hollows in a cell: depths by areas. Corners of the surface stand for the part.
static double hollows_left(const cutter *c, const hf_cut_piece *piece, hf_vec3 *points)
{
    const hf_vec3 none = {0};
    double sum = 0.0;
    int count = 0;
    for (int i = 0; i < piece->polygon_count; ++i) {
        const hf_cut_polygon *polygon = &piece->polygons[i];
        for (int k = 0; k < polygon->count && !polygon->wall; ++k) {
            points[count++] = piece->corners[polygon->first + k];
        }
    }
    int stride = count / JUDGED + 1, faces = piece->polygon_count / JUDGED + 1;
    for (int i = 0; i < piece->polygon_count; i += faces) {
        const hf_cut_polygon *polygon = &piece->polygons[i];
        double depth =
            polygon->wall ? 0.0 : depth_over(&polygon->plane, points, count, stride, none);
        sum += depth > c->tolerance ? depth * area_of(piece, polygon) * faces : 0.0;
    }
    return sum;
}

// ------------------------------------------------------------------------------------------------
// Cuts

// The cut that leaves least of the hollows, into front and back.
static bool cut(const cutter *c, const hf_cut_piece *piece, const hollow *hollows, int count,
                hf_cut_piece *front, hf_cut_piece *back)
{
    double least = HUGE_VAL;
    // A cut adds two corners to each of the polygons, at most
    size_t room = (size_t)piece->corner_count + 4 * (size_t)piece->polygon_count + 1;
    hf_vec3 *points = malloc(room * sizeof *points);
    bool good = points != NULL || out_of_memory(c);
    *front = *back = (hf_cut_piece){0};
    for (int i = 0; i < count && good && least > 0.0; ++i) {
        hf_cut_piece sides[2];
        good = hf_cut_in_two(piece, hollows[i].plane, c->near, &sides[0], &sides[1]) ||
               out_of_memory(c);
        if (!good || sides[0].polygon_count == 0) {
            continue;
        }
        double left = hollows_left(c, &sides[0], points) + hollows_left(c, &sides[1], points);
        bool better = left < least;
        least = better ? left : least;
        hf_cut_piece_free(better ? front : &sides[0]);
        hf_cut_piece_free(better ? back : &sides[1]);
        *front = better ? sides[0] : *front;
        *back = better ? sides[1] : *back;
    }
    free(points);
    return good;
}

static bool too_many(const cutter *c)
{
    (void)hf_error_set(c->error, HF_ERROR_RANGE,
                       "more than %d convex parts at a tolerance of %g m: allow more, or simplify "
                       "it",
                       c->most, c->tolerance);
    return false;
}

// One piece: a part where it is convex, else two pieces.
static bool look_at(cutter *c, hf_cut_piece *piece)
{
    hollow hollows[PLANES];
    hf_mesh *hull;
    if (!make_hull(c, piece, &hull)) {
        return false;
    }
    if (hull == NULL) {
        return true;
    }
    int count = find_hollows(c, piece, hull, hollows);
    hf_cut_piece front = {0}, back = {0};
    bool good = count == 0 || cut(c, piece, hollows, count, &front, &back);
    if (good && front.polygon_count == 0) { // convex
        good = c->part_count < c->most || too_many(c);
        if (good) {
            c->parts[c->part_count++] = hull;
            return true;
        }
    } else if (good && c->piece_count + c->part_count + 2 > c->most) {
        hf_cut_piece_free(&front);
        hf_cut_piece_free(&back);
        good = too_many(c);
    } else if (good) {
        c->pieces[c->piece_count++] = front;
        c->pieces[c->piece_count++] = back;
    }
    free(hull);
    return good;
}

// ------------------------------------------------------------------------------------------------
// Joining parts that are convex together

static bool are_beside(const cutter *c, const hf_mesh *a, const hf_mesh *b)
{
    hf_vec3 low_a = hf_v3_add(a->least, a->center), high_a = hf_v3_add(a->most, a->center);
    hf_vec3 low_b = hf_v3_add(b->least, b->center), high_b = hf_v3_add(b->most, b->center);
    return low_a.x <= high_b.x + c->near && low_b.x <= high_a.x + c->near &&
           low_a.y <= high_b.y + c->near && low_b.y <= high_a.y + c->near &&
           low_a.z <= high_b.z + c->near && low_b.z <= high_a.z + c->near;
}

static hf_mesh *join(const hf_mesh *a, const hf_mesh *b)
{
    int count = a->vertex_count + b->vertex_count;
    hf_vec3 *points = malloc((size_t)count * sizeof *points);
    hf_mesh *both = NULL;
    for (int i = 0; i < count && points != NULL; ++i) {
        const hf_mesh *of = i < a->vertex_count ? a : b;
        int k = i < a->vertex_count ? i : i - a->vertex_count;
        points[i] = hf_v3_add(hf_mesh_vertices(of)[k], of->center);
    }
    if (points == NULL || hf_hull_make(points, count, true, &both) != HF_HULL_OK) {
        both = NULL; // they stay apart
    }
    free(points);
    return both;
}

static void join_parts(cutter *c)
{
    for (int i = 0; i < c->part_count; ++i) {
        for (int k = i + 1; k < c->part_count; ++k) {
            hf_mesh *a = c->parts[i], *b = c->parts[k];
            hf_mesh *both = are_beside(c, a, b) ? join(a, b) : NULL;
            if (both == NULL || both->volume > (1.0 + JOINED) * (a->volume + b->volume)) {
                free(both);
                continue;
            }
            free(a);
            free(b);
            c->parts[i] = both;
            c->parts[k] = c->parts[--c->part_count];
            k = i; // it may go with those before, too
        }
    }
}

// ------------------------------------------------------------------------------------------------

static bool begin(cutter *c)
{
    const hf_triangles *t = c->surface;
    const hf_vec3 *v = hf_triangles_vertices(t);
    const hf_facet *facets = hf_triangles_facets(t);
    hf_vec3 size = hf_v3_sub(t->most, t->least), apart = hf_v3_scale(0.02, size);
    c->near = NEAR * hf_v3_norm(size);
    c->tolerance = fmax(c->tolerance, 4.0 * c->near);
    hf_cut_piece *piece = &c->pieces[c->piece_count++];
    *piece = (hf_cut_piece){0};
    bool good = hf_cut_add_box(piece, hf_v3_sub(t->least, apart), hf_v3_add(t->most, apart));
    for (int i = 0; i < t->facet_count && good; ++i) {
        const int *k = facets[i].corner;
        const hf_vec3 corners[3] = {v[k[0]], v[k[1]], v[k[2]]};
        hf_cut_plane plane = {facets[i].normal, hf_v3_dot(facets[i].normal, corners[0])};
        good = hf_cut_add(piece, corners, 3, plane, false);
    }
    return good || out_of_memory(c);
}

int hf_triangles_cut(const hf_triangles *triangles, double tolerance, hf_mesh **parts, int most,
                     hf_error *error)
{
    cutter c = {
        .surface = triangles, .tolerance = tolerance, .parts = parts, .most = most, .error = error};
    // What can be cut
    if (!triangles->closed) {
        (void)hf_error_set(error, HF_ERROR_INPUT,
                           "its surface is not closed: convex parts fill a solid");
        return 0;
    }
    if (!(tolerance >= 0.0) || most < 1) {
        (void)hf_error_set(error, HF_ERROR_RANGE, "the tolerance must not be negative");
        return 0;
    }
    // Pieces, until all that are left are convex
    c.pieces = malloc(((size_t)most + 2) * sizeof *c.pieces);
    bool good = c.pieces == NULL ? out_of_memory(&c) : begin(&c);
    while (good && c.piece_count > 0) {
        hf_cut_piece piece = c.pieces[--c.piece_count];
        good = look_at(&c, &piece);
        hf_cut_piece_free(&piece);
    }
    if (good) {
        join_parts(&c);
    }
    // What is left over of an error
    for (int i = 0; i < c.piece_count; ++i) {
        hf_cut_piece_free(&c.pieces[i]);
    }
    free(c.pieces);
    for (int i = 0; i < c.part_count && !good; ++i) {
        free(parts[i]);
    }
    return good ? c.part_count : 0;
}
