// SPDX-License-Identifier: Apache-2.0
// Shapes: their names, inertias and checks; convex meshes as the API shows them.
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "math/spatial.h"
#include "shapes/mesh.h"
#include "shapes/triangles.h"
#include "spec/spec_data.h"

const char *hf_shape_name(hf_shape_type type)
{
    static const char *const names[HF_SHAPE_TYPE_COUNT] = {
        [HF_SHAPE_POINT] = "point",       [HF_SHAPE_SPHERE] = "sphere",
        [HF_SHAPE_BOX] = "box",           [HF_SHAPE_CAPSULE] = "capsule",
        [HF_SHAPE_CYLINDER] = "cylinder", [HF_SHAPE_PLANE] = "plane",
        [HF_SHAPE_MESH] = "mesh",         [HF_SHAPE_ELLIPSOID] = "ellipsoid",
        [HF_SHAPE_CONE] = "cone",         [HF_SHAPE_TRIANGLES] = "triangles",
    };
    return (unsigned)type < HF_SHAPE_TYPE_COUNT ? names[type] : NULL;
}

// ------------------------------------------------------------------------------------------------
// Inertia

static hf_sym3 round_inertia(double across, double along)
{
    return (hf_sym3){.xx = across, .yy = across, .zz = along};
}

// A cylinder and two half spheres of radius r, each 3/8 r beyond its end in the mean.
static hf_sym3 capsule_inertia(double r, double length, double mass)
{
    double tube = length / (length + 4.0 / 3.0 * r) * mass, ends = mass - tube;
    double far = 0.5 * length + 0.375 * r;
    double cap = (0.4 - 0.375 * 0.375) * r * r + far * far; // about the center, per kg
    return round_inertia(tube * (0.25 * r * r + length * length / 12.0) + ends * cap,
                         0.5 * tube * r * r + 0.4 * ends * r * r);
}

static hf_sym3 own_inertia(const hf_shape *shape, double mass)
{
    double x = shape->size.x * shape->size.x, y = shape->size.y * shape->size.y,
           z = shape->size.z * shape->size.z;
    switch (shape->type) {
    case HF_SHAPE_SPHERE:
        return round_inertia(0.4 * mass * x, 0.4 * mass * x);
    case HF_SHAPE_BOX:
        return (hf_sym3){
            .xx = mass * (y + z) / 12.0, .yy = mass * (x + z) / 12.0, .zz = mass * (x + y) / 12.0};
    case HF_SHAPE_CAPSULE:
        return capsule_inertia(shape->size.x, shape->size.z, mass);
    case HF_SHAPE_CYLINDER:
        return round_inertia(mass * (0.25 * x + z / 12.0), 0.5 * mass * x);
    case HF_SHAPE_MESH:
    case HF_SHAPE_TRIANGLES: {
        const hf_sym3 *i =
            shape->type == HF_SHAPE_MESH ? &shape->mesh->inertia : &shape->triangles->inertia;
        return (hf_sym3){mass * i->xx, mass * i->yy, mass * i->zz,
                         mass * i->xy, mass * i->xz, mass * i->yz};
    }
    case HF_SHAPE_ELLIPSOID:
        return (hf_sym3){
            .xx = 0.2 * mass * (y + z), .yy = 0.2 * mass * (x + z), .zz = 0.2 * mass * (x + y)};
    case HF_SHAPE_CONE: // about its center of mass
        return round_inertia(mass * (0.15 * x + 0.0375 * z), 0.3 * mass * x);
    case HF_SHAPE_POINT:
    case HF_SHAPE_PLANE:
    case HF_SHAPE_TYPE_COUNT:
        break;
    }
    return (hf_sym3){0};
}

hf_sym3 hf_shape_inertia(hf_shape shape, double mass)
{
    hf_sym3 own = own_inertia(&shape, mass);
    if (hf_quat_norm(shape.turn) == 0.0) {
        return own;
    }
    hf_mat3 turn = hf_quat_rotation(shape.turn);
    return hf_s3_rotated(&turn, &own);
}

static double volume_of(const hf_shape *shape)
{
    const double pi = 3.14159265358979323846;
    double x = shape->size.x, z = shape->size.z;
    switch (shape->type) {
    case HF_SHAPE_SPHERE:
        return 4.0 / 3.0 * pi * x * x * x;
    case HF_SHAPE_BOX:
        return x * shape->size.y * z;
    case HF_SHAPE_CAPSULE:
        return pi * x * x * (z + 4.0 / 3.0 * x);
    case HF_SHAPE_CYLINDER:
        return pi * x * x * z;
    case HF_SHAPE_MESH:
        return shape->mesh->volume;
    case HF_SHAPE_TRIANGLES:
        return shape->triangles->volume;
    case HF_SHAPE_ELLIPSOID:
        return 4.0 / 3.0 * pi * x * shape->size.y * z;
    case HF_SHAPE_CONE:
        return pi * x * x * z / 3.0;
    case HF_SHAPE_POINT:
    case HF_SHAPE_PLANE:
    case HF_SHAPE_TYPE_COUNT:
        break;
    }
    return 0.0;
}

double hf_shape_volume(hf_shape shape)
{
    return volume_of(&shape);
}

// ------------------------------------------------------------------------------------------------
// Meshes

static hf_status fail_hull(hf_hull_fault fault, int count, hf_error *error)
{
    switch (fault) {
    case HF_HULL_OK:
        return HF_OK;
    case HF_HULL_FEW:
        return hf_error_set(error, HF_ERROR_INPUT, "a solid needs at least 4 vertices, got %d",
                            count);
    case HF_HULL_MANY:
        return hf_error_set(error, HF_ERROR_RANGE, "at most %d vertices are read, got %d",
                            HF_HULL_POINTS, count);
    case HF_HULL_NOT_FINITE:
        return hf_error_set(error, HF_ERROR_RANGE, "the vertices must be finite numbers");
    case HF_HULL_SIZE:
        return hf_error_set(error, HF_ERROR_RANGE,
                            "its size must be between 1e-9 m and 1e9 m, and it must not lie a "
                            "million times its size away from its origin");
    case HF_HULL_FLAT:
        return hf_error_set(error, HF_ERROR_RANGE,
                            "its volume is zero: all vertices lie (nearly) in one plane");
    case HF_HULL_VERTICES:
        return hf_error_set(error, HF_ERROR_RANGE,
                            "its convex hull has more than %d vertices; simplify it",
                            HF_HULL_VERTICES_MOST);
    case HF_HULL_ROUNDING:
        return hf_error_set(error, HF_ERROR_RANGE,
                            "its convex hull cannot be found: vertices lie too near to each other");
    case HF_HULL_MEMORY:
        break;
    }
    return hf_error_set(error, HF_ERROR_MEMORY, "out of memory");
}

hf_mesh *hf_mesh_create(const hf_vec3 *points, int count, hf_error *error)
{
    hf_mesh *mesh = NULL;
    (void)fail_hull(hf_hull_make(points, count, true, &mesh), count, error);
    return mesh;
}

void hf_mesh_destroy(hf_mesh *mesh)
{
    free(mesh);
}

hf_mesh_info hf_mesh_get_info(const hf_mesh *mesh)
{
    return (hf_mesh_info){.vertices = mesh->vertex_count,
                          .edges = mesh->edge_count,
                          .faces = mesh->face_count,
                          .volume = mesh->volume,
                          .center = mesh->center,
                          .least = mesh->least,
                          .most = mesh->most,
                          .drawn_volume = mesh->drawn_volume};
}

hf_vec3 hf_mesh_vertex(const hf_mesh *mesh, int vertex)
{
    HF_ASSERT(vertex >= 0 && vertex < mesh->vertex_count);
    return hf_mesh_vertices(mesh)[vertex];
}

int hf_mesh_face(const hf_mesh *mesh, int face, int *vertices, int capacity)
{
    HF_ASSERT(face >= 0 && face < mesh->face_count);
    const hf_mesh_plane *plane = &hf_mesh_faces(mesh)[face];
    for (int i = 0; i < plane->count && i < capacity; ++i) {
        vertices[i] = hf_mesh_corners(mesh)[plane->first + i];
    }
    return plane->count;
}

// ------------------------------------------------------------------------------------------------
// In descriptions

hf_status hf_check_shape(const hf_shape *shape, const char *what, const char *name, hf_error *error)
{
    // Which sizes must be positive, by type.
    static const bool needs[HF_SHAPE_TYPE_COUNT][3] = {
        [HF_SHAPE_SPHERE] = {true, false, false},  [HF_SHAPE_BOX] = {true, true, true},
        [HF_SHAPE_CAPSULE] = {true, false, true},  [HF_SHAPE_CYLINDER] = {true, false, true},
        [HF_SHAPE_ELLIPSOID] = {true, true, true}, [HF_SHAPE_CONE] = {true, false, true},
    };
    if ((unsigned)shape->type >= HF_SHAPE_TYPE_COUNT) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member(what, name, "shape"),
                           "unknown shape");
    }
    const double size[3] = {shape->size.x, shape->size.y, shape->size.z};
    for (int i = 0; i < 3; ++i) {
        if (needs[shape->type][i] && (!(size[i] > 0.0) || !isfinite(size[i]))) {
            return hf_error_at(error, HF_ERROR_RANGE, hf_at_member(what, name, "shape"),
                               "the shape's size must be positive, got %g", size[i]);
        }
    }
    if ((shape->type == HF_SHAPE_MESH && shape->mesh == NULL) ||
        (shape->type == HF_SHAPE_TRIANGLES && shape->triangles == NULL)) {
        return hf_error_at(error, HF_ERROR_INPUT, hf_at_member(what, name, "shape"),
                           "the shape's mesh is missing");
    }
    const hf_quat *turn = &shape->turn;
    if (turn->w == 0.0 && turn->x == 0.0 && turn->y == 0.0 && turn->z == 0.0) {
        return HF_OK;
    }
    return hf_check_unit_quat(&turn->w, what, name, "shape's orientation", error);
}

hf_status hf_check_moving_shape(const hf_shape *shape, const char *what, const char *name,
                                hf_error *error)
{
    if (shape->type == HF_SHAPE_PLANE) {
        return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_member(what, name, "shape"),
                           "only static bodies can have the shape of a plane");
    }
    return hf_check_shape(shape, what, name, error);
}

bool hf_shape_keep(hf_arena *arena, hf_shape *shape)
{
    bool mesh = shape->type == HF_SHAPE_MESH, triangles = shape->type == HF_SHAPE_TRIANGLES;
    shape->mesh = mesh ? hf_arena_copy(arena, shape->mesh, 1, shape->mesh->bytes) : NULL;
    shape->triangles =
        triangles ? hf_arena_copy(arena, shape->triangles, 1, shape->triangles->bytes) : NULL;
    return (!mesh || shape->mesh != NULL) && (!triangles || shape->triangles != NULL);
}
