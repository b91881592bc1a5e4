// SPDX-License-Identifier: Apache-2.0
// Which normals of a solid belong to its union with neighbours that never move against it.
#include "shapes/exposed.h"

#include <math.h>

#include "shapes/track_curved.h"

// What rises from p over the plane across n by less than this lies in it: sine of the angle.
#define LIES 1e-6
// Normals lean by this much beside another one, or by this much more than a rise of what is flush
// over half the thinnest side of a solid [rad]; in so many directions. Of a solid's own surface
// less is flush by this part.
#define LEAN  1e-4
#define LEANS 4.0
#define OWN   1e-3
enum { AROUND = 8 };
// A face whose normal is nearer to n than this is the one that n is of [rad].
#define FACES_APART 1e-3
#define PI          3.14159265358979323846

// Of a box, in its frame.
static double outside_box(hf_vec3 half, hf_vec3 p)
{
    return fmax(fabs(p.x) - half.x, fmax(fabs(p.y) - half.y, fabs(p.z) - half.z));
}

static double outside_mesh(const hf_mesh *mesh, hf_vec3 p)
{
    const hf_mesh_plane *faces = hf_mesh_faces(mesh);
    double most = -HUGE_VAL;
    for (int i = 0; i < mesh->face_count; ++i) {
        most = fmax(most, hf_v3_dot(faces[i].normal, p) - faces[i].offset);
    }
    return most;
}

// Over the base, or over the side.
static double outside_cone(const hf_solid *s, hf_vec3 p)
{
    double base = s->half.z / 3.0, height = base + s->half.z, across = sqrt(p.x * p.x + p.y * p.y);
    double side = (height * across - s->radius * (s->half.z - p.z)) /
                  sqrt(height * height + s->radius * s->radius);
    return fmax(-base - p.z, side);
}

// How far a point is from a triangle, or from the plane of one that it is over.
static double from_facet(const hf_solid *s, int facet, hf_vec3 p)
{
    const hf_facet *f = &hf_triangles_facets(s->triangles)[facet];
    const hf_vec3 *v = hf_triangles_vertices(s->triangles);
    double outside = fmax(0.0, -hf_core_inside(s, facet, p));
    return fmax(outside, fabs(hf_v3_dot(f->normal, hf_v3_sub(p, v[f->corner[0]]))));
}

static double outside_surface(const hf_solid *s, hf_vec3 p, double near)
{
    hf_core_list list;
    hf_core_near(s, p, near, &list);
    double least = HUGE_VAL;
    for (int i = 0; i < list.face_count; ++i) {
        least = fmin(least, from_facet(s, list.faces[i], p));
    }
    return least;
}

// How far p is over the face that it is farthest out of, at most `near` beyond a surface of
// triangles; negative: inside.
static double outside(const hf_solid *s, hf_vec3 world, double near)
{
    const hf_spot spot = {s->rotation, s->center};
    hf_vec3 p = hf_spot_local(&spot, world), h = s->half;
    switch (s->type) {
    case HF_SHAPE_PLANE:
        return p.z;
    case HF_SHAPE_BOX:
        return outside_box(h, p);
    case HF_SHAPE_MESH:
        return outside_mesh(s->mesh, p);
    case HF_SHAPE_TRIANGLES:
        return outside_surface(s, p, near);
    case HF_SHAPE_CYLINDER:
        return fmax(fabs(p.z) - h.z, sqrt(p.x * p.x + p.y * p.y) - s->radius);
    case HF_SHAPE_CONE:
        return outside_cone(s, p);
    case HF_SHAPE_CAPSULE:
        p.z -= fmax(-h.z, fmin(h.z, p.z));
        return hf_v3_norm(p) - s->radius;
    case HF_SHAPE_ELLIPSOID: { // to first order
        double f = hf_v3_norm(hf_v3(p.x / h.x, p.y / h.y, p.z / h.z));
        hf_vec3 slope = hf_v3(p.x / (h.x * h.x), p.y / (h.y * h.y), p.z / (h.z * h.z));
        return f > 0.5 ? f * (f - 1.0) / hf_v3_norm(slope) : -0.5 * fmin(h.x, fmin(h.y, h.z));
    }
    default:
        return hf_v3_norm(p) - s->radius;
    }
}

bool hf_solid_has(const hf_solid *s, hf_vec3 p, double near)
{
    return outside(s, p, near) <= near;
}

// Whether y rises from p over the plane across n.
static bool rises(hf_vec3 y, hf_vec3 p, hf_vec3 n, double near)
{
    hf_vec3 way = hf_v3_sub(y, p);
    return hf_v3_dot(n, way) > near + LIES * hf_v3_norm(way);
}

// Near p a surface is the triangles that have p: its directions are those to their corners, and
// inwards.
static bool is_surface_before(const hf_solid *s, hf_vec3 p, hf_vec3 n, double near)
{
    const hf_spot spot = {s->rotation, s->center};
    hf_vec3 at = hf_spot_local(&spot, p), normal = hf_m3_tmulv(&s->rotation, n), out = {0};
    const hf_vec3 *v = hf_triangles_vertices(s->triangles);
    hf_core_list list;
    hf_core_near(s, at, near, &list);
    bool before = false;
    for (int i = 0; i < list.face_count; ++i) {
        const hf_facet *f = &hf_triangles_facets(s->triangles)[list.faces[i]];
        if (!(from_facet(s, list.faces[i], at) <= near)) {
            continue;
        }
        out = hf_v3_add(out, f->normal);
        for (int k = 0; k < 3; ++k) {
            before = before || rises(v[f->corner[k]], at, normal, near);
        }
    }
    return before || hf_v3_dot(normal, out) < -LIES;
}

bool hf_solid_is_before(const hf_solid *s, hf_vec3 p, hf_vec3 n, double near)
{
    if (s->type == HF_SHAPE_TRIANGLES) {
        return is_surface_before(s, p, n, near);
    }
    if (!hf_solid_has(s, p, near)) {
        return false;
    }
    if (s->type == HF_SHAPE_PLANE) {
        hf_vec3 up = hf_v3(s->rotation.xz, s->rotation.yz, s->rotation.zz);
        return hf_v3_norm(hf_v3_sub(n, up)) > LIES;
    }
    hf_vec3 top = hf_v3_axpy(hf_solid_support(s, n), hf_solid_round(s), n);
    return rises(hf_v3_add(s->center, top), p, n, near);
}

bool hf_solid_hides(const hf_solid *b, const hf_solid *a, hf_vec3 p, hf_vec3 n, double near)
{
    return hf_solid_has(b, p, near) &&
           (hf_solid_is_before(b, p, n, near) || hf_solid_is_before(a, p, n, near));
}

// Where p is on several faces of a solid: their normals, at most `most`. Of an edge the normals are
// those between two faces, and no direction that leans aside from these is one of its own.
static int faces_at(const hf_solid *s, hf_vec3 world, double near, hf_vec3 *normals, int most)
{
    const hf_spot spot = {s->rotation, s->center};
    const hf_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    hf_vec3 p = hf_spot_local(&spot, world);
    const double at[3] = {p.x, p.y, p.z}, half[3] = {s->half.x, s->half.y, s->half.z};
    int count = 0;
    // Of a box, a mesh, or around a cap
    for (int i = 0; s->type == HF_SHAPE_BOX && i < 3; ++i) {
        if (fabs(at[i]) >= half[i] - near) {
            normals[count++] = hf_v3_scale(at[i] < 0.0 ? -1.0 : 1.0, axes[i]);
        }
    }
    const hf_mesh_plane *faces = s->type == HF_SHAPE_MESH ? hf_mesh_faces(s->mesh) : NULL;
    for (int i = 0; faces != NULL && i < s->mesh->face_count && count < most; ++i) {
        if (hf_v3_dot(faces[i].normal, p) - faces[i].offset >= -near) {
            normals[count++] = faces[i].normal;
        }
    }
    double across = sqrt(p.x * p.x + p.y * p.y);
    if ((s->type == HF_SHAPE_CYLINDER || s->type == HF_SHAPE_CONE) && across > near) {
        normals[count++] = hf_v3(p.x / across, p.y / across, 0.0);
    }
    for (int i = 0; i < count; ++i) {
        normals[i] = hf_m3_mulv(&s->rotation, normals[i]);
    }
    return count;
}

// Directions in which normals lean from n: those towards a's other faces at p, and all around.
static int directions_at(const hf_solid *a, hf_vec3 p, hf_vec3 n, double near, hf_vec3 *ways)
{
    hf_vec3 x = hf_any_across(n), y = hf_v3_cross(n, x);
    int found = faces_at(a, p, near, ways, AROUND), count = 0;
    for (int i = 0; i < found; ++i) {
        hf_vec3 way = hf_v3_axpy(ways[i], -hf_v3_dot(ways[i], n), n);
        double size = hf_v3_norm(way);
        if (size > FACES_APART) {
            ways[count++] = hf_v3_scale(1.0 / size, way);
        }
    }
    for (int k = 0; k < AROUND; ++k) {
        double w = 2.0 * PI * k / AROUND;
        ways[count++] = hf_v3_add(hf_v3_scale(cos(w), x), hf_v3_scale(sin(w), y));
    }
    return count;
}

bool hf_solid_ends(const hf_solid *b, const hf_solid *a, hf_vec3 p, hf_vec3 n, double near)
{
    if (!hf_solid_has(b, p, near)) {
        return false;
    }
    // By a little more than what is flush can seem to
    double thin = fmin(hf_solid_thinness(b), b->reach);
    double lean = fmax(LEAN, thin > 0.0 ? LEANS * near / thin : 0.0);
    hf_vec3 ways[2 * AROUND];
    int count = directions_at(a, p, n, near, ways);
    bool ends = false;
    for (int k = 0; k < count && !ends; ++k) {
        hf_vec3 to = hf_v3_axpy(n, lean, ways[k]);
        to = hf_v3_scale(1.0 / hf_v3_norm(to), to);
        ends = !hf_solid_is_before(a, p, to, OWN * near) && hf_solid_is_before(b, p, to, near);
    }
    return ends;
}
