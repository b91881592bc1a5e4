// SPDX-License-Identifier: Apache-2.0
// Height fields: a surface of triangles over a grid.
//
// `size` is half the edges along x and y, the height of the highest point, and how deep the ground
// below goes. Heights, given in the element, in a picture (PNG) or in a binary file (rows, columns
// as 32-bit integers, then floats), are spread to 0 ... 1 and then times size[2]. Those in the
// element and in a picture begin with the row of the largest y, those in a binary file with that of
// the smallest.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "robots/mjcf/mjcf.h"
#include "robots/picture.h"

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

// What a file gives; heights NULL: nothing that is known.
typedef struct grid {
    int rows, columns;
    double *heights;
} grid;

static bool take_room(hf_mjcf *m, int rows, int columns, grid *g)
{
    g->rows = rows;
    g->columns = columns;
    g->heights =
        hf_arena_alloc(&m->robot->xml.arena, (size_t)rows * (size_t)columns, sizeof *g->heights);
    return g->heights != NULL || hf_robot_out_of_memory(m->robot);
}

// Rows and columns, then as many floats.
static bool from_binary(hf_mjcf *m, const char *bytes, size_t length, grid *g)
{
    int32_t head[2] = {0};
    if (length >= sizeof head) {
        memcpy(head, bytes, sizeof head);
    }
    size_t count = fits(head[0], head[1]) ? (size_t)head[0] * (size_t)head[1] : 0;
    if (count == 0 || length != sizeof head + count * sizeof(float)) {
        return true;
    }
    if (!take_room(m, head[0], head[1], g)) {
        return false;
    }
    for (size_t i = 0; i < count; ++i) {
        float one;
        memcpy(&one, bytes + sizeof head + i * sizeof one, sizeof one);
        g->heights[i] = isfinite(one) ? (double)one : 0.0;
    }
    return true;
}

// A picture: its top row is that of the largest y.
static bool from_picture(hf_mjcf *m, hf_xml_element *e, hf_xml_attribute *file, const char *bytes,
                         size_t length, grid *g)
{
    hf_picture picture;
    hf_picture_state state = hf_picture_read(bytes, length, MOST_POINTS, &picture);
    bool good = state == HF_PICTURE_READ || state == HF_PICTURE_UNKNOWN;
    // What cannot be: damaged, too large, a line
    if (state == HF_PICTURE_DAMAGED) {
        (void)hf_xml_fail_at(file, m->robot->error, HF_ERROR_INPUT,
                             "the picture cannot be read: %s", picture.why);
    } else if (state == HF_PICTURE_LARGE ||
               (state == HF_PICTURE_READ && !fits(picture.rows, picture.columns))) {
        good = fail_count(m, e, picture.rows, picture.columns);
    }
    // Its points, the last row first
    if (good && state == HF_PICTURE_READ) {
        good = take_room(m, picture.rows, picture.columns, g);
        size_t width = (size_t)picture.columns, rows = (size_t)picture.rows;
        for (size_t i = 0; i < rows * width && good; ++i) {
            g->heights[(rows - 1 - i / width) * width + i % width] = picture.values[i];
        }
    }
    free(picture.values);
    return good;
}

// Heights of a file: of a picture or in binary.
static bool from_file(hf_mjcf *m, hf_xml_element *e, hf_xml_attribute *file, grid *g)
{
    const char *relative = NULL;
    char *text = NULL;
    size_t length = 0;
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
    bool good = hf_picture_is(text, length) ? from_picture(m, e, file, text, length, g)
                                            : from_binary(m, text, length, g);
    free(text);
    return good;
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
    double size[4] = {0};
    grid g = {.rows = 0};
    hf_xml_mark_element(e, HF_FATE_TAKEN, NULL);
    hf_xml_mark(hf_xml_get(e, "name"), HF_FATE_TAKEN, NULL);
    hf_xml_attribute *file = hf_mjcf_get(&view, "file");
    if (!hf_mjcf_numbers(m, &view, "size", 4, 4, size, NULL) ||
        !hf_mjcf_integer(m, &view, "nrow", &g.rows) ||
        !hf_mjcf_integer(m, &view, "ncol", &g.columns)) {
        return false;
    }
    if (!(size[0] > 0.0 && size[1] > 0.0 && size[2] > 0.0)) {
        return hf_xml_fail(e, m->robot->error, HF_ERROR_RANGE, "size must be above zero");
    }
    // Its heights: of a file, of the element, or flat
    if (file != NULL && !from_file(m, e, file, &g)) {
        return false;
    }
    if (file != NULL && g.heights == NULL) {
        hf_xml_mark(file, HF_FATE_MISSING,
                    "heights of another kind than PNG or binary: others would touch it");
        return true;
    }
    if (!fits(g.rows, g.columns)) {
        return fail_count(m, e, g.rows, g.columns);
    }
    if (g.heights == NULL && hf_xml_get(e, "elevation") == NULL) {
        hf_xml_mark_element(e, HF_FATE_MISSING, "a program would set its heights: it is flat");
        if (!take_room(m, g.rows, g.columns, &g)) {
            return false;
        }
        memset(g.heights, 0, (size_t)g.rows * (size_t)g.columns * sizeof *g.heights);
    } else if (g.heights == NULL &&
               (g.heights = from_element(m, &view, g.rows, g.columns)) == NULL) {
        return false;
    }
    // The shape
    spread(g.heights, g.rows * g.columns, size[2]);
    shape->type = HF_ROBOT_HEIGHTS;
    shape->size = (hf_vec3){2.0 * size[0], 2.0 * size[1], 0.0};
    shape->heights = g.heights;
    shape->rows_y = g.rows;
    shape->columns_x = g.columns;
    *known = true;
    return true;
}
