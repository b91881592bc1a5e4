// SPDX-License-Identifier: Apache-2.0
// Meshes of `asset`, and what a solid of them weighs.
//
// MuJoCo's rules for mass, center and inertia (`inertia`), in double from vertices in single
// precision:
//   legacy  volumes of the tetrahedra between the faces and their common centroid by their sizes,
//           so that non-convex meshes count some of their volume twice
//   exact   the same with signs: the integral over the solid
//   convex  exact, of the convex hull
//   shell   over the surface
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec.h"
#include "robots/mjcf/mjcf.h"
#include "shapes/mesh_file.h"

// As in MuJoCo: twice the area of a facet without a normal [m^2], a volume that is none [m^3].
static const double NO_AREA = 1e-15, NO_VOLUME = 1e-30;

const char *hf_mjcf_asset(hf_mjcf *m, const char *file)
{
    const char *slash = m->now->strip_path ? strrchr(file, '/') : NULL;
    const char *plain = slash == NULL ? file : slash + 1;
    return m->now->mesh_folder == NULL || m->now->mesh_folder[0] == '\0'
               ? hf_robot_print(m->robot, "%s%s", m->now->folder, plain)
               : hf_robot_print(m->robot, "%s%s/%s", m->now->folder, m->now->mesh_folder, plain);
}

typedef enum inertia_rule { CONVEX, EXACT, LEGACY, SHELL } inertia_rule;

hf_mjcf_mesh *hf_mjcf_find_mesh(hf_mjcf *m, const hf_xml_attribute *name)
{
    for (size_t i = 0; i < m->meshes.count; ++i) {
        if (strcmp(m->meshes.items[i].name, name->value) == 0) {
            return &m->meshes.items[i];
        }
    }
    return NULL;
}

// The name of a mesh without one: its file's, without folder and ending.
static const char *stem(hf_robot *robot, const char *prefix, const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *name = slash == NULL ? file : slash + 1, *dot = strrchr(name, '.');
    return hf_robot_print(robot, "%s%.*s", prefix,
                          (int)(dot == NULL ? strlen(name) : (size_t)(dot - name)), name);
}

static bool read_mesh(hf_mjcf *m, hf_xml_element *e)
{
    hf_mjcf_view view;
    if (!hf_mjcf_look(m, e, "mesh", NULL, &view)) {
        return false;
    }
    // Scale and place
    hf_xml_attribute *name = hf_mjcf_get(&view, "name"), *file = hf_mjcf_get(&view, "file");
    hf_mjcf_mesh mesh = {.element = e, .scale = {1, 1, 1}, .turn = {.w = 1.0}};
    double turn[4] = {1, 0, 0, 0};
    if (!hf_mjcf_vec3(m, &view, "scale", &mesh.scale) ||
        !hf_mjcf_vec3(m, &view, "refpos", &mesh.shift) ||
        !hf_mjcf_numbers(m, &view, "refquat", 4, 4, turn, NULL)) {
        return false;
    }
    mesh.turn = hf_quat_normalized((hf_quat){turn[0], turn[1], turn[2], turn[3]});
    // Its name and file
    if (file == NULL) {
        mesh.name = name == NULL ? "" : name->value;
    } else {
        mesh.name = name != NULL ? name->value : stem(m->robot, m->now->prefix, file->value);
        mesh.file = hf_mjcf_asset(m, file->value);
        if (mesh.name == NULL || mesh.file == NULL) {
            return false;
        }
    }
    // Among the others
    void *grown =
        hf_grow(m->meshes.items, m->meshes.count, &m->meshes.capacity, sizeof *m->meshes.items);
    if (grown == NULL) {
        return hf_robot_out_of_memory(m->robot);
    }
    m->meshes.items = grown;
    m->meshes.items[m->meshes.count++] = mesh;
    return true;
}

bool hf_mjcf_read_meshes(hf_mjcf *m)
{
    for (hf_xml_element *a = hf_xml_child(m->root, "asset"); a != NULL; a = hf_xml_next(a)) {
        hf_xml_mark_element(a, HF_FATE_TAKEN, NULL);
        for (hf_xml_element *e = hf_xml_child(a, "mesh"); e != NULL; e = hf_xml_next(e)) {
            if (!read_mesh(m, e)) {
                return false;
            }
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Its triangles, as the geom sees them

static bool load(hf_mjcf *m, const hf_mjcf_mesh *mesh, hf_soup *soup)
{
    hf_robot *robot = m->robot;
    hf_xml_attribute *file = hf_xml_get(mesh->element, "file");
    if (mesh->file == NULL) {
        return hf_xml_fail(mesh->element, robot->error, HF_ERROR_UNSUPPORTED,
                           "a mesh without a file (vertices, builtin) is not understood");
    }
    const char *relative = NULL;
    char *path = hf_robot_resolve(robot, mesh->element, file, mesh->file, &relative);
    if (path == NULL) {
        return false;
    }
    size_t length = strlen(mesh->file);
    if (length > 4 && (strcmp(mesh->file + length - 4, ".msh") == 0)) {
        free(path);
        return hf_xml_fail_at(file, robot->error, HF_ERROR_UNSUPPORTED,
                              "MSH files are not understood: convert it to OBJ or STL");
    }
    // Its triangles
    hf_error own = {0};
    bool read = hf_soup_read(path, relative, soup, &own);
    free(path);
    if (!read) {
        return file != NULL ? hf_xml_fail_at(file, robot->error, own.status, "%s", own.text)
                            : hf_xml_fail(mesh->element, robot->error, own.status, "%s", own.text);
    }
    // Moved and scaled, in single precision as MuJoCo has it
    hf_quat back = {mesh->turn.w, -mesh->turn.x, -mesh->turn.y, -mesh->turn.z};
    hf_mat3 r = hf_quat_rotation(back);
    bool moved = back.w != 1.0 || hf_v3_norm(mesh->shift) > 0.0;
    for (size_t i = 0; i < soup->point_count; ++i) {
        hf_vec3 *p = &soup->points[i];
        hf_vec3 raw = {(double)(float)p->x, (double)(float)p->y, (double)(float)p->z};
        if (moved) {
            raw = hf_m3_mulv(&r, hf_v3_sub(raw, mesh->shift));
        }
        *p = (hf_vec3){mesh->scale.x * raw.x, mesh->scale.y * raw.y, mesh->scale.z * raw.z};
    }
    // A mirror turns the faces inside out.
    if (mesh->scale.x * mesh->scale.y * mesh->scale.z < 0.0) {
        for (size_t i = 0; i < soup->triangle_count; ++i) {
            int one = soup->corners[3 * i];
            soup->corners[3 * i] = soup->corners[3 * i + 1];
            soup->corners[3 * i + 1] = one;
        }
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// What it weighs

typedef struct triangle {
    hf_vec3 a, b, c, center, normal; // normal: of unit length
    double area;
} triangle;

static triangle triangle_at(const hf_soup *soup, size_t i)
{
    const int *corners = &soup->corners[3 * i];
    triangle t = {.a = soup->points[corners[0]],
                  .b = soup->points[corners[1]],
                  .c = soup->points[corners[2]]};
    t.center = hf_v3_scale(1.0 / 3.0, hf_v3_add(hf_v3_add(t.a, t.b), t.c));
    hf_vec3 across = hf_v3_cross(hf_v3_sub(t.b, t.a), hf_v3_sub(t.c, t.a));
    double length = hf_v3_norm(across);
    if (length > NO_AREA) {
        t.normal = hf_v3_scale(1.0 / length, across);
        t.area = 0.5 * length;
    }
    return t;
}

// What a triangle counts, with its tetrahedron to `origin`: a volume, or of a shell an area.
static double share_of(const triangle *t, hf_vec3 origin, inertia_rule rule)
{
    if (rule == SHELL) {
        return t->area;
    }
    double volume = hf_v3_dot(hf_v3_sub(t->center, origin), t->normal) * t->area / 3.0;
    return rule == LEGACY ? fabs(volume) : volume;
}

// Adds to the integrals of x x, y y, z z, x y, x z, y z over a tetrahedron to the origin, or over
// the triangle: (2 sum v v + sum of mixed products) times volume/20, or area/12.
static void add_products(double p[6], const triangle *t, hf_vec3 origin, double share, bool shell)
{
    static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    hf_vec3 a = hf_v3_sub(t->a, origin), b = hf_v3_sub(t->b, origin), c = hf_v3_sub(t->c, origin);
    const double v[3][3] = {{a.x, a.y, a.z}, {b.x, b.y, b.z}, {c.x, c.y, c.z}};
    for (int k = 0; k < 6; ++k) {
        int i = rows[k], j = columns[k];
        double sum = 0.0;
        for (int one = 0; one < 3; ++one) {
            for (int two = 0; two < 3; ++two) {
                sum += v[one][i] * v[two][j] * (one == two ? 2.0 : 1.0);
            }
        }
        p[k] += share * sum / (shell ? 12.0 : 20.0);
    }
}

static bool weigh(hf_mjcf *m, hf_mjcf_mesh *mesh, const hf_soup *soup, inertia_rule rule)
{
    // A point inside
    hf_vec3 middle = {0};
    double area = 0.0;
    for (size_t i = 0; i < soup->triangle_count; ++i) {
        triangle t = triangle_at(soup, i);
        middle = hf_v3_axpy(middle, t.area, t.center);
        area += t.area;
    }
    middle = area > 0.0 ? hf_v3_scale(1.0 / area, middle) : middle;
    // The center by all tetrahedra from there
    double total = 0.0;
    hf_vec3 moment = {0};
    for (size_t i = 0; i < soup->triangle_count; ++i) {
        triangle t = triangle_at(soup, i);
        double share = share_of(&t, middle, rule);
        hf_vec3 at = rule == SHELL
                         ? t.center
                         : hf_v3_add(hf_v3_scale(0.75, t.center), hf_v3_scale(0.25, middle));
        total += share;
        moment = hf_v3_axpy(moment, share, at);
    }
    // Moments about the center
    if (!(total > NO_VOLUME)) {
        return hf_xml_fail(mesh->element, m->robot->error, HF_ERROR_RANGE,
                           "mesh '%.60s' has no volume; its faces may be turned inside out",
                           mesh->name);
    }
    mesh->center = hf_v3_scale(1.0 / total, moment);
    double p[6] = {0};
    for (size_t i = 0; i < soup->triangle_count; ++i) {
        triangle t = triangle_at(soup, i);
        double share = share_of(&t, mesh->center, rule);
        add_products(p, &t, mesh->center, share, rule == SHELL);
        mesh->volume += share; // by their sizes it depends on the point, which here is the center
    }
    mesh->inertia = (hf_sym3){p[1] + p[2], p[0] + p[2], p[0] + p[1], -p[3], -p[4], -p[5]};
    mesh->weighed = true;
    return true;
}

// The faces of the hull as triangles.
static bool hull_soup(hf_mjcf *m, const hf_mjcf_mesh *mesh, hf_soup *soup, hf_vec3 *center)
{
    enum { MOST = 4096 };
    hf_error own = {0};
    double moved;
    // The hull
    hf_mesh *hull = hf_mesh_create_from(soup->points, soup->point_count, &moved, &own);
    if (hull == NULL) {
        return hf_xml_fail(mesh->element, m->robot->error, own.status, "mesh '%.60s': %s",
                           mesh->name, own.text);
    }
    if (moved > 0.0) {
        hf_xml_mark_element(mesh->element, HF_FATE_OTHERWISE,
                            hf_robot_print(m->robot,
                                           "vertices lie close together: for the hull they "
                                           "are moved by up to %.2g m",
                                           moved));
    }
    // Room for its triangles
    hf_mesh_info info = hf_mesh_get_info(hull);
    *center = info.center;
    int *around = malloc(MOST * sizeof *around);
    hf_soup made = {malloc((size_t)info.vertices * sizeof *made.points), (size_t)info.vertices,
                    malloc(6 * (size_t)(info.edges + 1) * sizeof *made.corners), 0};
    bool room = around != NULL && made.points != NULL && made.corners != NULL;
    // Faces as fans
    for (int i = 0; room && i < info.vertices; ++i) {
        made.points[i] = hf_v3_add(hf_mesh_vertex(hull, i), info.center);
    }
    for (int f = 0; room && f < info.faces; ++f) {
        int corners = hf_mesh_face(hull, f, around, MOST);
        for (int k = 2; k < corners && k < MOST; ++k) {
            int *to = &made.corners[3 * made.triangle_count++];
            to[0] = around[0], to[1] = around[k - 1], to[2] = around[k];
        }
    }
    free(around);
    hf_mesh_destroy(hull);
    hf_soup_free(soup);
    *soup = made;
    return room || hf_robot_out_of_memory(m->robot);
}

bool hf_mjcf_weigh_mesh(hf_mjcf *m, hf_mjcf_mesh *mesh)
{
    static const char *const rules[] = {"convex", "exact", "legacy", "shell"};
    if (mesh->weighed) {
        return true;
    }
    hf_mjcf_view view;
    int rule = m->scopes.items[mesh->element->scope].exact_meshes ? EXACT : LEGACY;
    hf_soup soup = {0};
    hf_vec3 center;
    bool done = hf_mjcf_look(m, mesh->element, "mesh", NULL, &view) &&
                hf_mjcf_word(m, &view, "inertia", rules, 4, &rule) && load(m, mesh, &soup) &&
                (rule != CONVEX || hull_soup(m, mesh, &soup, &center)) &&
                weigh(m, mesh, &soup, (inertia_rule)rule);
    hf_soup_free(&soup);
    return done;
}

// The shape of a mesh that collides. refpos and refquat move the mesh in the geom: S R' (v - p);
// with equal scales along all axes this is a turn and a shift of the scaled mesh.
bool hf_mjcf_place_mesh(const hf_mjcf_mesh *mesh, hf_robot_shape *shape)
{
    bool moved = mesh->turn.w != 1.0 || hf_v3_norm(mesh->shift) > 0.0;
    bool even = mesh->scale.x == mesh->scale.y && mesh->scale.y == mesh->scale.z;
    shape->scale = mesh->scale;
    if (moved && even) {
        hf_quat back = {mesh->turn.w, -mesh->turn.x, -mesh->turn.y, -mesh->turn.z};
        shape->turn = hf_quat_mul(shape->turn, back);
        hf_mat3 r = hf_quat_rotation(shape->turn);
        shape->center =
            hf_v3_sub(shape->center, hf_m3_mulv(&r, hf_v3_scale(mesh->scale.x, mesh->shift)));
    }
    return !moved || even;
}

bool hf_mjcf_collide_mesh(hf_mjcf *m, const hf_mjcf_mesh *mesh, hf_robot_shape *shape)
{
    hf_xml_attribute *file = hf_xml_get(mesh->element, "file");
    if (!hf_mjcf_place_mesh(mesh, shape)) {
        hf_xml_mark_element(mesh->element, HF_FATE_MISSING,
                            "refpos and refquat of a mesh whose scale differs between axes");
    }
    return hf_robot_mesh(m->robot, mesh->element, file, mesh->file, shape, &shape->collides);
}
