// SPDX-License-Identifier: Apache-2.0
// Height fields: a surface of triangles over a grid.
//
// `size` is half the edges along x and y, the height of the highest point, and how deep the ground
// below goes. Heights, given in the element or in a binary file (rows, columns as 32-bit integers,
// then floats), are spread to 0 ... 1 and then times size[2]. Those in the element begin with the
// row of the largest y, those in a file with that of the smallest.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "robots/mjcf/mjcf.h"

enum { MOST_POINTS = 1000000 };

static bool fail_count(hf_mjcf *m, const hf_xml_element *e, int rows, int columns)
{
    return hf_xml_fail(e, m->robot->error, HF_ERROR_RANGE,
                       "a height field has 2 rows and columns or more, and at most %d points; got "
                       "%d x %d",
                       MOST_POINTS, rows, columns);
}

static bool fits(int rows, int columns)
{
    return rows >= 2 && columns >= 2 && (long long)rows * columns <= MOST_POINTS;
}

// Rows of the element: the first is that of the largest y.
static double *from_element(hf_mjcf *m, const hf_mjcf_view *view, int rows, int columns)
{
    hf_xml_attribute *a = hf_mjcf_get(view, "elevation");
    size_t count = (size_t)rows * (size_t)columns;
    double *written = malloc(count * sizeof *written);
    double *heights = hf_arena_alloc(&m->robot->xml.arena, count, sizeof *heights);
    if (written == NULL || heights == NULL) {
        free(written);
        (void)hf_robot_out_of_memory(m->robot);
        return NULL;
    }
    if (hf_xml_numbers(a->value, (int)count, (int)count, written) < 0) {
        (void)hf_xml_fail_at(a, m->robot->error, HF_ERROR_INPUT,
                             "elevation must be %d numbers: nrow times ncol", (int)count);
        free(written);
        return NULL;
    }
    for (int r = 0; r < rows; ++r) {
        memcpy(heights + (size_t)(rows - 1 - r) * (size_t)columns,
               written + (size_t)r * (size_t)columns, (size_t)columns * sizeof *heights);
    }
    free(written);
    return heights;
}

// A binary file. *heights stays NULL where it is no such file (a picture).
static bool from_file(hf_mjcf *m, hf_xml_element *e, hf_xml_attribute *file, int *rows,
                      int *columns, double **heights)
{
    const char *relative = NULL;
    char *text = NULL;
    size_t length = 0;
    int32_t head[2] = {0};
    // The whole file
    const char *named = hf_mjcf_asset(m, file->value);
    char *path = named == NULL ? NULL : hf_robot_resolve(m->robot, e, file, named, &relative);
    if (path == NULL) {
        return false;
    }
    bool read = hf_text_read(path, relative, true, &text, &length, m->robot->error) == HF_OK;
    free(path);
    if (!read) {
        return false;
    }
    // Rows and columns, then as many floats
    if (length >= sizeof head) {
        memcpy(head, text, sizeof head);
    }
    size_t count = fits(head[0], head[1]) ? (size_t)head[0] * (size_t)head[1] : 0;
    if (count > 0 && length == sizeof head + count * sizeof(float)) {
        *heights = hf_arena_alloc(&m->robot->xml.arena, count, sizeof **heights);
        for (size_t i = 0; i < count && *heights != NULL; ++i) {
            float one;
            memcpy(&one, text + sizeof head + i * sizeof one, sizeof one);
            (*heights)[i] = isfinite(one) ? (double)one : 0.0;
        }
        *rows = head[0];
        *columns = head[1];
    }
    free(text);
    return count == 0 || *heights != NULL || hf_robot_out_of_memory(m->robot);
}

// To 0 ... 1, then to the height of the field.
static void spread(double *heights, int count, double height)
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < count; ++i) {
        least = fmin(least, heights[i]);
        most = fmax(most, heights[i]);
    }
    for (int i = 0; i < count; ++i) {
        heights[i] = most > least ? height * ((heights[i] - least) / (most - least)) : 0.0;
    }
}

static hf_xml_element *find_field(const hf_mjcf *m, const char *name)
{
    for (hf_xml_element *s = hf_xml_child(m->root, "asset"); s != NULL; s = hf_xml_next(s)) {
        for (hf_xml_element *e = hf_xml_child(s, "hfield"); e != NULL; e = hf_xml_next(e)) {
            const hf_xml_attribute *a = hf_xml_get(e, "name");
            if (a != NULL && strcmp(a->value, name) == 0) {
                return e;
            }
        }
    }
    return NULL;
}

bool hf_mjcf_heights(hf_mjcf *m, const hf_mjcf_view *geom, hf_robot_shape *shape, bool *known)
{
    // The element that the geom names
    hf_xml_attribute *name = hf_mjcf_get(geom, "hfield");
    hf_xml_element *e = name == NULL ? NULL : find_field(m, name->value);
    *known = false;
    if (e == NULL) {
        return hf_xml_fail(geom->element, m->robot->error, HF_ERROR_NAME,
                           "there is no height field '%.60s'", name == NULL ? "" : name->value);
    }
    // Its size
    hf_mjcf_view view = {e, {{e}, 1}};
    double size[4] = {0}, *heights = NULL;
    int rows = 0, columns = 0;
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark(hf_xml_get(e, "name"), HF_FATE_TAKEN, NULL);
    hf_xml_attribute *file = hf_mjcf_get(&view, "file");
    if (!hf_mjcf_numbers(m, &view, "size", 4, 4, size, NULL) ||
        !hf_mjcf_integer(m, &view, "nrow", &rows) || !hf_mjcf_integer(m, &view, "ncol", &columns)) {
        return false;
    }
    if (!(size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0)) {
        return hf_xml_fail(e, m->robot->error, HF_ERROR_RANGE, "size must be above zero");
    }
    // Its heights: of a file, of the element, or flat
    if (file != NULL && !from_file(m, e, file, &rows, &columns, &heights)) {
        return false;
    }
    if (file != NULL && heights == NULL) {
        hf_xml_mark(file, HF_FATE_MISSING, "heights from a picture: others would touch it");
        return true;
    }
    if (!fits(rows, columns)) {
        return fail_count(m, e, rows, columns);
    }
    if (heights == NULL && hf_xml_get(e, "elevation") == NULL) {
        hf_xml_mark_element(e, HF_FATE_MISSING, "a program would set its heights: it is flat");
        heights =
            hf_arena_alloc(&m->robot->xml.arena, (size_t)rows * (size_t)columns, sizeof *heights);
        if (heights == NULL) {
            return hf_robot_out_of_memory(m->robot);
        }
        memset(heights, 0, (size_t)rows * (size_t)columns * sizeof *heights);
    } else if (heights == NULL && (heights = from_element(m, &view, rows, columns)) == NULL) {
        return false;
    }
    // The shape
    spread(heights, rows * columns, size[2]);
    shape->type = HF_ROBOT_HEIGHTS;
    shape->size = (hf_vec3){2.0 * size[0], 2.0 * size[1], 0.0};
    shape->heights = heights;
    shape->rows_y = rows;
    shape->columns_x = columns;
    *known = true;
    return true;
}
