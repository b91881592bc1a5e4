// SPDX-License-Identifier: Apache-2.0
// Corners, edges, flat faces and rims of solids, in their own frames.
#include "shapes/track_parts.h"

#include <math.h>

// ------------------------------------------------------------------------------------------------
// Corners

static int corner_count(const hf_solid *s)
{
    switch (s->type) {
    case HF_SHAPE_POINT:
    case HF_SHAPE_SPHERE:
    case HF_SHAPE_CONE:
        return 1;
    case HF_SHAPE_CAPSULE:
        return 2;
    case HF_SHAPE_BOX:
        return 8;
    case HF_SHAPE_MESH:
        return s->mesh->vertex_count;
    case HF_SHAPE_TRIANGLES:
        return s->triangles->vertex_count;
    default:
        return 0;
    }
}

hf_vec3 hf_core_corner(const hf_solid *s, int i)
{
    switch (s->type) {
    case HF_SHAPE_CAPSULE:
        return hf_v3(0.0, 0.0, i == 0 ? -s->half.z : s->half.z);
    case HF_SHAPE_BOX:
        return hf_v3((i & 1) != 0 ? s->half.x : -s->half.x, (i & 2) != 0 ? s->half.y : -s->half.y,
                     (i & 4) != 0 ? s->half.z : -s->half.z);
    case HF_SHAPE_MESH:
        return hf_mesh_vertices(s->mesh)[i];
    case HF_SHAPE_TRIANGLES:
        return hf_triangles_vertices(s->triangles)[i];
    case HF_SHAPE_CONE:
        return hf_v3(0.0, 0.0, s->half.z);
    default:
        return hf_v3(0.0, 0.0, 0.0);
    }
}

int hf_core_neighbour(const hf_solid *s, int i, int k)
{
    const int *first, *beside;
    switch (s->type) {
    case HF_SHAPE_CAPSULE:
        return k == 0 ? 1 - i : -1;
    case HF_SHAPE_BOX:
        return k < 3 ? i ^ 1 << k : -1;
    case HF_SHAPE_MESH:
        first = hf_mesh_first_neighbours(s->mesh);
        beside = hf_mesh_neighbours(s->mesh);
        break;
    case HF_SHAPE_TRIANGLES:
        first = hf_triangles_first(s->triangles);
        beside = hf_triangles_neighbours(s->triangles);
        break;
    default:
        return -1;
    }
    return first[i] + k < first[i + 1] ? beside[first[i] + k] : -1;
}

// ------------------------------------------------------------------------------------------------
// Edges

static int edge_count(const hf_solid *s)
{
    return s->type == HF_SHAPE_CAPSULE || s->type == HF_SHAPE_CYLINDER ? 1
           : s->type == HF_SHAPE_BOX                                   ? 12
           : s->type == HF_SHAPE_MESH                                  ? s->mesh->edge_count
                                                                       : 0;
}

static hf_core_edge edge_between(hf_vec3 from, hf_vec3 to, int left, int right)
{
    hf_vec3 along = hf_v3_sub(to, from);
    double length = hf_v3_norm(along);
    return (hf_core_edge){.at = from,
                          .along = hf_v3_scale(1.0 / length, along),
                          .length = length,
                          .left = left,
                          .right = right};
}

// Of a box: four along each axis, at the four signs of the other two. Face 2 k + s is that across
// axis k on the low (0) or high (1) side. Of triangles: 3 f + k is side k of triangle f.
hf_core_edge hf_core_edge_at(const hf_solid *s, int i)
{
    hf_core_edge line =
        edge_between(hf_v3(0.0, 0.0, -s->half.z), hf_v3(0.0, 0.0, s->half.z), -1, -1);
    switch (s->type) {
    case HF_SHAPE_BOX: {
        int axis = i / 4, b = (axis + 1) % 3, c = (axis + 2) % 3;
        int low_b = i & 1, low_c = i >> 1 & 1, from = low_b << b | low_c << c;
        return edge_between(hf_core_corner(s, from), hf_core_corner(s, from | 1 << axis),
                            2 * b + low_b, 2 * c + low_c);
    }
    case HF_SHAPE_MESH: {
        const hf_mesh_edge *e = &hf_mesh_edges(s->mesh)[i];
        return edge_between(hf_core_corner(s, e->from), hf_core_corner(s, e->to), e->left,
                            e->right);
    }
    case HF_SHAPE_TRIANGLES: {
        const hf_facet *f = &hf_triangles_facets(s->triangles)[i / 3];
        return edge_between(hf_core_corner(s, f->corner[i % 3]),
                            hf_core_corner(s, f->corner[(i + 1) % 3]), i / 3, f->beside[i % 3]);
    }
    default: // the line of a capsule or barrel
        line.round = s->radius;
        return line;
    }
}

// ------------------------------------------------------------------------------------------------
// Faces

static int face_count(const hf_solid *s)
{
    switch (s->type) {
    case HF_SHAPE_PLANE:
    case HF_SHAPE_CONE:
        return 1;
    case HF_SHAPE_CYLINDER:
        return 2;
    case HF_SHAPE_BOX:
        return 6;
    case HF_SHAPE_MESH:
        return s->mesh->face_count;
    default:
        return 0;
    }
}

hf_vec3 hf_core_normal(const hf_solid *s, int i)
{
    double side = (i & 1) != 0 ? 1.0 : -1.0;
    switch (s->type) {
    case HF_SHAPE_BOX:
        return hf_v3(i / 2 == 0 ? side : 0.0, i / 2 == 1 ? side : 0.0, i / 2 == 2 ? side : 0.0);
    case HF_SHAPE_MESH:
        return hf_mesh_faces(s->mesh)[i].normal;
    case HF_SHAPE_TRIANGLES:
        return hf_triangles_facets(s->triangles)[i].normal;
    case HF_SHAPE_CYLINDER:
    case HF_SHAPE_CONE:
        return hf_v3(0.0, 0.0, side);
    default:
        return hf_v3(0.0, 0.0, 1.0);
    }
}

hf_vec3 hf_core_face_point(const hf_solid *s, int i)
{
    hf_vec3 n = hf_core_normal(s, i);
    switch (s->type) {
    case HF_SHAPE_BOX:
        return hf_v3(n.x * s->half.x, n.y * s->half.y, n.z * s->half.z);
    case HF_SHAPE_MESH:
        return hf_v3_scale(hf_mesh_faces(s->mesh)[i].offset, n);
    case HF_SHAPE_TRIANGLES:
        return hf_core_corner(s, hf_triangles_facets(s->triangles)[i].corner[0]);
    case HF_SHAPE_CYLINDER:
    case HF_SHAPE_CONE:
        return hf_core_rim_at(s, i).center;
    default:
        return hf_v3(0.0, 0.0, 0.0);
    }
}

// How far inside of a side, from a corner on, of a face with this normal.
static double inside_side(hf_vec3 normal, hf_vec3 from, hf_vec3 to, hf_vec3 p)
{
    hf_vec3 along = hf_v3_sub(to, from);
    return hf_v3_dot(hf_v3_cross(normal, along), hf_v3_sub(p, from)) / hf_v3_norm(along);
}

double hf_core_inside(const hf_solid *s, int i, hf_vec3 p)
{
    double least = HF_TRACK_ENDLESS;
    switch (s->type) {
    case HF_SHAPE_BOX: {
        const double room[3] = {s->half.x - fabs(p.x), s->half.y - fabs(p.y),
                                s->half.z - fabs(p.z)};
        return fmin(room[(i / 2 + 1) % 3], room[(i / 2 + 2) % 3]);
    }
    case HF_SHAPE_CYLINDER:
    case HF_SHAPE_CONE:
        return s->radius - sqrt(p.x * p.x + p.y * p.y);
    case HF_SHAPE_MESH: {
        const hf_mesh_plane *face = &hf_mesh_faces(s->mesh)[i];
        const int *loop = hf_mesh_corners(s->mesh) + face->first;
        const hf_vec3 *v = hf_mesh_vertices(s->mesh);
        for (int k = 0; k < face->count; ++k) {
            least = fmin(least,
                         inside_side(face->normal, v[loop[k]], v[loop[(k + 1) % face->count]], p));
        }
        return least;
    }
    case HF_SHAPE_TRIANGLES: {
        const hf_facet *f = &hf_triangles_facets(s->triangles)[i];
        const hf_vec3 *v = hf_triangles_vertices(s->triangles);
        for (int k = 0; k < 3; ++k) {
            least =
                fmin(least, inside_side(f->normal, v[f->corner[k]], v[f->corner[(k + 1) % 3]], p));
        }
        return least;
    }
    default:
        return least;
    }
}

hf_vec3 hf_core_inwards(const hf_solid *s, const hf_core_edge *edge, int i)
{
    hf_vec3 across = hf_v3_cross(hf_core_normal(s, i), edge->along);
    double size = hf_v3_norm(across);
    // Towards the middle of a box; of others the loop of the left face goes along the edge
    double side = hf_v3_dot(across, edge->at) > 0.0 ? -1.0 : 1.0;
    if (s->type != HF_SHAPE_BOX) {
        side = i == edge->left ? 1.0 : -1.0;
    }
    return hf_v3_scale(side / size, across);
}

// ------------------------------------------------------------------------------------------------
// Rims

int hf_core_rims(const hf_solid *s)
{
    return s->type == HF_SHAPE_CYLINDER ? 2 : s->type == HF_SHAPE_CONE ? 1 : 0;
}

hf_core_rim hf_core_rim_at(const hf_solid *s, int i)
{
    double side = i == 0 ? -1.0 : 1.0;
    double z = s->type == HF_SHAPE_CONE ? -s->half.z / 3.0 : side * s->half.z;
    return (hf_core_rim){hf_v3(0.0, 0.0, z), hf_v3(0.0, 0.0, side), s->radius};
}

hf_vec3 hf_core_stand(const hf_solid *s, int i, int k)
{
    static const double turns[HF_TRACK_STANDS][2] = {
        {1.0, 0.0}, {0.0, 1.0}, {-1.0, 0.0}, {0.0, -1.0}};
    hf_core_rim rim = hf_core_rim_at(s, i);
    hf_vec3 to = s->stand;
    double c = turns[k][0], d = turns[k][1], length = sqrt(to.x * to.x + to.y * to.y);
    double x = length > 0.0 ? to.x / length : 1.0, y = length > 0.0 ? to.y / length : 0.0;
    return hf_v3(rim.radius * (c * x - d * y), rim.radius * (d * x + c * y), rim.center.z);
}

// ------------------------------------------------------------------------------------------------
// Those that are near a sphere

static void add(hf_core_list *list, int *numbers, int *count, int number)
{
    if (*count == HF_CORE_LIST) {
        list->full = true;
        return;
    }
    numbers[(*count)++] = number;
}

static void add_corner(hf_core_list *list, int corner)
{
    bool known = false;
    for (int i = 0; i < list->corner_count && !known; ++i) {
        known = list->corners[i] == corner;
    }
    if (!known) {
        add(list, list->corners, &list->corner_count, corner);
    }
}

// Sides of a triangle at which the surface ends or falls away, and their corners.
static void add_facet(const hf_solid *s, int facet, hf_core_list *list)
{
    const hf_facet *f = &hf_triangles_facets(s->triangles)[facet];
    add(list, list->faces, &list->face_count, facet);
    for (int k = 0; k < 3; ++k) {
        if (f->rim[k] != HF_RIM_CONVEX && f->rim[k] != HF_RIM_FREE) {
            continue;
        }
        add_corner(list, f->corner[k]);
        add_corner(list, f->corner[(k + 1) % 3]);
        if (f->beside[k] < 0 || facet < f->beside[k]) {
            add(list, list->edges, &list->edge_count, 3 * facet + k);
        }
    }
}

// Whether a box is within reach of a point.
static bool is_within(hf_vec3 least, hf_vec3 most, hf_vec3 center, double reach)
{
    return least.x <= center.x + reach && most.x >= center.x - reach &&
           least.y <= center.y + reach && most.y >= center.y - reach &&
           least.z <= center.z + reach && most.z >= center.z - reach;
}

static void near_triangles(const hf_solid *s, hf_vec3 center, double reach, hf_core_list *list)
{
    enum { DEPTH = 96 };
    const hf_triangles *t = s->triangles;
    const hf_facet_node *nodes = hf_triangles_nodes(t);
    const hf_vec3 *v = hf_triangles_vertices(t);
    // Down the tree
    int stack[DEPTH], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const hf_facet_node *node = &nodes[stack[--depth]];
        if (!is_within(node->least, node->most, center, reach)) {
            continue;
        }
        if (node->count == 0 && depth + 2 <= DEPTH) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
        }
        // Triangles of a leaf
        for (int i = node->first; i < node->first + node->count; ++i) {
            const int *c = hf_triangles_facets(t)[i].corner;
            hf_vec3 a = v[c[0]], b = v[c[1]], d = v[c[2]];
            hf_vec3 least = hf_v3(fmin(a.x, fmin(b.x, d.x)), fmin(a.y, fmin(b.y, d.y)),
                                  fmin(a.z, fmin(b.z, d.z)));
            hf_vec3 most = hf_v3(fmax(a.x, fmax(b.x, d.x)), fmax(a.y, fmax(b.y, d.y)),
                                 fmax(a.z, fmax(b.z, d.z)));
            if (is_within(least, most, center, reach)) {
                add_facet(s, i, list);
            }
        }
    }
}

void hf_core_near(const hf_solid *s, hf_vec3 center, double reach, hf_core_list *list)
{
    list->corner_count = list->edge_count = list->face_count = 0;
    list->full = false;
    // Of a plane all
    list->all = isinf(reach);
    if (list->all) {
        list->corner_count = corner_count(s);
        list->face_count = face_count(s);
        return;
    }
    if (s->type == HF_SHAPE_TRIANGLES) {
        near_triangles(s, center, reach, list);
        return;
    }
    // Those within reach
    for (int i = 0; i < corner_count(s); ++i) {
        if (hf_v3_norm(hf_v3_sub(hf_core_corner(s, i), center)) <= reach + hf_solid_round(s)) {
            add(list, list->corners, &list->corner_count, i);
        }
    }
    for (int i = 0; i < edge_count(s); ++i) {
        hf_core_edge e = hf_core_edge_at(s, i);
        double at = hf_v3_dot(e.along, hf_v3_sub(center, e.at));
        at = fmax(0.0, fmin(e.length, at));
        hf_vec3 apart = hf_v3_sub(hf_v3_axpy(e.at, at, e.along), center);
        if (hf_v3_norm(apart) <= reach + e.round) {
            add(list, list->edges, &list->edge_count, i);
        }
    }
    for (int i = 0; i < face_count(s); ++i) {
        hf_vec3 apart = hf_v3_sub(center, hf_core_face_point(s, i));
        if (fabs(hf_v3_dot(hf_core_normal(s, i), apart)) <= reach) {
            add(list, list->faces, &list->face_count, i);
        }
    }
}
