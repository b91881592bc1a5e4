// SPDX-License-Identifier: Apache-2.0
// COLLADA 1.4 and 1.5, as robots use it.
//
//   asset/unit meter=                    the file's unit
//   library_geometries/geometry/mesh     source/float_array, vertices, triangles | polylist |
//   polygons library_visual_scenes/.../node       matrix, translate, rotate, scale in their order,
//                                        instance_geometry, instance_node, nodes
#include "robots/dae.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "robots/xml.h"

enum { MOST_NODES_DEEP = 64, MOST_INSTANCES = 100000 };

// Rows of an affine map: x' = m[0..2] x + m[3].
typedef struct affine {
    double m[3][4];
} affine;

typedef struct dae {
    hf_xml xml;
    hf_xml_element *root;
    hf_soup *soup;
    size_t point_room, corner_room;
    int instances;
    hf_error *error;
} dae;

// ------------------------------------------------------------------------------------------------
// Finding

static const char *value_of(const hf_xml_element *element, const char *name)
{
    const hf_xml_attribute *a = element == NULL ? NULL : hf_xml_get(element, name);
    return a == NULL ? NULL : a->value;
}

// The child of this name whose id the reference (#ID, or ID) names, in any library of that name.
static hf_xml_element *find(const dae *d, const char *library, const char *name, const char *url)
{
    url = url != NULL && url[0] == '#' ? url + 1 : url;
    for (hf_xml_element *l = hf_xml_child(d->root, library); l != NULL; l = hf_xml_next(l)) {
        for (hf_xml_element *e = hf_xml_child(l, name); e != NULL; e = hf_xml_next(e)) {
            const char *id = value_of(e, "id");
            if (url == NULL || (id != NULL && strcmp(id, url) == 0)) {
                return e;
            }
        }
    }
    return NULL;
}

static hf_xml_element *child_by_id(const hf_xml_element *parent, const char *name, const char *url)
{
    url = url != NULL && url[0] == '#' ? url + 1 : url;
    hf_xml_element *e = url == NULL ? NULL : hf_xml_child(parent, name);
    while (e != NULL && (value_of(e, "id") == NULL || strcmp(value_of(e, "id"), url) != 0)) {
        e = hf_xml_next(e);
    }
    return e;
}

static bool fail(const dae *d, const hf_xml_element *element, const char *what)
{
    return hf_xml_fail(element, d->error, HF_ERROR_INPUT, "%s", what);
}

// ------------------------------------------------------------------------------------------------
// Numbers

// All numbers of a text, for the caller to free; NULL with the error filled.
static double *numbers_of(const dae *d, const hf_xml_element *element, size_t *count)
{
    size_t room = 0;
    double *numbers = NULL;
    *count = 0;
    // Number after number, until the text ends
    for (const char *at = element->text;;) {
        char *after = NULL;
        double number = strtod(at, &after);
        if (after == at) {
            while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r') {
                ++at;
            }
            if (*at == '\0' && numbers != NULL) {
                return numbers;
            }
            (void)fail(d, element, "expected numbers");
            break;
        }
        if (!isfinite(number)) {
            (void)fail(d, element, "a number that is not finite");
            break;
        }
        // Twice the room where it is used up
        if (*count == room) {
            room = 2 * room + 256;
            double *grown = realloc(numbers, room * sizeof *numbers);
            if (grown == NULL) {
                (void)hf_xml_fail(element, d->error, HF_ERROR_MEMORY, "out of memory");
                break;
            }
            numbers = grown;
        }
        numbers[(*count)++] = number;
        at = after;
    }
    free(numbers);
    return NULL;
}

static affine identity(void)
{
    return (affine){{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
}

static affine product(const affine *a, const affine *b)
{
    affine c;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 4; ++j) {
            c.m[i][j] = j == 3 ? a->m[i][3] : 0.0;
            for (int k = 0; k < 3; ++k) {
                c.m[i][j] += a->m[i][k] * b->m[k][j];
            }
        }
    }
    return c;
}

// One of the maps of a node; any other child leaves *own as it is.
static bool read_map(const dae *d, const hf_xml_element *e, affine *own, bool *is_map)
{
    static const struct {
        const char *name;
        size_t count;
    } maps[] = {{"matrix", 16}, {"translate", 3}, {"rotate", 4}, {"scale", 3}};
    size_t kind = 0, count = 0;
    // Which kind of map
    while (kind < 4 && strcmp(e->name, maps[kind].name) != 0) {
        ++kind;
    }
    *is_map = kind < 4;
    *own = identity();
    double *n = *is_map ? numbers_of(d, e, &count) : NULL;
    if (!*is_map || n == NULL) {
        return !*is_map;
    }
    // With as many numbers as it needs
    bool right = count == maps[kind].count;
    if (right && kind == 0) {
        memcpy(own->m, n, sizeof own->m);
    } else if (right && kind == 2) {
        double size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), pi = 3.14159265358979323846;
        double s = sin(n[3] * pi / 180.0), c = cos(n[3] * pi / 180.0);
        for (int i = 0; i < 3 && size > 0.0; ++i) {
            for (int j = 0; j < 3; ++j) {
                double turn = i == j ? 0.0 : (j == (i + 2) % 3 ? 1.0 : -1.0) * n[3 - i - j] / size;
                own->m[i][j] =
                    (i == j ? c : 0.0) + (1.0 - c) * n[i] * n[j] / (size * size) + s * turn;
            }
        }
    } else if (right) {
        for (int i = 0; i < 3; ++i) {
            own->m[i][kind == 1 ? 3 : i] = n[i];
        }
    }
    free(n);
    return right || fail(d, e,
                         "a map of a node has another count of numbers: matrix 16, translate "
                         "and scale 3, rotate 4");
}

// ------------------------------------------------------------------------------------------------
// Geometries

static bool make_room(const dae *d, const hf_xml_element *e, void **items, size_t count,
                      size_t *room, size_t size)
{
    if (count <= *room) {
        return true;
    }
    size_t more = 2 * *room + count;
    void *grown = realloc(*items, more * size);
    if (grown == NULL) {
        return hf_xml_fail(e, d->error, HF_ERROR_MEMORY, "out of memory");
    }
    *items = grown;
    *room = more;
    return true;
}

// The points of a source behind those that there are. *first: the first of them.
static bool add_points(dae *d, const hf_xml_element *mesh, const char *url, const affine *at,
                       size_t *first, size_t *added)
{
    // The source, and how its numbers stand
    const hf_xml_element *source = child_by_id(mesh, "source", url);
    const hf_xml_element *array = source == NULL ? NULL : hf_xml_child(source, "float_array");
    const hf_xml_element *common = source == NULL ? NULL : hf_xml_child(source, "technique_common");
    const char *stride_text =
        value_of(common == NULL ? NULL : hf_xml_child(common, "accessor"), "stride");
    long stride = stride_text == NULL ? 3 : strtol(stride_text, NULL, 10);
    size_t count = 0;
    if (array == NULL || stride < 3 || stride > 1000) {
        return fail(d, source == NULL ? mesh : source,
                    "positions need a source with a float_array "
                    "and a stride of three or more");
    }
    // Numbers
    double *n = numbers_of(d, array, &count);
    if (n == NULL) {
        return false;
    }
    count /= (size_t)stride;
    *first = d->soup->point_count;
    *added = count;
    // As points, where the node puts them
    void *points = d->soup->points;
    bool good = make_room(d, array, &points, *first + count, &d->point_room, sizeof(hf_vec3));
    d->soup->points = points;
    for (size_t i = 0; i < count && good; ++i) {
        const double *p = n + i * (size_t)stride;
        double x[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = at->m[k][0] * p[0] + at->m[k][1] * p[1] + at->m[k][2] * p[2] + at->m[k][3];
        }
        d->soup->points[d->soup->point_count++] = (hf_vec3){x[0], x[1], x[2]};
    }
    free(n);
    return good;
}

static bool add_triangle(dae *d, const hf_xml_element *e, const int corner[3])
{
    void *corners = d->soup->corners;
    bool good =
        make_room(d, e, &corners, 3 * (d->soup->triangle_count + 1), &d->corner_room, sizeof(int));
    d->soup->corners = corners;
    if (good) {
        memcpy(d->soup->corners + 3 * d->soup->triangle_count++, corner, 3 * sizeof *corner);
    }
    return good;
}

// Polygons of one `p`: fans. sizes: of each, or NULL: all have `size`, or (0) all indices are one.
static bool add_polygons(dae *d, const hf_xml_element *p, size_t stride, size_t offset,
                         const double *sizes, size_t size_count, size_t size, size_t first,
                         size_t points)
{
    size_t count = 0, at = 0;
    if (p->text[0] == '\0') {
        return true;
    }
    // Indices
    double *n = numbers_of(d, p, &count);
    bool good = n != NULL;
    count /= stride;
    // Polygon by polygon: triangles from its first corner
    for (size_t k = 0; good && at < count && (sizes == NULL || k < size_count); ++k) {
        size_t own = sizes != NULL ? (size_t)fmax(0.0, fmin(sizes[k], 1e9))
                     : size > 0    ? size
                                   : count;
        int corner[3] = {0};
        if (at + own > count) {
            good = fail(d, p, "fewer indices than its polygons need");
        }
        for (size_t i = 0; good && i < own; ++i) {
            double index = n[(at + i) * stride + offset];
            if (!(index >= 0.0 && index < (double)points)) {
                good = fail(d, p, "an index of a vertex that is not there");
                break;
            }
            corner[i == 0 ? 0 : i == 1 ? 1 : 2] = (int)(first + (size_t)index);
            if (i >= 2) {
                good = add_triangle(d, p, corner);
                corner[1] = corner[2];
            }
        }
        at += own;
    }
    free(n);
    return good;
}

static bool add_primitive(dae *d, const hf_xml_element *e, size_t first, size_t points)
{
    size_t stride = 1, offset = 0, size_count = 0;
    // Where the vertex stands among the indices
    for (const hf_xml_element *i = hf_xml_child(e, "input"); i != NULL; i = hf_xml_next(i)) {
        const char *text = value_of(i, "offset"), *semantic = value_of(i, "semantic");
        long own = text == NULL ? 0 : strtol(text, NULL, 10);
        if (own < 0 || own > 100) {
            return fail(d, i, "an offset from 0 to 100 was expected");
        }
        stride = (size_t)own + 1 > stride ? (size_t)own + 1 : stride;
        offset = semantic != NULL && strcmp(semantic, "VERTEX") == 0 ? (size_t)own : offset;
    }
    // How many corners each polygon has
    bool triangles = strcmp(e->name, "triangles") == 0;
    const hf_xml_element *vcount = hf_xml_child(e, "vcount");
    double *sizes = NULL;
    if (vcount != NULL && vcount->text[0] != '\0') {
        sizes = numbers_of(d, vcount, &size_count);
        if (sizes == NULL) {
            return false;
        }
    }
    // All of them
    bool good = true;
    for (const hf_xml_element *p = hf_xml_child(e, "p"); p != NULL && good; p = hf_xml_next(p)) {
        good =
            add_polygons(d, p, stride, offset, sizes, size_count, triangles ? 3 : 0, first, points);
    }
    free(sizes);
    return good;
}

static bool add_geometry(dae *d, const hf_xml_element *geometry, const affine *at)
{
    static const char *const kinds[] = {"triangles", "polylist", "polygons"};
    // Its points
    const hf_xml_element *mesh = hf_xml_child(geometry, "mesh");
    const hf_xml_element *vertices = mesh == NULL ? NULL : hf_xml_child(mesh, "vertices");
    if (vertices == NULL) {
        return true; // a spline, or nothing
    }
    const char *url = NULL;
    for (const hf_xml_element *i = hf_xml_child(vertices, "input"); i != NULL; i = hf_xml_next(i)) {
        const char *semantic = value_of(i, "semantic");
        url = semantic != NULL && strcmp(semantic, "POSITION") == 0 ? value_of(i, "source") : url;
    }
    size_t first = 0, points = 0;
    if (url == NULL) {
        return fail(d, vertices, "vertices need an input POSITION");
    }
    if (!add_points(d, mesh, url, at, &first, &points)) {
        return false;
    }
    // Its faces, of each kind
    bool good = true;
    for (size_t k = 0; k < 3; ++k) {
        for (const hf_xml_element *e = hf_xml_child(mesh, kinds[k]); e != NULL && good;
             e = hf_xml_next(e)) {
            good = add_primitive(d, e, first, points);
        }
    }
    return good;
}

// ------------------------------------------------------------------------------------------------
// The scene

static bool add_node(dae *d, const hf_xml_element *node, const affine *around, int depth)
{
    affine at = *around;
    if (depth > MOST_NODES_DEEP || ++d->instances > MOST_INSTANCES) {
        return fail(d, node, "nodes within nodes without end");
    }
    for (const hf_xml_element *e = node->first; e != NULL; e = e->next) {
        affine own;
        bool is_map = false, good = read_map(d, e, &own, &is_map);
        if (good && is_map) {
            at = product(&at, &own);
        }
        if (good && strcmp(e->name, "instance_geometry") == 0) {
            const hf_xml_element *g = find(d, "library_geometries", "geometry", value_of(e, "url"));
            good = g == NULL ? fail(d, e, "there is no such geometry") : add_geometry(d, g, &at);
        } else if (good && strcmp(e->name, "node") == 0) {
            good = add_node(d, e, &at, depth + 1);
        } else if (good && strcmp(e->name, "instance_node") == 0) {
            const hf_xml_element *other = find(d, "library_nodes", "node", value_of(e, "url"));
            good = other == NULL ? fail(d, e, "there is no such node")
                                 : add_node(d, other, &at, depth + 1);
        }
        if (!good) {
            return false;
        }
    }
    return true;
}

static bool add_all(dae *d)
{
    affine at = identity();
    const hf_xml_element *asset = hf_xml_child(d->root, "asset");
    const char *meter = value_of(asset == NULL ? NULL : hf_xml_child(asset, "unit"), "meter");
    double unit = meter == NULL ? 1.0 : strtod(meter, NULL);
    if (!(unit > 0.0 && unit < 1e6)) {
        return fail(d, asset, "a unit above zero was expected");
    }
    for (int i = 0; i < 3; ++i) {
        at.m[i][i] = unit;
    }
    const hf_xml_element *scene = hf_xml_child(d->root, "scene");
    const hf_xml_element *which =
        scene == NULL ? NULL : hf_xml_child(scene, "instance_visual_scene");
    const hf_xml_element *shown =
        find(d, "library_visual_scenes", "visual_scene", value_of(which, "url"));
    bool good = shown == NULL || add_node(d, shown, &at, 0);
    // Without a scene: all geometries, as they are
    for (const hf_xml_element *l = hf_xml_child(d->root, "library_geometries");
         l != NULL && shown == NULL; l = hf_xml_next(l)) {
        for (const hf_xml_element *g = hf_xml_child(l, "geometry"); g != NULL && good;
             g = hf_xml_next(g)) {
            good = add_geometry(d, g, &at);
        }
    }
    return good && (d->soup->point_count > 0 ||
                    fail(d, d->root, "a COLLADA file without triangles that its scene shows"));
}

bool hf_dae_parse(const char *text, size_t length, const char *label, hf_soup *soup,
                  hf_error *error)
{
    dae d = {.soup = soup, .error = error};
    *soup = (hf_soup){0};
    d.root = hf_xml_parse(&d.xml, text, length, label, error);
    bool good = d.root != NULL;
    if (good && strcmp(d.root->name, "COLLADA") != 0) {
        good = fail(&d, d.root, "the root of a DAE file is COLLADA");
    }
    good = good && add_all(&d);
    hf_xml_free(&d.xml);
    if (!good) {
        hf_soup_free(soup);
    }
    return good;
}

bool hf_dae_read(const char *path, const char *label, hf_soup *soup, hf_error *error)
{
    char *text = NULL;
    size_t length = 0;
    *soup = (hf_soup){0};
    if (hf_text_read(path, label, false, &text, &length, error) != HF_OK) {
        return false;
    }
    bool good = hf_dae_parse(text, length, label, soup, error);
    free(text);
    return good;
}

// ------------------------------------------------------------------------------------------------

bool hf_dae_is_one(const char *name)
{
    size_t length = strlen(name);
    const char *end = length < 4 ? "" : name + length - 4;
    return strcmp(end, ".dae") == 0 || strcmp(end, ".DAE") == 0;
}

bool hf_any_soup_read(const char *path, const char *label, hf_soup *soup, hf_error *error)
{
    return (hf_dae_is_one(label) ? hf_dae_read : hf_soup_read)(path, label, soup, error);
}

hf_mesh *hf_any_mesh_read(const char *path, const char *label, hf_vec3 scale, hf_error *error)
{
    hf_soup soup;
    hf_error own = {0};
    double moved = 0.0;
    if (!hf_dae_is_one(label)) {
        return hf_mesh_read(path, label, scale, error);
    }
    if (!hf_dae_read(path, label, &soup, error)) {
        return NULL;
    }
    for (size_t i = 0; i < soup.point_count; ++i) {
        hf_vec3 *p = &soup.points[i];
        *p = (hf_vec3){scale.x * p->x, scale.y * p->y, scale.z * p->z};
    }
    hf_mesh *mesh = hf_mesh_create_from(soup.points, soup.point_count, &moved, &own);
    if (mesh == NULL) {
        (void)hf_error_set(error, own.status, "%s: %s", label, own.text);
    }
    hf_soup_free(&soup);
    return mesh;
}
