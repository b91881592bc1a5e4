// SPDX-License-Identifier: Apache-2.0
// Shapes: solids for contacts (and pictures), how they lie on bodies, what their surfaces are made
// of, and which of them touch. Everything here is a plain struct; spec.h puts them on bodies.
#ifndef HOLDFAST_SHAPE_H
#define HOLDFAST_SHAPE_H

#include <stdint.h>

#include <holdfast/base.h>
#include <holdfast/signal.h>

#ifdef __cplusplus
extern "C" {
#endif

// ------------------------------------------------------------------------------------------------
// Convex meshes

// A convex solid: the hull of some points. Its axes are theirs; its origin is its center of mass.
typedef struct hf_mesh hf_mesh;

// The hull of `count` points [m]: at least 4 that are finite and not all (nearly) in one plane.
// Points inside are left out; neighbouring triangles of one plane are one face. NULL on error.
HF_API hf_mesh *hf_mesh_create(const hf_vec3 *points, int count, hf_error *error);
HF_API void hf_mesh_destroy(hf_mesh *mesh); // NULL is allowed

typedef struct hf_mesh_info {
    int vertices, edges, faces;
    double volume;       // [m^3]
    hf_vec3 center;      // of mass, in the frame of the points it was made from [m]
    hf_vec3 least, most; // corners of the box around it, in its own frame [m]
    double drawn_volume; // of the closed surface whose hull it is; 0: not known [m^3]
} hf_mesh_info;
// Sizes of the hull.
HF_API hf_mesh_info hf_mesh_get_info(const hf_mesh *mesh);
// A vertex in the mesh's own frame, 0 to info.vertices - 1 [m].
HF_API hf_vec3 hf_mesh_vertex(const hf_mesh *mesh, int vertex);
// The vertices around a face, 0 to info.faces - 1, counter-clockwise from outside. Returns how many
// there are; at most `capacity` are written.
HF_API int hf_mesh_face(const hf_mesh *mesh, int face, int *vertices, int capacity);

// ------------------------------------------------------------------------------------------------
// Surfaces of triangles

// A surface as it is drawn, convex or not, closed or open: its outside is where its triangles are
// counter-clockwise. Its frame is that of its points.
typedef struct hf_triangles hf_triangles;

// `triangles` triangles, whose corners are three numbers of points each, from 0 on. Equal points
// become one; triangles without an area are left out. NULL on error.
HF_API hf_triangles *hf_triangles_create(const hf_vec3 *points, int count, const int *corners,
                                         int triangles, hf_error *error);
// Heights over a grid in the plane z = 0, row by row, `columns` along x and `rows` along y, size.x
// by size.y large, about the origin [m]. NULL on error.
HF_API hf_triangles *hf_triangles_from_heights(const double *heights, int columns, int rows,
                                               hf_vec3 size, hf_error *error);
HF_API void hf_triangles_destroy(hf_triangles *triangles); // NULL is allowed

typedef struct hf_triangles_info {
    int vertices, triangles;
    bool closed;         // it bounds a solid: volume and center of mass are known
    double volume;       // [m^3]
    hf_vec3 center;      // of mass [m]
    hf_vec3 least, most; // corners of the box around it [m]
} hf_triangles_info;
// Sizes of the surface.
HF_API hf_triangles_info hf_triangles_get_info(const hf_triangles *triangles);
// A vertex, 0 to info.vertices - 1 [m].
HF_API hf_vec3 hf_triangles_vertex(const hf_triangles *triangles, int vertex);
// The vertices of a triangle, 0 to info.triangles - 1, counter-clockwise from outside.
HF_API void hf_triangles_corners(const hf_triangles *triangles, int triangle, int corners[3]);

// Convex parts that fill a closed surface: none of its hollows is filled by more than `tolerance`
// >= 0 [m] of depth. What has flat faces is cut exactly, with a tolerance below its hollows. Writes
// up to `most` meshes, which belong to the caller and have the center of mass of their part in
// info.center; returns how many, 0 on error: the surface is not closed, or `most` do not serve.
HF_API int hf_triangles_cut(const hf_triangles *triangles, double tolerance, hf_mesh **parts,
                            int most, hf_error *error);

// ------------------------------------------------------------------------------------------------
// Solids

// All but triangles are centered on their own origin, which is their center of mass.
typedef enum hf_shape_type {
    HF_SHAPE_POINT,
    HF_SHAPE_SPHERE,    // size.x: radius
    HF_SHAPE_BOX,       // size: full lengths of the edges
    HF_SHAPE_CAPSULE,   // size.x: radius, size.z: length along z between the centers of its ends
    HF_SHAPE_CYLINDER,  // size.x: radius, size.z: length along z
    HF_SHAPE_PLANE,     // all below z = 0; static bodies only
    HF_SHAPE_MESH,      // mesh
    HF_SHAPE_ELLIPSOID, // size: radii along x, y and z
    HF_SHAPE_CONE, // size.x: radius, size.z: height along z; the base is size.z/4 below the center
    HF_SHAPE_TRIANGLES, // triangles, in their own frame. Not with each other
    HF_SHAPE_TYPE_COUNT
} hf_shape_type;

typedef struct hf_shape {
    hf_shape_type type;
    hf_vec3 size;                  // [m]
    hf_quat turn;                  // of the shape, to its body's frame; all zero: none
    const hf_mesh *mesh;           // HF_SHAPE_MESH; copied
    const hf_triangles *triangles; // HF_SHAPE_TRIANGLES; copied
} hf_shape;

// The file name of a shape ("capsule"), or NULL.
HF_API const char *hf_shape_name(hf_shape_type type);
// Volume of a solid [m^3]; zero for a point and a plane.
HF_API double hf_shape_volume(hf_shape shape);
// Inertia of a solid shape of this mass about its center, in its body's axes [kg m^2]; zero for a
// point and a plane.
HF_API hf_sym3 hf_shape_inertia(hf_shape shape, double mass);

// ------------------------------------------------------------------------------------------------
// Surfaces

// How a surface rubs and bounces. NAN: not given here.
typedef struct hf_surface {
    double friction;         // coefficient, >= 0 [-]
    double restitution;      // 0 to 1 [-]
    double spin_friction;    // >= 0 [m]
    double rolling_friction; // >= 0 [m]
} hf_surface;

// Nothing is given.
HF_API hf_surface hf_surface_default(void);

// What one number of two surfaces becomes where they touch.
typedef enum hf_rule {
    HF_RULE_MAXIMUM,
    HF_RULE_MINIMUM,
    HF_RULE_PRODUCT,
    HF_RULE_MEAN,      // (a + b)/2
    HF_RULE_GEOMETRIC, // sqrt(a b)
    HF_RULE_HARMONIC,  // 2 a b/(a + b)
    HF_RULE_COUNT
} hf_rule;

// Its file name ("harmonic"), or NULL, and back; HF_RULE_COUNT when unknown.
HF_API const char *hf_rule_name(hf_rule rule);
HF_API hf_rule hf_rule_find(const char *name);
HF_API double hf_rule_apply(hf_rule rule, double a, double b);

typedef struct hf_material {
    int id; // zero: none
} hf_material;

typedef struct hf_material_def {
    const char *name;
    hf_surface surface;
    double density; // >= 0; 0: not given [kg/m^3]
} hf_material_def;

// Nothing is given.
HF_API hf_material_def hf_material_def_default(void);

// Two things that differ from what their surfaces make of it. Each is a material, a body or a shape
// ("BODY.SHAPE"), by name. Where several pairs fit, the more specific one holds for each number:
// shapes before bodies before materials, the sum of both ends; of equals the last one added.
typedef struct hf_pair_def {
    const char *a, *b;
    hf_surface surface; // NAN: as it would be without this pair
    bool never;         // they never touch
    bool always;        // they may touch whatever their groups and masks say, and where a joint
                        // joins their bodies
} hf_pair_def;

// Nothing is given.
HF_API hf_pair_def hf_pair_def_default(void);

// ------------------------------------------------------------------------------------------------
// Shapes on bodies

// A shape of a body: where it is, what it weighs, what its surface is, what it may touch.
typedef struct hf_shape_def {
    const char *name; // on its body; NULL: "1", "2", ... by its place there. Copied
    hf_shape shape;   // with its turn to the body's frame
    hf_vec3 center;   // of the shape, in the body's frame [m]
    bool drawn;       // of a mesh: `center` is where the origin of its points is, as it was drawn,
                      // and not its center of mass
    double density;   // >= 0, for hf_shapes_mass; 0: weighs nothing [kg/m^3]
    double mass;      // > 0: this in place of density [kg]
    hf_material material;
    hf_surface surface; // before what the material says
    // Two shapes may touch where (a.group & b.mask) | (b.group & a.mask) is not zero.
    uint32_t group, mask;
    // Conveyors and turntables: the velocity of the surface in the body's frame, of its middle and
    // about it. Only what is along the surface counts; the body itself does not move by it.
    hf_vec3 belt;      // [m/s]
    hf_vec3 belt_spin; // [rad/s]
    // With has_belt_speed both are multiplied by this, which may be a signal: belts that start,
    // stop and reverse. It becomes the velocity of a driven body, "BODY.surface" or
    // "BODY.SHAPE.surface", whose position is how far the surface has run.
    hf_value belt_speed; // [-]
    bool has_belt_speed;
    int belt_drive; // id of that body; set by hf_spec_add_shape
    // Friction that depends on direction: surface.friction along this direction of the body's
    // frame, as far as it lies in the surface, and this across it; the largest force lies on an
    // ellipse. Of two such surfaces the one whose two numbers differ more has its way. At most a
    // thousandth or a thousand of the other. NAN: the same in all directions.
    double friction_across;     // >= 0 [-]
    hf_vec3 friction_direction; // not zero
    // In its place the direction that ODE takes where none is given, by the world's axes: on what
    // is flatter than 45 degrees that across x, elsewhere the horizontal one.
    bool friction_by_world;
    // A surface that gives way: below its bound, friction lets it slip with so much velocity for
    // each newton of the tangential force between the two shapes, along the direction and across
    // it. Those of two surfaces add up, along the direction of one. Method timestep alone.
    double slip[2]; // >= 0 [m/(s N)]
} hf_shape_def;

// A shape at the body's origin that weighs nothing, in group 1, with mask 1.
HF_API hf_shape_def hf_shape_def_default(hf_shape_type type);

typedef struct hf_mass_properties {
    double mass;     // [kg]
    hf_vec3 center;  // of mass, in the body's frame [m]
    hf_sym3 inertia; // about that center, body axes [kg m^2]
} hf_mass_properties;

// What shapes weigh together, by their mass or density; overlaps count twice. Zero without any.
HF_API hf_mass_properties hf_shapes_mass(const hf_shape_def *shapes, int count);

#ifdef __cplusplus
}
#endif
#endif
