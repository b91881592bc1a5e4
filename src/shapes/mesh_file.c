// SPDX-License-Identifier: Apache-2.0
// Reads meshes from files (OBJ, STL) and makes their convex hulls.
#include "shapes/mesh_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"

// Points that make no hull are put on a grid: of this part of their size, ten times coarser in
// every further trial, up to a thousandth.
#define FIRST_GRID 1e-6
#define LAST_GRID  2e-3

// A file being read.
typedef struct mesh_text {
    const char *at, *end;
    const char *line_start;
    int line;
    const char *label;
    hf_vec3 scale;
    hf_vec3 *points;
    size_t count, capacity;
    bool wants_faces; // else faces are not looked at
    int *corners;     // of triangles, three each
    size_t corner_count, corner_capacity;
    hf_error *error;
} mesh_text;

static bool fail(mesh_text *m, const char *message)
{
    (void)hf_error_set(m->error, HF_ERROR_INPUT, "%s", message);
    hf_error_locate(m->error, m->label, m->line, (int)(m->at - m->line_start) + 1);
    return false;
}

static bool add_point(mesh_text *m, const double *p)
{
    if (m->count == m->capacity) {
        size_t capacity = 2 * m->capacity + 64;
        hf_vec3 *points = realloc(m->points, capacity * sizeof *points);
        if (points == NULL) {
            (void)hf_error_set(m->error, HF_ERROR_MEMORY, "%s: out of memory", m->label);
            return false;
        }
        m->points = points;
        m->capacity = capacity;
    }
    m->points[m->count++] = (hf_vec3){m->scale.x * p[0], m->scale.y * p[1], m->scale.z * p[2]};
    return true;
}

static bool add_corner(mesh_text *m, long point)
{
    if (m->corner_count == m->corner_capacity) {
        size_t capacity = 2 * m->corner_capacity + 192;
        int *corners = realloc(m->corners, capacity * sizeof *corners);
        if (corners == NULL) {
            (void)hf_error_set(m->error, HF_ERROR_MEMORY, "%s: out of memory", m->label);
            return false;
        }
        m->corners = corners;
        m->corner_capacity = capacity;
    }
    m->corners[m->corner_count++] = (int)point;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Text

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(mesh_text *m)
{
    while (m->at < m->end && is_blank(*m->at)) {
        ++m->at;
    }
}

static void next_line(mesh_text *m)
{
    while (m->at < m->end && *m->at != '\n') {
        ++m->at;
    }
    m->at += m->at < m->end ? 1 : 0;
    m->line_start = m->at;
    m->line += 1;
}

// The word at the present place; it is passed over.
static size_t take_word(mesh_text *m, const char **word)
{
    skip_blanks(m);
    *word = m->at;
    while (m->at < m->end && !is_blank(*m->at) && *m->at != '\n') {
        ++m->at;
    }
    return (size_t)(m->at - *word);
}

static bool word_is(const char *word, size_t length, const char *expected)
{
    return length == strlen(expected) && memcmp(word, expected, length) == 0;
}

static bool take_numbers(mesh_text *m, double *numbers)
{
    for (int i = 0; i < 3; ++i) {
        skip_blanks(m);
        char *after = NULL;
        // strtod would go on to the next line.
        bool here = m->at < m->end && *m->at != '\n';
        double number = here ? strtod(m->at, &after) : 0.0;
        bool whole = here && after != m->at && after <= m->end &&
                     (after == m->end || is_blank(*after) || *after == '\n');
        if (!whole || !isfinite(number)) {
            return fail(m, "a vertex has three finite numbers");
        }
        m->at = after;
        numbers[i] = number;
    }
    return true;
}

// A polygon, `f 1/1/1 2/2/1 -1`, as a fan of triangles. Indices begin with 1; negative ones count
// back.
static bool read_obj_face(mesh_text *m)
{
    long first = -1, before = -1;
    for (int corner = 0;; ++corner) {
        const char *word;
        size_t length = take_word(m, &word);
        if (length == 0 || word[0] == '#') {
            return corner >= 3 || fail(m, "a face has at least three corners");
        }
        char *after = NULL;
        long index = strtol(word, &after, 10);
        index += index < 0 ? (long)m->count : -1;
        if (after == word || (*after != '/' && after != word + length) || index < 0 ||
            index >= (long)m->count || index > INT32_MAX) {
            m->at = word;
            return fail(m, "a face names vertices that stand before it, from 1 on");
        }
        if (corner >= 2 &&
            (!add_corner(m, first) || !add_corner(m, before) || !add_corner(m, index))) {
            return false;
        }
        first = corner == 0 ? index : first;
        before = index;
    }
}

// For a hull vertices are enough: what lies inside of it has no influence, and so faces have none.
static bool read_obj(mesh_text *m)
{
    static const char *const others[] = {"vn", "vt", "vp",     "f",      "l",  "p",     "o",
                                         "g",  "s",  "usemtl", "mtllib", "mg", "usemap"};
    while (m->at < m->end) {
        const char *word, *start;
        skip_blanks(m);
        start = m->at;
        size_t length = take_word(m, &word);
        bool known = length == 0 || word[0] == '#';
        for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
            known = known || word_is(word, length, others[i]);
        }
        double p[3];
        if (word_is(word, length, "v")) {
            if (!take_numbers(m, p) || !add_point(m, p)) {
                return false;
            }
        } else if (m->wants_faces && word_is(word, length, "f")) {
            if (!read_obj_face(m)) {
                return false;
            }
        } else if (!known) {
            m->at = start;
            return fail(m, "this is no line of an OBJ file of polygons");
        }
        next_line(m);
    }
    return true;
}

static bool read_stl_text(mesh_text *m)
{
    static const char *const others[] = {"solid",   "facet", "endfacet", "outer",
                                         "endloop", "loop",  "endsolid", "normal"};
    while (m->at < m->end) {
        const char *word, *start;
        skip_blanks(m);
        start = m->at;
        size_t length = take_word(m, &word);
        bool known = length == 0;
        for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
            known = known || word_is(word, length, others[i]);
        }
        double p[3];
        if (word_is(word, length, "vertex")) {
            if (!take_numbers(m, p) || !add_point(m, p)) {
                return false;
            }
        } else if (!known) {
            m->at = start;
            return fail(m, "this is no line of an STL file");
        }
        next_line(m);
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Binary STL: 80 bytes, the number of triangles, and 50 bytes for each: normal, three vertices (12
// floats) and 2 bytes. All little-endian.

enum { STL_HEAD = 84, STL_TRIANGLE = 50 };

static uint32_t little_endian(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const char *bytes)
{
    uint32_t bits = little_endian(bytes);
    float number;
    memcpy(&number, &bits, sizeof number);
    return (double)number;
}

static bool is_binary_stl(const char *text, size_t length)
{
    return length >= STL_HEAD &&
           (uint64_t)little_endian(text + 80) * STL_TRIANGLE + STL_HEAD == (uint64_t)length;
}

static bool read_stl_binary(mesh_text *m)
{
    uint32_t triangles = little_endian(m->at + 80);
    const char *triangle = m->at + STL_HEAD;
    for (uint32_t i = 0; i < triangles; ++i, triangle += STL_TRIANGLE) {
        for (int k = 0; k < 3; ++k) {
            double p[3];
            for (int c = 0; c < 3; ++c) {
                p[c] = float_at(triangle + 12 + 12 * k + 4 * c);
            }
            if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2])) {
                (void)hf_error_set(m->error, HF_ERROR_INPUT,
                                   "%s: triangle %lu has a vertex that is not finite", m->label,
                                   (unsigned long)i + 1);
                return false;
            }
            if (!add_point(m, p)) {
                return false;
            }
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------

static bool ends_with(const char *name, const char *lower, const char *upper)
{
    size_t length = strlen(name), ending = strlen(lower);
    return length > ending && (strcmp(name + length - ending, lower) == 0 ||
                               strcmp(name + length - ending, upper) == 0);
}

static bool read_points(mesh_text *m, const char *text, size_t length)
{
    bool obj = ends_with(m->label, ".obj", ".OBJ"), stl = ends_with(m->label, ".stl", ".STL");
    if (!obj && !stl) {
        (void)hf_error_set(m->error, HF_ERROR_INPUT,
                           "%s: a mesh is an OBJ or STL file: its name ends in .obj or .stl",
                           m->label);
        return false;
    }
    if (stl && is_binary_stl(text, length)) {
        return read_stl_binary(m);
    }
    if (memchr(text, '\0', length) != NULL) {
        (void)hf_error_set(m->error, HF_ERROR_INPUT, "%s: %s", m->label,
                           obj ? "an OBJ file is text; this one holds zero bytes"
                               : "neither text nor a whole binary STL file");
        return false;
    }
    return obj ? read_obj(m) : read_stl_text(m);
}

// ------------------------------------------------------------------------------------------------
// Hulls of vertices that lie close together

static int compare_points(const void *a, const void *b)
{
    const hf_vec3 *p = a, *q = b;
    if (p->x != q->x) {
        return p->x < q->x ? -1 : 1;
    }
    if (p->y != q->y) {
        return p->y < q->y ? -1 : 1;
    }
    return p->z < q->z ? -1 : p->z > q->z ? 1 : 0;
}

// The points on a grid, each once. Returns how many are left.
static int on_grid(const hf_vec3 *points, int count, double grid, hf_vec3 *kept)
{
    for (int i = 0; i < count; ++i) {
        kept[i] = (hf_vec3){grid * round(points[i].x / grid), grid * round(points[i].y / grid),
                            grid * round(points[i].z / grid)};
    }
    qsort(kept, (size_t)count, sizeof *kept, compare_points);
    int left = 0;
    for (int i = 0; i < count; ++i) {
        if (left == 0 || compare_points(&kept[left - 1], &kept[i]) != 0) {
            kept[left++] = kept[i];
        }
    }
    return left;
}

hf_mesh *hf_mesh_create_from(const hf_vec3 *points, size_t point_count, double *moved,
                             hf_error *error)
{
    int count = point_count > INT32_MAX ? INT32_MAX : (int)point_count;
    *moved = 0.0;
    hf_mesh *mesh = hf_mesh_create(points, count, error);
    if (mesh != NULL || count < 4 || (error != NULL && error->status == HF_ERROR_MEMORY)) {
        return mesh; // where memory runs out, other points do not help
    }
    double size = 0.0;
    for (int i = 1; i < count; ++i) {
        size = fmax(size,
                    fmax(fabs(points[i].x - points[0].x),
                         fmax(fabs(points[i].y - points[0].y), fabs(points[i].z - points[0].z))));
    }
    hf_vec3 *kept = size > 0.0 && size < INFINITY ? malloc((size_t)count * sizeof *kept) : NULL;
    for (double grid = FIRST_GRID; kept != NULL && mesh == NULL && grid < LAST_GRID; grid *= 10.0) {
        int left = on_grid(points, count, grid * size, kept);
        mesh = hf_mesh_create(kept, left, error);
        *moved = 0.5 * grid * size;
    }
    free(kept);
    return mesh;
}

hf_mesh *hf_mesh_parse(const char *text, size_t length, const char *label, hf_vec3 scale,
                       hf_error *error)
{
    mesh_text m = {.at = text,
                   .end = text + length,
                   .line_start = text,
                   .line = 1,
                   .label = label,
                   .scale = scale,
                   .error = error};
    hf_mesh *mesh = NULL;
    if (read_points(&m, text, length)) {
        hf_error own = {0};
        double moved;
        mesh = hf_mesh_create_from(m.points, m.count, &moved, &own);
        if (mesh == NULL) {
            (void)hf_error_set(error, own.status, "%s: %s", label, own.text);
        }
    }
    free(m.points);
    return mesh;
}

bool hf_soup_parse(const char *text, size_t length, const char *label, hf_soup *soup,
                   hf_error *error)
{
    mesh_text m = {.at = text,
                   .end = text + length,
                   .line_start = text,
                   .line = 1,
                   .label = label,
                   .scale = {1, 1, 1},
                   .wants_faces = true,
                   .error = error};
    bool read = read_points(&m, text, length);
    bool from_stl = ends_with(label, ".stl", ".STL");
    for (size_t i = 0; read && from_stl && i + 2 < m.count; i += 3) {
        read =
            add_corner(&m, (long)i) && add_corner(&m, (long)i + 1) && add_corner(&m, (long)i + 2);
    }
    *soup = (hf_soup){m.points, m.count, m.corners, m.corner_count / 3};
    if (!read) {
        hf_soup_free(soup);
    }
    return read;
}

bool hf_soup_read(const char *path, const char *label, hf_soup *soup, hf_error *error)
{
    char *text = NULL;
    size_t length = 0;
    *soup = (hf_soup){0};
    if (hf_text_read(path, label, true, &text, &length, error) != HF_OK) {
        return false;
    }
    bool read = hf_soup_parse(text, length, label, soup, error);
    free(text);
    return read;
}

void hf_soup_scale(hf_soup *soup, hf_vec3 scale)
{
    for (size_t i = 0; i < soup->point_count; ++i) {
        hf_vec3 p = soup->points[i];
        soup->points[i] = (hf_vec3){scale.x * p.x, scale.y * p.y, scale.z * p.z};
    }
    for (size_t i = 0; scale.x * scale.y * scale.z < 0.0 && i < soup->triangle_count; ++i) {
        int first = soup->corners[3 * i];
        soup->corners[3 * i] = soup->corners[3 * i + 1];
        soup->corners[3 * i + 1] = first;
    }
}

void hf_soup_free(hf_soup *soup)
{
    free(soup->points);
    free(soup->corners);
    *soup = (hf_soup){0};
}

hf_mesh *hf_mesh_read(const char *path, const char *label, hf_vec3 scale, hf_error *error)
{
    char *text = NULL;
    size_t length = 0;
    if (hf_text_read(path, label, true, &text, &length, error) != HF_OK) {
        return NULL;
    }
    hf_mesh *mesh = hf_mesh_parse(text, length, label, scale, error);
    free(text);
    return mesh;
}
