// SPDX-License-Identifier: Apache-2.0
// `parts: true` of a mesh: each connected piece of the file is a convex shape of its own, where it
// was drawn, and one that is not convex several (hf_triangles_cut). So what is not convex can move
// and touch anything.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "math/vec.h"
#include "models/reader.h"
#include "shapes/mesh.h"
#include "shapes/mesh_file.h"

enum { MOST_PARTS = 1024 };
// A hull with more than this share of what is drawn beyond it is not taken for it.
static const double HOLLOW = 0.02;
// Depth of hollows that parts may fill, by the size of their piece.
static const double TOLERANCE = 0.005;

typedef struct spot {
    hf_vec3 at;
    int index;
} spot;

// The points of a file, and the piece of each.
typedef struct pieces {
    hf_soup soup;
    int *of;        // [points] another point of its piece, itself where it is the first
    spot *spots;    // [points] by place
    hf_vec3 *taken; // [points] of one piece
    int *corners;   // [3 x triangles] of one piece
    int *triangles; // [points] of the piece whose first one this is
    int count;
    hf_vec3 scale;
} pieces;

static bool make_room(pieces *p)
{
    size_t count = p->soup.point_count;
    p->of = malloc((count + 1) * sizeof *p->of);
    p->spots = malloc((count + 1) * sizeof *p->spots);
    p->taken = malloc((count + 1) * sizeof *p->taken);
    p->corners = malloc((3 * p->soup.triangle_count + 1) * sizeof *p->corners);
    p->triangles = malloc((count + 1) * sizeof *p->triangles);
    return p->of != NULL && p->spots != NULL && p->taken != NULL && p->corners != NULL &&
           p->triangles != NULL;
}

static void clear(pieces *p)
{
    hf_soup_free(&p->soup);
    free(p->of);
    free(p->spots);
    free(p->taken);
    free(p->corners);
    free(p->triangles);
}

static int root_of(int *of, int i)
{
    while (of[i] != i) {
        of[i] = of[of[i]];
        i = of[i];
    }
    return i;
}

// The first of both is the root.
static void join(int *of, int a, int b)
{
    int x = root_of(of, a), y = root_of(of, b);
    of[x > y ? x : y] = x > y ? y : x;
}

static int by_place(const void *left, const void *right)
{
    const hf_vec3 *a = &((const spot *)left)->at, *b = &((const spot *)right)->at;
    if (a->x != b->x) {
        return a->x < b->x ? -1 : 1;
    }
    if (a->y != b->y) {
        return a->y < b->y ? -1 : 1;
    }
    return (a->z > b->z) - (a->z < b->z);
}

// Points of one triangle are of one piece. STL has them anew for every triangle: there those of one
// place are one. In OBJ they are not, as parts may touch each other, unless faces have points of
// their own there too.
static void join_triangles(pieces *p, bool by_places)
{
    int count = (int)p->soup.point_count;
    for (int i = 0; i < count; ++i) {
        p->of[i] = i;
        p->spots[i] = (spot){p->soup.points[i], i};
    }
    qsort(p->spots, (size_t)count, sizeof *p->spots, by_place);
    for (int i = 1; i < count && by_places; ++i) {
        if (by_place(&p->spots[i - 1], &p->spots[i]) == 0) {
            join(p->of, p->spots[i - 1].index, p->spots[i].index);
        }
    }
    for (size_t i = 0; i < p->soup.triangle_count; ++i) {
        const int *c = p->soup.corners + 3 * i;
        join(p->of, c[0], c[1]);
        join(p->of, c[0], c[2]);
    }
}

// Points that no triangle has are left out. Returns the number of triangles of the smallest piece.
static size_t find_pieces(pieces *p, bool by_places)
{
    size_t least = p->soup.triangle_count;
    join_triangles(p, by_places);
    memset(p->triangles, 0, p->soup.point_count * sizeof *p->triangles);
    for (size_t i = 0; i < p->soup.triangle_count; ++i) {
        p->triangles[root_of(p->of, p->soup.corners[3 * i])] += 1;
    }
    p->count = 0;
    for (size_t i = 0; i < p->soup.point_count; ++i) {
        size_t own = (size_t)p->triangles[i];
        least = own > 0 && own < least ? own : least;
        p->count += own > 0;
    }
    return least;
}

// The triangles of the piece whose first point is `first`, as they are drawn.
static hf_triangles *draw(pieces *p, int first, hf_error *error)
{
    int used = 0;
    for (size_t i = 0; i < p->soup.triangle_count; ++i) {
        const int *c = p->soup.corners + 3 * i;
        if (root_of(p->of, c[0]) == first) {
            memcpy(p->corners + 3 * used++, c, 3 * sizeof *c);
        }
    }
    return hf_triangles_create(p->soup.points, (int)p->soup.point_count, p->corners, used, error);
}

// Its points; fewer than four are no solid.
static int take(pieces *p, int first)
{
    int count = 0;
    for (int i = first; i < (int)p->soup.point_count; ++i) {
        if (root_of(p->of, i) == first) {
            p->taken[count++] = p->soup.points[i];
        }
    }
    return count;
}

// Room for one more behind those that there are.
static bool grow(hf_reader *reader, hf_body_shapes *shapes, int more)
{
    size_t room = (size_t)shapes->count + (size_t)more + 1;
    hf_shape_def *added = hf_arena_alloc(&reader->document->arena, room, sizeof *added);
    if (added == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    memcpy(added, shapes->added, (size_t)shapes->count * sizeof *added);
    shapes->added = added;
    return true;
}

// A piece as its hull or, where that has more than HOLLOW of its volume beyond it, as convex parts.
// What is drawn of each is by its share of the volume. Returns how many, 0 on error.
static int make_parts(pieces *p, int first, double tolerance, hf_mesh **parts, int most,
                      hf_error *error)
{
    double moved, sum = 0.0;
    hf_error unknown = {0}; // a surface that is none has a hull all the same
    hf_triangles *drawn = draw(p, first, &unknown);
    hf_triangles_info info = {0};
    if (drawn != NULL) {
        info = hf_triangles_get_info(drawn);
    } else if (unknown.status == HF_ERROR_MEMORY) {
        (void)hf_error_set(error, unknown.status, "%s", unknown.text);
        return 0;
    }
    // The hull
    int count = 1;
    parts[0] = hf_mesh_create_from(p->taken, (size_t)take(p, first), &moved, error);
    bool hollow = parts[0] != NULL && info.closed &&
                  hf_mesh_get_info(parts[0]).volume > (1.0 + HOLLOW) * info.volume;
    // or its parts
    if (hollow) {
        double size = hf_v3_norm(hf_v3_sub(info.most, info.least));
        hf_mesh_destroy(parts[0]);
        count = hf_triangles_cut(drawn, tolerance > 0.0 ? tolerance : TOLERANCE * size, parts, most,
                                 error);
    }
    count = count > 0 && parts[0] == NULL ? 0 : count;
    for (int i = 0; i < count; ++i) {
        sum += parts[i]->volume;
    }
    for (int i = 0; i < count && info.closed; ++i) {
        parts[i]->drawn_volume = parts[i]->volume * info.volume / sum;
    }
    hf_triangles_destroy(drawn);
    return count;
}

static bool add_part(hf_reader *reader, const hf_node *file, const pieces *p, hf_mesh *mesh,
                     const hf_shape_def *def, int number, hf_body_shapes *shapes)
{
    char tail[16], own[24];
    (void)snprintf(tail, sizeof tail, "-%d", number);
    (void)snprintf(own, sizeof own, "part-%d", shapes->count + 1); // of several files without names
    hf_shape_def *piece = &shapes->added[shapes->count];
    *piece = *def;
    piece->name = def->name == NULL ? hf_reader_join(reader, own, "")
                                    : hf_reader_join(reader, def->name, tail);
    hf_mesh_note note = {
        .scale = p->scale, .file = hf_reader_join(reader, file->text, tail), .mesh = mesh};
    piece->shape.mesh = mesh;
    piece->drawn = true;
    ++shapes->count;
    if (piece->name == NULL || note.file == NULL) {
        hf_mesh_destroy(mesh);
        return false;
    }
    return hf_reader_keep_mesh(reader, note);
}

static bool add_parts(hf_reader *reader, const hf_node *node, pieces *p, const hf_shape_def *def,
                      int left, hf_body_shapes *shapes)
{
    const hf_node *file = hf_node_get(node, "file");
    hf_mesh *parts[MOST_PARTS];
    double tolerance = 0.0;
    int count = 0, used = 0;
    if (!hf_read_number_item(reader, node, "parts_tolerance", HF_RANGE_POSITIVE, &tolerance)) {
        return false;
    }
    if (p->count > MOST_PARTS) {
        return hf_reader_fail(reader, file, HF_ERROR_RANGE,
                              "the file has %d pieces, more than %d; it is not one of convex parts",
                              p->count, MOST_PARTS);
    }
    // All of them
    bool good = true;
    for (int i = 0; good && i < (int)p->soup.point_count; ++i) {
        if (p->triangles[i] > 0) {
            int most = MOST_PARTS - count;
            int made =
                most < 1 ? 0 : make_parts(p, i, tolerance, parts + count, most, reader->error);
            if (most < 1) {
                (void)hf_error_set(reader->error, HF_ERROR_RANGE, "more than %d convex parts",
                                   MOST_PARTS);
            }
            count += made;
            good = made > 0;
        }
    }
    good = good || hf_reader_pass(reader, file, false);
    // as shapes
    good = good && hf_reader_spend(reader, node, count) && grow(reader, shapes, count + left);
    while (good && used < count) {
        hf_mesh *part = parts[used++];
        good = add_part(reader, file, p, part, def, used, shapes);
    }
    for (int i = used; i < count; ++i) {
        hf_mesh_destroy(parts[i]);
    }
    return good;
}

bool hf_read_parts(hf_reader *reader, const hf_node *node, const hf_shape_def *def, int left,
                   hf_body_shapes *shapes)
{
    const hf_node *file = hf_node_get(node, "file"), *mass = hf_node_get(node, "mass");
    pieces p = {.scale = {1, 1, 1}};
    if (mass != NULL) {
        return hf_reader_fail_key(reader, mass, HF_ERROR_INPUT,
                                  "parts have a density, or the body has the mass");
    }
    char *path = hf_read_scale(reader, hf_node_get(node, "scale"), &p.scale)
                     ? hf_reader_resolve(reader, file)
                     : NULL;
    if (path == NULL) {
        return false;
    }
    bool read = hf_soup_read(path, file->text, &p.soup, reader->error);
    free(path);
    if (!read) {
        return hf_reader_pass(reader, file, false);
    }
    hf_soup_scale(&p.soup, p.scale);
    bool good = make_room(&p) || hf_reader_out_of_memory(reader);
    if (good) {
        bool anew = p.soup.point_count == 3 * p.soup.triangle_count;
        if (find_pieces(&p, anew) < 4 && !anew) { // a solid has four triangles
            (void)find_pieces(&p, true);
        }
        good = add_parts(reader, node, &p, def, left, shapes);
    }
    clear(&p);
    return good;
}
