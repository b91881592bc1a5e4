// SPDX-License-Identifier: Apache-2.0
// Surfaces of triangles: from a file, or from heights over a grid.
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "models/reader.h"
#include "robots/dae.h"

static const hf_triangles *find(const hf_reader *reader, const char *file, hf_vec3 scale)
{
    for (size_t i = 0; i < reader->mesh_count; ++i) {
        const hf_mesh_note *note = &reader->meshes[i];
        if (note->triangles != NULL && note->file != NULL && note->scale.x == scale.x &&
            note->scale.y == scale.y && note->scale.z == scale.z && strcmp(note->file, file) == 0) {
            return note->triangles;
        }
    }
    return NULL;
}

// Times a scale; mirrored, triangles go round the other way.
static hf_triangles *make(const char *path, const char *label, hf_vec3 scale, hf_error *error)
{
    hf_soup soup;
    if (!hf_any_soup_read(path, label, &soup, error)) {
        return NULL;
    }
    // Scaled; a mirror turns triangles round
    hf_soup_scale(&soup, scale);
    // The surface, or what is wrong with it under the file's name
    hf_error own = {0};
    hf_triangles *made = NULL;
    if (soup.point_count > INT32_MAX / 4 || soup.triangle_count > INT32_MAX / 4) {
        (void)hf_error_set(error, HF_ERROR_RANGE, "%s: there are too many triangles", label);
    } else {
        made = hf_triangles_create(soup.points, (int)soup.point_count, soup.corners,
                                   (int)soup.triangle_count, &own);
        if (made == NULL) {
            (void)hf_error_set(error, own.status, "%s: %s", label, own.text);
        }
    }
    hf_soup_free(&soup);
    return made;
}

bool hf_drawn_volume(const char *path, const char *label, hf_vec3 scale, double *volume,
                     hf_error *error)
{
    hf_error own = {0};
    hf_triangles *drawn = make(path, label, scale, &own);
    *volume = drawn == NULL ? 0.0 : hf_triangles_get_info(drawn).volume;
    hf_triangles_destroy(drawn);
    return own.status != HF_ERROR_MEMORY ||
           hf_error_set(error, own.status, "%s", own.text) == HF_OK;
}

bool hf_read_triangles(hf_reader *reader, const hf_node *node, hf_shape *shape)
{
    hf_mesh_note note = {.scale = {1, 1, 1}};
    const hf_node *file = hf_read_need(reader, node, "file");
    if (file == NULL || !hf_read_text(reader, file, &note.file) ||
        !hf_read_scale(reader, hf_node_get(node, "scale"), &note.scale)) {
        return false;
    }
    shape->triangles = find(reader, note.file, note.scale);
    if (shape->triangles != NULL) {
        return true;
    }
    char *path = hf_reader_resolve(reader, file);
    if (path == NULL) {
        return false;
    }
    note.triangles = make(path, note.file, note.scale, reader->error);
    free(path);
    shape->triangles = note.triangles;
    return note.triangles == NULL ? hf_reader_pass(reader, file, false)
                                  : hf_reader_keep_mesh(reader, note);
}

// Rows along x from the smallest y on, all as long as the first.
static bool read_rows(hf_reader *reader, const hf_node *rows, double **heights, int *columns)
{
    int at = 0;
    *columns = rows->first != NULL && rows->first->kind == HF_NODE_LIST ? rows->first->count : 0;
    *heights = hf_arena_alloc(&reader->document->arena, (size_t)*columns * (size_t)rows->count + 1,
                              sizeof **heights);
    if (*heights == NULL) {
        return hf_reader_out_of_memory(reader);
    }
    for (const hf_node *row = rows->first; row != NULL; row = row->next) {
        if (row->kind != HF_NODE_LIST || row->count != *columns) {
            return hf_reader_fail(reader, row, HF_ERROR_INPUT,
                                  "heights are a list of rows with as many numbers each");
        }
        for (const hf_node *item = row->first; item != NULL; item = item->next) {
            if (!hf_read_number(reader, item, HF_RANGE_ANY, &(*heights)[at++])) {
                return false;
            }
        }
    }
    return true;
}

bool hf_read_heights(hf_reader *reader, const hf_node *node, hf_shape *shape)
{
    const hf_node *rows = hf_read_need(reader, node, "heights"),
                  *size_node = rows == NULL ? NULL : hf_read_need(reader, node, "size");
    double size[2] = {0}, *heights = NULL;
    int columns = 0;
    if (size_node == NULL || !hf_read_numbers(reader, size_node, 2, size) ||
        !hf_read_kind(reader, rows, HF_NODE_LIST, "a list of rows") ||
        !read_rows(reader, rows, &heights, &columns)) {
        return false;
    }
    hf_mesh_note note = {.scale = {1, 1, 1}};
    note.triangles = hf_triangles_from_heights(heights, columns, rows->count,
                                               (hf_vec3){size[0], size[1], 0.0}, reader->error);
    shape->type = HF_SHAPE_TRIANGLES;
    shape->triangles = note.triangles;
    return note.triangles == NULL ? hf_reader_pass(reader, rows, false)
                                  : hf_reader_keep_mesh(reader, note);
}
