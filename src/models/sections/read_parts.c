// SPDX-License-Identifier: Apache-2.0
// `parts: true` of a mesh: each connected piece of the file is a convex shape of its own, where it
// was drawn. So what is not convex can move and touch anything, once it is cut into convex parts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "models/reader.h"
#include "shapes/mesh_file.h"

enum { MOST_PARTS = 1024 };

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
} pieces;

static bool make_room(pieces *p)
{
    size_t count = p->soup.point_count;
    p->of = malloc((count + 1) * sizeof *p->of);
    p->spots = malloc((count + 1) * sizeof *p->spots);
    p->taken = malloc((count + 1) * sizeof *p->taken);
    return p->of != NULL && p->spots != NULL && p->taken != NULL;
}

static void clear(pieces *p)
{
    hf_soup_free(&p->soup);
    free(p->of);
    free(p->spots);
    free(p->taken);
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
// place are one. In OBJ they are not: parts may touch each other.
static void find_pieces(pieces *p)
{
    int count = (int)p->soup.point_count;
    for (int i = 0; i < count; ++i) {
        p->of[i] = i;
        p->spots[i] = (spot){p->soup.points[i], i};
    }
    qsort(p->spots, (size_t)count, sizeof *p->spots, by_place);
    bool anew = p->soup.point_count == 3 * p->soup.triangle_count;
    for (int i = 1; i < count && anew; ++i) {
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

// The points of the piece whose first one is `first`; fewer than four are no solid.
static int take(pieces *p, int first, hf_vec3 scale)
{
    int count = 0;
    for (int i = first; i < (int)p->soup.point_count; ++i) {
        hf_vec3 at = p->soup.points[i];
        if (root_of(p->of, i) == first) {
            p->taken[count++] = hf_v3(scale.x * at.x, scale.y * at.y, scale.z * at.z);
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

static bool add_piece(hf_reader *reader, const hf_node *file, pieces *p, int first,
                      const hf_shape_def *def, hf_vec3 scale, int number, hf_body_shapes *shapes)
{
    char tail[16], own[24];
    double moved;
    (void)snprintf(tail, sizeof tail, "-%d", number);
    (void)snprintf(own, sizeof own, "part-%d", shapes->count + 1); // of several files without names
    hf_shape_def *piece = &shapes->added[shapes->count];
    *piece = *def;
    piece->name = def->name == NULL ? hf_reader_join(reader, own, "")
                                    : hf_reader_join(reader, def->name, tail);
    hf_mesh_note note = {.scale = scale, .file = hf_reader_join(reader, file->text, tail)};
    note.mesh = hf_mesh_create_from(p->taken, (size_t)take(p, first, scale), &moved, reader->error);
    piece->shape.mesh = note.mesh;
    piece->drawn = true;
    ++shapes->count;
    return note.mesh != NULL
               ? piece->name != NULL && note.file != NULL && hf_reader_keep_mesh(reader, note)
               : hf_reader_pass(reader, file, false);
}

static bool add_pieces(hf_reader *reader, const hf_node *node, pieces *p, const hf_shape_def *def,
                       int left, hf_body_shapes *shapes)
{
    const hf_node *file = hf_node_get(node, "file");
    hf_vec3 scale = {1, 1, 1};
    int number = 0, count = 0;
    if (!hf_read_scale(reader, hf_node_get(node, "scale"), &scale)) {
        return false;
    }
    for (int i = 0; i < (int)p->soup.point_count; ++i) {
        count += p->of[i] == i;
    }
    if (count > MOST_PARTS) {
        return hf_reader_fail(reader, file, HF_ERROR_RANGE,
                              "the file has %d pieces, more than %d; it is not one of convex parts",
                              count, MOST_PARTS);
    }
    bool good = hf_reader_spend(reader, node, count) && grow(reader, shapes, count + left);
    for (int i = 0; good && i < (int)p->soup.point_count; ++i) {
        if (root_of(p->of, i) == i) {
            good = add_piece(reader, file, p, i, def, scale, ++number, shapes);
        }
    }
    return good;
}

bool hf_read_parts(hf_reader *reader, const hf_node *node, const hf_shape_def *def, int left,
                   hf_body_shapes *shapes)
{
    const hf_node *file = hf_node_get(node, "file"), *mass = hf_node_get(node, "mass");
    pieces p = {0};
    if (mass != NULL) {
        return hf_reader_fail_key(reader, mass, HF_ERROR_INPUT,
                                  "parts have a density, or the body has the mass");
    }
    char *path = hf_reader_resolve(reader, file);
    if (path == NULL) {
        return false;
    }
    bool read = hf_soup_read(path, file->text, &p.soup, reader->error);
    free(path);
    if (!read) {
        return hf_reader_pass(reader, file, false);
    }
    bool good = make_room(&p) || hf_reader_out_of_memory(reader);
    if (good) {
        find_pieces(&p);
        good = add_pieces(reader, node, &p, def, left, shapes);
    }
    clear(&p);
    return good;
}
