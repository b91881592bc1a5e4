// SPDX-License-Identifier: Apache-2.0
// A shape somewhere in space: support points, and the face, edge or point that faces a direction.
#include "shapes/solid.h"

// Along a direction with less than this along a cylinder's axis, squared, its barrel looks.
#define BARREL 0.5

// Tilts smaller than this have no direction that rounding would not change [rad].
#define TILT_LEAST 1e-7

// ------------------------------------------------------------------------------------------------
// Farthest points, in the shape's own frame

static int farthest_vertex(const hf_mesh *mesh, hf_vec3 d)
{
    const hf_vec3 *v = hf_mesh_vertices(mesh);
    int best = 0;
    double most = hf_v3_dot(v[0], d);
    // Few vertices: look at all
    if (mesh->vertex_count <= 32) {
        for (int i = 1; i < mesh->vertex_count; ++i) {
            double far = hf_v3_dot(v[i], d);
            if (far > most) {
                most = far;
                best = i;
            }
        }
        return best;
    }
    // Uphill along edges: on a convex polyhedron there is no other summit.
    const int *first = hf_mesh_first_neighbours(mesh), *beside = hf_mesh_neighbours(mesh);
    for (bool up = true; up;) {
        up = false;
        int from = best;
        for (int i = first[from]; i < first[from + 1]; ++i) {
            double far = hf_v3_dot(v[beside[i]], d);
            if (far > most) {
                most = far;
                best = beside[i];
                up = true;
            }
        }
    }
    return best;
}

static int farthest_corner(const hf_piece *piece, hf_vec3 d)
{
    double x = hf_v3_dot(piece->corners[0], d), y = hf_v3_dot(piece->corners[1], d),
           z = hf_v3_dot(piece->corners[2], d);
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

static hf_vec3 local_support(const hf_solid *solid, hf_vec3 d)
{
    hf_vec3 h = solid->half;
    switch (solid->type) {
    case HF_SHAPE_BOX:
        return hf_v3(d.x < 0.0 ? -h.x : h.x, d.y < 0.0 ? -h.y : h.y, d.z < 0.0 ? -h.z : h.z);
    case HF_SHAPE_CAPSULE:
        return hf_v3(0.0, 0.0, d.z < 0.0 ? -h.z : h.z);
    case HF_SHAPE_CYLINDER: {
        double across = sqrt(d.x * d.x + d.y * d.y);
        double s = across > 0.0 ? solid->radius / across : 0.0;
        return hf_v3(s * d.x, s * d.y, d.z < 0.0 ? -h.z : h.z);
    }
    case HF_SHAPE_ELLIPSOID: { // p = A^2 d/|A d|
        hf_vec3 ad = hf_v3(h.x * d.x, h.y * d.y, h.z * d.z);
        double length = hf_v3_norm(ad), s = length > 0.0 ? 1.0 / length : 0.0;
        return hf_v3(s * h.x * ad.x, s * h.y * ad.y, s * h.z * ad.z);
    }
    case HF_SHAPE_CONE: {
        double across = sqrt(d.x * d.x + d.y * d.y), r = solid->radius;
        if (h.z * d.z > r * across - h.z / 3.0 * d.z) {
            return hf_v3(0.0, 0.0, h.z);
        }
        double s = across > 0.0 ? r / across : 0.0;
        return hf_v3(s * d.x, s * d.y, -h.z / 3.0);
    }
    case HF_SOLID_TRIANGLE:
        return solid->piece->corners[farthest_corner(solid->piece, d)];
    case HF_SHAPE_MESH:
        return hf_mesh_vertices(solid->mesh)[farthest_vertex(solid->mesh, d)];
    default:
        return hf_v3(0.0, 0.0, 0.0);
    }
}

hf_vec3 hf_solid_support(const hf_solid *solid, hf_vec3 direction)
{
    return hf_m3_mulv(&solid->rotation,
                      local_support(solid, hf_m3_tmulv(&solid->rotation, direction)));
}

// ------------------------------------------------------------------------------------------------
// Features

static void add_point(hf_feature *f, const hf_mat3 *rotation, hf_vec3 local, int id)
{
    f->points[f->count] = hf_m3_mulv(rotation, local);
    f->ids[f->count++] = id;
}

static void box_face(const hf_solid *box, hf_vec3 d, hf_feature *f)
{
    // Corners of the faces +x, -x, +y, -y, +z, -z; bits of a corner: x, y, z on the positive side.
    static const int corners[6][4] = {{1, 3, 7, 5}, {0, 4, 6, 2}, {2, 6, 7, 3},
                                      {0, 1, 5, 4}, {4, 5, 7, 6}, {0, 2, 3, 1}};
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    int axis = x >= y && x >= z ? 0 : (y >= z ? 1 : 2);
    double along = axis == 0 ? d.x : (axis == 1 ? d.y : d.z);
    double sign = along < 0.0 ? -1.0 : 1.0;
    const int *loop = corners[2 * axis + (along < 0.0)];
    f->normal = hf_m3_mulv(&box->rotation, hf_v3(axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0,
                                                 axis == 2 ? sign : 0.0));
    for (int i = 0; i < 4; ++i) {
        int c = loop[i];
        add_point(f, &box->rotation,
                  hf_v3(c & 1 ? box->half.x : -box->half.x, c & 2 ? box->half.y : -box->half.y,
                        c & 4 ? box->half.z : -box->half.z),
                  c);
    }
}

static void mesh_face(const hf_solid *solid, hf_vec3 d, hf_feature *f)
{
    const hf_mesh *mesh = solid->mesh;
    const hf_mesh_plane *faces = hf_mesh_faces(mesh);
    const int *first = hf_mesh_first_neighbours(mesh), *beside = hf_mesh_beside(mesh);
    int vertex = farthest_vertex(mesh, d), best = beside[first[vertex]];
    for (int i = first[vertex] + 1; i < first[vertex + 1]; ++i) {
        if (hf_v3_dot(faces[beside[i]].normal, d) > hf_v3_dot(faces[best].normal, d)) {
            best = beside[i];
        }
    }
    const int *loop = hf_mesh_corners(mesh) + faces[best].first;
    int count = faces[best].count;
    f->normal = hf_m3_mulv(&solid->rotation, faces[best].normal);
    // A face of more corners than there is room for is seen as a polygon in it.
    int kept = count < HF_POLYGON ? count : HF_POLYGON;
    for (int i = 0; i < kept; ++i) {
        int corner = loop[(int)((long long)i * count / kept)];
        add_point(f, &solid->rotation, hf_mesh_vertices(mesh)[corner], corner);
    }
}

// Of a unit circle, where a direction points: exact for the axes.
static hf_vec3 azimuth(hf_vec3 d)
{
    double across = sqrt(d.x * d.x + d.y * d.y);
    return across > TILT_LEAST ? hf_v3(d.x / across, d.y / across, 0.0) : hf_v3(1.0, 0.0, 0.0);
}

// A disc of radius r at the height z, which looks up or down, from the azimuth `to` on.
static void add_disc(const hf_solid *solid, hf_vec3 to, double z, bool down, hf_feature *f)
{
    // Quarters are exact, so that a cap's four outermost points are opposite each other.
    static const double turns[HF_RIM / 4][2] = {{1.0, 0.0},
                                                {0.92387953251128674, 0.38268343236508977},
                                                {0.70710678118654752, 0.70710678118654752},
                                                {0.38268343236508977, 0.92387953251128674}};
    double r = solid->radius;
    f->normal = hf_m3_mulv(&solid->rotation, hf_v3(0.0, 0.0, down ? -1.0 : 1.0));
    for (int i = 0; i < HF_RIM; ++i) {
        // counter-clockwise from outside: the lower cap the other way round
        int k = down ? (HF_RIM - i) % HF_RIM : i;
        double c = turns[k % (HF_RIM / 4)][0], s = turns[k % (HF_RIM / 4)][1];
        for (int quarter = 0; quarter < k / (HF_RIM / 4); ++quarter) {
            double old = c;
            c = -s;
            s = old;
        }
        add_point(f, &solid->rotation,
                  hf_v3(r * (c * to.x - s * to.y), r * (s * to.x + c * to.y), z),
                  k + (down ? HF_RIM : 0));
    }
}

static void cylinder_face(const hf_solid *solid, hf_vec3 d, hf_feature *f)
{
    double z = d.z < 0.0 ? -solid->half.z : solid->half.z, r = solid->radius;
    hf_vec3 to = azimuth(d);
    if (d.z * d.z < BARREL) {
        // a line of the barrel
        add_point(f, &solid->rotation, hf_v3(r * to.x, r * to.y, -solid->half.z), 0);
        add_point(f, &solid->rotation, hf_v3(r * to.x, r * to.y, solid->half.z), 1);
        return;
    }
    add_disc(solid, to, z, d.z < 0.0, f);
}

// The normal of a cone's side where a direction points, its own frame.
static hf_vec3 cone_side(const hf_solid *cone, hf_vec3 to)
{
    double height = 4.0 / 3.0 * cone->half.z, r = cone->radius;
    double length = sqrt(height * height + r * r);
    return hf_v3(height / length * to.x, height / length * to.y, r / length);
}

// Its base, or the line of its side from the rim to the tip.
static void cone_face(const hf_solid *solid, hf_vec3 d, hf_feature *f)
{
    hf_vec3 to = azimuth(d);
    double base = -solid->half.z / 3.0, r = solid->radius;
    if (-d.z > hf_v3_dot(d, cone_side(solid, to))) {
        add_disc(solid, to, base, true, f);
        return;
    }
    add_point(f, &solid->rotation, hf_v3(r * to.x, r * to.y, base), 0);
    add_point(f, &solid->rotation, hf_v3(0.0, 0.0, solid->half.z), 1);
}

// A triangle has two sides.
static void triangle_face(const hf_solid *solid, hf_vec3 d, hf_feature *f)
{
    const hf_piece *piece = solid->piece;
    bool back = hf_v3_dot(piece->normal, d) < 0.0;
    f->normal = hf_m3_mulv(&solid->rotation, hf_v3_scale(back ? -1.0 : 1.0, piece->normal));
    for (int i = 0; i < 3; ++i) {
        int k = back ? 2 - i : i;
        add_point(f, &solid->rotation, piece->corners[k], k);
    }
}

void hf_solid_face(const hf_solid *solid, hf_vec3 direction, hf_feature *feature)
{
    hf_vec3 d = hf_m3_tmulv(&solid->rotation, direction);
    feature->count = 0;
    switch (solid->type) {
    case HF_SHAPE_BOX:
        box_face(solid, d, feature);
        break;
    case HF_SHAPE_MESH:
        mesh_face(solid, d, feature);
        break;
    case HF_SHAPE_CYLINDER:
        cylinder_face(solid, d, feature);
        break;
    case HF_SOLID_TRIANGLE:
        triangle_face(solid, d, feature);
        break;
    case HF_SHAPE_CONE:
        cone_face(solid, d, feature);
        break;
    case HF_SHAPE_ELLIPSOID:
        add_point(feature, &solid->rotation, local_support(solid, d), 0);
        break;
    case HF_SHAPE_CAPSULE:
        add_point(feature, &solid->rotation, hf_v3(0.0, 0.0, -solid->half.z), 0);
        add_point(feature, &solid->rotation, hf_v3(0.0, 0.0, solid->half.z), 1);
        break;
    default:
        add_point(feature, &solid->rotation, hf_v3(0.0, 0.0, 0.0), 0);
        break;
    }
}

// The neighbour of the farthest vertex to which the way is most across the direction.
static bool mesh_edge(const hf_solid *solid, hf_vec3 d, hf_vec3 ends[2])
{
    const hf_mesh *mesh = solid->mesh;
    const hf_vec3 *v = hf_mesh_vertices(mesh);
    const int *first = hf_mesh_first_neighbours(mesh), *beside = hf_mesh_neighbours(mesh);
    int from = farthest_vertex(mesh, d), to = -1;
    double least = HUGE_VAL;
    for (int i = first[from]; i < first[from + 1]; ++i) {
        hf_vec3 way = hf_v3_sub(v[beside[i]], v[from]);
        double along = fabs(hf_v3_dot(way, d)) / hf_v3_norm(way);
        if (along < least) {
            least = along;
            to = beside[i];
        }
    }
    int low = from < to ? from : to, high = from < to ? to : from;
    ends[0] = hf_m3_mulv(&solid->rotation, v[low]);
    ends[1] = hf_m3_mulv(&solid->rotation, v[high]);
    return true;
}

static bool box_edge(const hf_solid *box, hf_vec3 d, hf_vec3 ends[2])
{
    double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z);
    hf_vec3 low = local_support(box, d), high = low;
    if (x <= y && x <= z) {
        low.x = -box->half.x;
        high.x = box->half.x;
    } else if (y <= z) {
        low.y = -box->half.y;
        high.y = box->half.y;
    } else {
        low.z = -box->half.z;
        high.z = box->half.z;
    }
    ends[0] = hf_m3_mulv(&box->rotation, low);
    ends[1] = hf_m3_mulv(&box->rotation, high);
    return true;
}

static bool triangle_edge(const hf_solid *solid, hf_vec3 d, hf_vec3 ends[2])
{
    const hf_vec3 *c = solid->piece->corners;
    int from = farthest_corner(solid->piece, d), a = (from + 1) % 3, b = (from + 2) % 3;
    hf_vec3 to_a = hf_v3_sub(c[a], c[from]), to_b = hf_v3_sub(c[b], c[from]);
    bool first =
        fabs(hf_v3_dot(to_a, d)) * hf_v3_norm(to_b) <= fabs(hf_v3_dot(to_b, d)) * hf_v3_norm(to_a);
    int to = first ? a : b, low = from < to ? from : to, high = from < to ? to : from;
    ends[0] = hf_m3_mulv(&solid->rotation, c[low]);
    ends[1] = hf_m3_mulv(&solid->rotation, c[high]);
    return true;
}

static void barrel_line(const hf_solid *solid, hf_vec3 d, hf_vec3 ends[2])
{
    double r = solid->radius;
    hf_vec3 to = azimuth(d);
    ends[0] = hf_m3_mulv(&solid->rotation, hf_v3(r * to.x, r * to.y, -solid->half.z));
    ends[1] = hf_m3_mulv(&solid->rotation, hf_v3(r * to.x, r * to.y, solid->half.z));
}

bool hf_solid_edge(const hf_solid *solid, hf_vec3 direction, hf_vec3 ends[2])
{
    if (solid->type == HF_SHAPE_SPHERE || solid->type == HF_SHAPE_ELLIPSOID) {
        return false;
    }
    hf_vec3 d = hf_m3_tmulv(&solid->rotation, direction);
    if (solid->type == HF_SHAPE_CYLINDER) {
        bool line = d.z * d.z < BARREL;
        if (line) {
            barrel_line(solid, d, ends);
        }
        return line;
    }
    if (solid->type == HF_SHAPE_BOX) {
        return box_edge(solid, d, ends);
    }
    if (solid->type == HF_SHAPE_MESH) {
        return mesh_edge(solid, d, ends);
    }
    if (solid->type == HF_SOLID_TRIANGLE) {
        return triangle_edge(solid, d, ends);
    }
    hf_feature feature;
    hf_solid_face(solid, direction, &feature);
    ends[0] = feature.points[0];
    ends[1] = feature.count == 2 ? feature.points[1] : feature.points[0];
    return feature.count == 2;
}

double hf_solid_most_aligned(const hf_solid *solid, hf_vec3 direction)
{
    const hf_mat3 *r = &solid->rotation;
    switch (solid->type) {
    case HF_SHAPE_SPHERE:
    case HF_SHAPE_CAPSULE:
    case HF_SHAPE_ELLIPSOID:
        return -1.0;
    case HF_SHAPE_CYLINDER:
        return fabs(hf_v3_dot(direction, hf_v3(r->xz, r->yz, r->zz)));
    case HF_SHAPE_BOX: {
        hf_vec3 d = hf_m3_tmulv(r, direction);
        double x = fabs(d.x), y = fabs(d.y), z = fabs(d.z), most = x > y ? x : y;
        return most > z ? most : z;
    }
    default:
        return 1.0;
    }
}

// ------------------------------------------------------------------------------------------------
// Ways

static void add_way(const hf_solid *solid, hf_vec3 local, hf_vec3 *ways, int *count)
{
    double length = hf_v3_norm(local);
    if (*count < HF_WAYS && length > 0.0) {
        ways[(*count)++] = hf_m3_mulv(&solid->rotation, hf_v3_scale(1.0 / length, local));
    }
}

static void mesh_ways(const hf_solid *solid, hf_vec3 d, hf_ways *w)
{
    const hf_mesh *mesh = solid->mesh;
    const hf_vec3 *v = hf_mesh_vertices(mesh);
    const int *first = hf_mesh_first_neighbours(mesh), *to = hf_mesh_neighbours(mesh),
              *beside = hf_mesh_beside(mesh);
    int from = farthest_vertex(mesh, d);
    for (int i = first[from]; i < first[from + 1]; ++i) {
        add_way(solid, hf_mesh_faces(mesh)[beside[i]].normal, w->normals, &w->normal_count);
        add_way(solid, hf_v3_sub(v[to[i]], v[from]), w->lines, &w->line_count);
    }
}

void hf_solid_ways(const hf_solid *solid, hf_vec3 direction, hf_ways *w)
{
    hf_vec3 d = hf_m3_tmulv(&solid->rotation, direction);
    const hf_vec3 axes[3] = {{d.x < 0.0 ? -1.0 : 1.0, 0.0, 0.0},
                             {0.0, d.y < 0.0 ? -1.0 : 1.0, 0.0},
                             {0.0, 0.0, d.z < 0.0 ? -1.0 : 1.0}};
    w->normal_count = w->line_count = 0;
    // Normals of faces and lines of edges that look along the direction, by kind of solid
    switch (solid->type) {
    case HF_SHAPE_BOX:
        for (int i = 0; i < 3; ++i) {
            add_way(solid, axes[i], w->normals, &w->normal_count);
            add_way(solid, axes[i], w->lines, &w->line_count);
        }
        break;
    case HF_SHAPE_MESH:
        mesh_ways(solid, d, w);
        break;
    case HF_SOLID_TRIANGLE: {
        const hf_piece *piece = solid->piece;
        double side = hf_v3_dot(piece->normal, d) < 0.0 ? -1.0 : 1.0;
        add_way(solid, hf_v3_scale(side, piece->normal), w->normals, &w->normal_count);
        for (int i = 0; i < 3; ++i) {
            add_way(solid, hf_v3_sub(piece->corners[(i + 1) % 3], piece->corners[i]), w->lines,
                    &w->line_count);
        }
        break;
    }
    case HF_SHAPE_CYLINDER: // its cap, its barrel, and its rim
        add_way(solid, axes[2], w->normals, &w->normal_count);
        add_way(solid, hf_v3(d.x, d.y, 0.0), w->normals, &w->normal_count);
        add_way(solid, axes[2], w->lines, &w->line_count);
        add_way(solid, hf_v3(-d.y, d.x, 0.0), w->lines, &w->line_count);
        break;
    case HF_SHAPE_CONE: { // its base, its side, and its rim
        hf_vec3 to = azimuth(d), side = cone_side(solid, to);
        add_way(solid, hf_v3(0.0, 0.0, -1.0), w->normals, &w->normal_count);
        add_way(solid, side, w->normals, &w->normal_count);
        add_way(solid, hf_v3(-side.z * to.x, -side.z * to.y, hf_v3_dot(side, to)), w->lines,
                &w->line_count);
        add_way(solid, hf_v3(-d.y, d.x, 0.0), w->lines, &w->line_count);
        break;
    }
    case HF_SHAPE_CAPSULE:
        add_way(solid, hf_v3(d.x, d.y, 0.0), w->normals, &w->normal_count);
        add_way(solid, axes[2], w->lines, &w->line_count);
        break;
    default:
        break;
    }
}

double hf_solid_thinness(const hf_solid *s)
{
    switch (s->type) {
    case HF_SHAPE_SPHERE:
    case HF_SHAPE_CAPSULE:
        return s->radius;
    case HF_SHAPE_CYLINDER:
        return fmin(s->radius, s->half.z);
    case HF_SHAPE_CONE:
        return fmin(s->radius, s->half.z / 3.0);
    case HF_SHAPE_PLANE:
    case HF_SHAPE_TRIANGLES:
        return HUGE_VAL;
    default:
        return fmin(s->half.x, fmin(s->half.y, s->half.z));
    }
}
