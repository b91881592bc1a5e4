// SPDX-License-Identifier: Apache-2.0
// Convex polyhedra from the triangles of a hull: triangles of one plane become one face, and the
// integrals over the solid give its mass properties.
#include "shapes/mesh.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "base/carve.h"
#include "shapes/hull.h"

// Triangles whose corners are nearer than this part of the size to a larger one's plane lie in it:
// coordinates in single precision, as STL has them, are off by 1e-7.
#define COPLANAR 1e-6
// Sizes between which the sixth powers of coordinates stay normal numbers [m].
#define SIZE_LEAST 1e-9
#define SIZE_MOST  1e9
// Distance from the origin, in sizes, beyond which rounding would spoil the shape.
#define FAR 1e6

// A mesh being made. All arrays are of the triangles' number or three times that.
typedef struct builder {
    hf_hull hull;
    int *face_of;   // triangle -> face
    int *order;     // triangles, the largest first
    double *area;   // by triangle
    int *loop;      // vertices (points) around faces, face by face
    int *first;     // [faces + 1] in loop
    int face_count; //
    int *number;    // [points] of a vertex; -1: none
    int *uses;      // [points] faces around a vertex
    int *next;      // [points] scratch: the vertex after this one in a loop
    int vertex_count;
} builder;

static void free_builder(builder *b)
{
    hf_hull_free(&b->hull);
    free(b->face_of);
    free(b->order);
    free(b->area);
    free(b->loop);
    free(b->first);
    free(b->number);
    free(b->uses);
    free(b->next);
}

// ------------------------------------------------------------------------------------------------
// Faces

// By size, the largest first; then by number. A heap, because qsort may not keep equal ones apart.
static bool is_before(const builder *b, int x, int y)
{
    return b->area[x] != b->area[y] ? b->area[x] > b->area[y] : x < y;
}

static void sift(builder *b, int root, int count)
{
    for (int child = 2 * root + 1; child < count; root = child, child = 2 * root + 1) {
        if (child + 1 < count && is_before(b, b->order[child], b->order[child + 1])) {
            ++child;
        }
        if (!is_before(b, b->order[root], b->order[child])) {
            return;
        }
        int other = b->order[root];
        b->order[root] = b->order[child];
        b->order[child] = other;
    }
}

static int order_triangles(builder *b)
{
    int count = 0;
    // Triangles that are left, with their areas
    for (int i = 0; i < b->hull.count; ++i) {
        const hf_hull_triangle *t = &b->hull.triangles[i];
        const hf_vec3 *p = b->hull.points;
        b->face_of[i] = -1;
        if (!t->dead) {
            b->area[i] = hf_v3_norm(hf_v3_cross(hf_v3_sub(p[t->corner[1]], p[t->corner[0]]),
                                                hf_v3_sub(p[t->corner[2]], p[t->corner[0]])));
            b->order[count++] = i;
        }
    }
    // Sorted by area, with a heap
    for (int i = count / 2 - 1; i >= 0; --i) {
        sift(b, i, count);
    }
    for (int i = count - 1; i > 0; --i) {
        int last = b->order[0];
        b->order[0] = b->order[i];
        b->order[i] = last;
        sift(b, 0, i);
    }
    // the heap put the last first
    for (int i = 0, j = count - 1; i < j; ++i, --j) {
        int other = b->order[i];
        b->order[i] = b->order[j];
        b->order[j] = other;
    }
    return count;
}

static bool lies_in(const builder *b, const hf_hull_triangle *t, const hf_hull_triangle *plane,
                    double tolerance)
{
    bool in = hf_v3_dot(t->normal, plane->normal) > -0.5; // slivers have any normal
    for (int k = 0; k < 3; ++k) {
        hf_vec3 p = b->hull.points[t->corner[k]];
        in = in && fabs(hf_v3_dot(plane->normal, p) - plane->offset) <= tolerance;
    }
    return in;
}

// All triangles of a face, from its largest; the stack is the hull's.
static void flood_face(builder *b, int seed, int face, double tolerance)
{
    const hf_hull_triangle *plane = &b->hull.triangles[seed];
    int depth = 0;
    b->hull.stack[depth++] = seed;
    b->face_of[seed] = face;
    while (depth > 0) {
        const hf_hull_triangle *t = &b->hull.triangles[b->hull.stack[--depth]];
        for (int k = 0; k < 3; ++k) {
            int other = t->beside[k];
            if (b->face_of[other] < 0 && lies_in(b, &b->hull.triangles[other], plane, tolerance)) {
                b->face_of[other] = face;
                b->hull.stack[depth++] = other;
            }
        }
    }
}

// The vertices around face number `face`, which begins with the triangle `seed`. Returns how many,
// or -1 when its outline is no single loop.
static int outline(builder *b, const int *list, int count, int face, int *loop)
{
    int start = -1, edges = 0;
    for (int i = 0; i < count; ++i) {
        const hf_hull_triangle *t = &b->hull.triangles[list[i]];
        for (int k = 0; k < 3; ++k) {
            if (b->face_of[t->beside[k]] != face) {
                b->next[t->corner[k]] = t->corner[(k + 1) % 3];
                start = start < 0 || t->corner[k] < start ? t->corner[k] : start;
                ++edges;
            }
        }
    }
    int at = start, found = 0;
    do {
        if (found == edges || at < 0) {
            return -1;
        }
        loop[found++] = at;
        at = b->next[at];
    } while (at != start);
    return found == edges ? found : -1;
}

static hf_hull_fault find_faces(builder *b, double size)
{
    int triangles = order_triangles(b);
    for (int i = 0; i < triangles; ++i) {
        if (b->face_of[b->order[i]] < 0) {
            flood_face(b, b->order[i], b->face_count++, COPLANAR * size);
        }
    }
    // triangles face by face: a counting sort
    int *place = b->hull.edges;
    memset(place, 0, ((size_t)b->face_count + 1) * sizeof *place);
    for (int i = 0; i < b->hull.count; ++i) {
        if (b->face_of[i] >= 0) {
            ++place[b->face_of[i] + 1];
        }
    }
    for (int f = 0; f < b->face_count; ++f) {
        place[f + 1] += place[f];
    }
    for (int i = 0; i < b->hull.count; ++i) {
        if (b->face_of[i] >= 0) {
            b->order[place[b->face_of[i]]++] = i;
        }
    }
    int used = 0;
    for (int f = 0; f < b->face_count; ++f) {
        int from = f == 0 ? 0 : place[f - 1];
        // hf_hull_make frees all that it has made.
        // NOLINTNEXTLINE(clang-analyzer-unix.Malloc)
        int found = outline(b, b->order + from, place[f] - from, f, b->loop + used);
        if (found < 3) {
            return HF_HULL_ROUNDING;
        }
        b->first[f] = used;
        used += found;
    }
    b->first[b->face_count] = used;
    return HF_HULL_OK;
}

// Points with fewer than three faces around them lie on an edge or in a face: they go.
static hf_hull_fault number_vertices(builder *b)
{
    int used = 0;
    for (int i = 0; i < b->first[b->face_count]; ++i) {
        ++b->uses[b->loop[i]];
    }
    for (int f = 0; f < b->face_count; ++f) {
        int from = b->first[f], to = b->first[f + 1];
        b->first[f] = used;
        for (int i = from; i < to; ++i) {
            if (b->uses[b->loop[i]] >= 3) {
                b->loop[used++] = b->loop[i];
            }
        }
        if (used - b->first[f] < 3) {
            return HF_HULL_ROUNDING;
        }
    }
    b->first[b->face_count] = used;
    for (int i = 0; i < b->hull.point_count; ++i) {
        b->number[i] = b->uses[i] >= 3 ? b->vertex_count++ : -1;
    }
    return HF_HULL_OK;
}

// ------------------------------------------------------------------------------------------------
// The block

static hf_mesh *allocate_mesh(const builder *b)
{
    hf_mesh plan = {.vertex_count = b->vertex_count,
                    .face_count = b->face_count,
                    .corner_count = b->first[b->face_count]};
    plan.edge_count = plan.corner_count / 2;
    size_t vertices = (size_t)plan.vertex_count, corners = (size_t)plan.corner_count;
    hf_carver c = {0};
    (void)hf_carve_offset(&c, 1, sizeof plan);
    plan.vertices = hf_carve_offset(&c, vertices, sizeof(hf_vec3));
    plan.faces = hf_carve_offset(&c, (size_t)plan.face_count, sizeof(hf_mesh_plane));
    plan.edges = hf_carve_offset(&c, corners / 2, sizeof(hf_mesh_edge));
    plan.corners = hf_carve_offset(&c, corners, sizeof(int));
    plan.first_neighbours = hf_carve_offset(&c, vertices + 1, sizeof(int));
    plan.neighbours = hf_carve_offset(&c, corners, sizeof(int));
    plan.beside = hf_carve_offset(&c, corners, sizeof(int));
    plan.bytes = c.used;
    hf_mesh *mesh = c.overflow ? NULL : calloc(1, plan.bytes);
    if (mesh != NULL) {
        *mesh = plan;
    }
    return mesh;
}

// The arrays behind a mesh, to be written.
typedef struct arrays {
    hf_vec3 *vertices;
    hf_mesh_plane *faces;
    hf_mesh_edge *edges;
    int *corners, *first_neighbours, *neighbours, *beside;
} arrays;

static arrays arrays_of(hf_mesh *mesh)
{
    char *base = (char *)mesh;
    return (arrays){(hf_vec3 *)(void *)(base + mesh->vertices),
                    (hf_mesh_plane *)(void *)(base + mesh->faces),
                    (hf_mesh_edge *)(void *)(base + mesh->edges),
                    (int *)(void *)(base + mesh->corners),
                    (int *)(void *)(base + mesh->first_neighbours),
                    (int *)(void *)(base + mesh->neighbours),
                    (int *)(void *)(base + mesh->beside)};
}

// Newell's normal of a loop, and the plane that has none of its vertices outside.
static void set_face(const arrays *a, hf_mesh_plane *face)
{
    const int *loop = a->corners + face->first;
    hf_vec3 origin = a->vertices[loop[0]], sum = {0};
    for (int i = 1; i + 1 < face->count; ++i) {
        sum = hf_v3_add(sum, hf_v3_cross(hf_v3_sub(a->vertices[loop[i]], origin),
                                         hf_v3_sub(a->vertices[loop[i + 1]], origin)));
    }
    face->normal = hf_v3_scale(1.0 / hf_v3_norm(sum), sum);
    face->offset = -HUGE_VAL;
    for (int i = 0; i < face->count; ++i) {
        face->offset = fmax(face->offset, hf_v3_dot(face->normal, a->vertices[loop[i]]));
    }
}

// A half edge seen from each vertex: the neighbour and the face on the left.
static hf_hull_fault set_edges(hf_mesh *mesh, const arrays *a)
{
    // Where the neighbours of each vertex begin
    for (int i = 0; i < mesh->corner_count; ++i) {
        ++a->first_neighbours[a->corners[i] + 1];
    }
    for (int i = 0; i < mesh->vertex_count; ++i) {
        a->first_neighbours[i + 1] += a->first_neighbours[i];
    }
    int *filled = calloc((size_t)mesh->vertex_count + 1, sizeof *filled);
    int *left = a->beside;
    if (filled == NULL) {
        return HF_HULL_MEMORY;
    }
    // The next vertex of each corner, and the face on its left
    for (int f = 0; f < mesh->face_count; ++f) {
        const int *loop = a->corners + a->faces[f].first;
        for (int i = 0; i < a->faces[f].count; ++i) {
            int from = loop[i], at = a->first_neighbours[from] + filled[from]++;
            a->neighbours[at] = loop[(i + 1) % a->faces[f].count];
            left[at] = f;
        }
    }
    // An edge has a way forth and a way back, and a face on either side
    int edges = 0;
    for (int from = 0; from < mesh->vertex_count; ++from) {
        for (int i = a->first_neighbours[from]; i < a->first_neighbours[from + 1]; ++i) {
            int to = a->neighbours[i], back = a->first_neighbours[to];
            while (back < a->first_neighbours[to + 1] && a->neighbours[back] != from) {
                ++back;
            }
            if (back == a->first_neighbours[to + 1]) {
                edges = -1; // a loop that its neighbour does not know
                break;
            }
            if (from < to) {
                a->edges[edges++] = (hf_mesh_edge){from, to, left[i], left[back]};
            }
        }
        if (edges < 0) {
            break;
        }
    }
    free(filled);
    return edges == mesh->edge_count && 2 * edges == mesh->corner_count ? HF_HULL_OK
                                                                        : HF_HULL_ROUNDING;
}

// Integrals of 1, x and x x' over tetrahedra from a point inside to the faces:
//   V = det/6,   V (a + b + c)/4,   V/20 ((a + b + c)(a + b + c)' + a a' + b b' + c c')
static void integrate(hf_mesh *mesh, const arrays *a)
{
    hf_vec3 inside = {0}, first = {0};
    for (int i = 0; i < mesh->vertex_count; ++i) {
        inside = hf_v3_axpy(inside, 1.0 / mesh->vertex_count, a->vertices[i]);
    }
    double volume = 0.0;
    hf_sym3 second = {0};
    for (int f = 0; f < mesh->face_count; ++f) {
        const int *loop = a->corners + a->faces[f].first;
        for (int i = 1; i + 1 < a->faces[f].count; ++i) {
            const hf_vec3 p[3] = {hf_v3_sub(a->vertices[loop[0]], inside),
                                  hf_v3_sub(a->vertices[loop[i]], inside),
                                  hf_v3_sub(a->vertices[loop[i + 1]], inside)};
            double v = hf_v3_dot(p[0], hf_v3_cross(p[1], p[2])) / 6.0;
            hf_vec3 sum = hf_v3_add(hf_v3_add(p[0], p[1]), p[2]);
            volume += v;
            first = hf_v3_axpy(first, 0.25 * v, sum);
            const hf_vec3 parts[4] = {sum, p[0], p[1], p[2]};
            for (int k = 0; k < 4; ++k) {
                hf_vec3 s = hf_v3_scale(0.05 * v, parts[k]), q = parts[k];
                second =
                    (hf_sym3){second.xx + s.x * q.x, second.yy + s.y * q.y, second.zz + s.z * q.z,
                              second.xy + s.x * q.y, second.xz + s.x * q.z, second.yz + s.y * q.z};
            }
        }
    }
    hf_vec3 c = hf_v3_scale(1.0 / volume, first); // from `inside`
    double s = 1.0 / volume;
    hf_sym3 m = {s * second.xx - c.x * c.x, s * second.yy - c.y * c.y, s * second.zz - c.z * c.z,
                 s * second.xy - c.x * c.y, s * second.xz - c.x * c.z, s * second.yz - c.y * c.z};
    mesh->volume = volume;
    mesh->center = hf_v3_add(inside, c);
    mesh->inertia = (hf_sym3){m.yy + m.zz, m.xx + m.zz, m.xx + m.yy, -m.xy, -m.xz, -m.yz};
}

static void set_bounds(hf_mesh *mesh, const arrays *a)
{
    mesh->least = mesh->most = a->vertices[0];
    for (int i = 0; i < mesh->vertex_count; ++i) {
        hf_vec3 v = a->vertices[i], *least = &mesh->least, *most = &mesh->most;
        *least = hf_v3(fmin(least->x, v.x), fmin(least->y, v.y), fmin(least->z, v.z));
        *most = hf_v3(fmax(most->x, v.x), fmax(most->y, v.y), fmax(most->z, v.z));
        mesh->radius = fmax(mesh->radius, hf_v3_norm(v));
    }
}

static hf_hull_fault make_mesh(const builder *b, bool centered, hf_mesh **made)
{
    hf_mesh *mesh = allocate_mesh(b);
    if (mesh == NULL) {
        return HF_HULL_MEMORY;
    }
    arrays a = arrays_of(mesh);
    // Vertices, loops and faces
    for (int i = 0; i < b->hull.point_count; ++i) {
        if (b->number[i] >= 0) {
            a.vertices[b->number[i]] = b->hull.points[i];
        }
    }
    for (int i = 0; i < mesh->corner_count; ++i) {
        a.corners[i] = b->number[b->loop[i]];
    }
    for (int f = 0; f < mesh->face_count; ++f) {
        a.faces[f].first = b->first[f];
        a.faces[f].count = b->first[f + 1] - b->first[f];
    }
    // Volume and center; about the center if asked for
    integrate(mesh, &a);
    for (int i = 0; centered && i < mesh->vertex_count; ++i) {
        a.vertices[i] = hf_v3_sub(a.vertices[i], mesh->center);
    }
    for (int f = 0; f < mesh->face_count; ++f) {
        set_face(&a, &a.faces[f]);
    }
    // Bounds and edges
    set_bounds(mesh, &a);
    hf_hull_fault fault = set_edges(mesh, &a);
    if (fault == HF_HULL_OK && !(mesh->volume > 0.0)) {
        fault = HF_HULL_FLAT;
    }
    if (fault != HF_HULL_OK) {
        free(mesh);
        mesh = NULL;
    }
    *made = mesh;
    return fault;
}

static hf_hull_fault check_points(const hf_vec3 *points, int count, double *size)
{
    hf_vec3 least = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, most = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    if (count < 4 || count > HF_HULL_POINTS) {
        return count < 4 ? HF_HULL_FEW : HF_HULL_MANY;
    }
    for (int i = 0; i < count; ++i) {
        hf_vec3 p = points[i];
        if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) {
            return HF_HULL_NOT_FINITE;
        }
        least = hf_v3(fmin(least.x, p.x), fmin(least.y, p.y), fmin(least.z, p.z));
        most = hf_v3(fmax(most.x, p.x), fmax(most.y, p.y), fmax(most.z, p.z));
    }
    *size = hf_v3_norm(hf_v3_sub(most, least));
    double far = fmax(hf_v3_norm(least), hf_v3_norm(most));
    if (*size == 0.0) {
        return HF_HULL_FLAT;
    }
    bool fits = *size >= SIZE_LEAST && far <= SIZE_MOST && far <= FAR * *size;
    return fits ? HF_HULL_OK : HF_HULL_SIZE;
}

hf_hull_fault hf_hull_make(const hf_vec3 *points, int count, bool centered, hf_mesh **mesh)
{
    *mesh = NULL;
    // Points that span a solid
    double size = 0.0;
    hf_hull_fault fault = check_points(points, count, &size);
    if (fault != HF_HULL_OK) {
        return fault;
    }
    // Triangles, then faces: triangles in one plane become a polygon
    builder b = {.hull = {.points = points, .point_count = count}};
    fault = hf_hull_triangulate(&b.hull);
    if (fault == HF_HULL_OK) {
        size_t triangles = (size_t)b.hull.count, vertices = (size_t)count;
        b.face_of = calloc(triangles, sizeof *b.face_of);
        b.order = calloc(triangles, sizeof *b.order);
        b.area = calloc(triangles, sizeof *b.area);
        b.loop = calloc(3 * triangles, sizeof *b.loop);
        b.first = calloc(triangles + 1, sizeof *b.first);
        b.number = calloc(vertices, sizeof *b.number);
        b.uses = calloc(vertices, sizeof *b.uses);
        b.next = calloc(vertices, sizeof *b.next);
        bool room = b.face_of != NULL && b.order != NULL && b.area != NULL && b.loop != NULL &&
                    b.first != NULL && b.number != NULL && b.uses != NULL && b.next != NULL;
        fault = room ? find_faces(&b, size) : HF_HULL_MEMORY;
    }
    // Vertices that are corners of faces, and the mesh in one block
    if (fault == HF_HULL_OK) {
        fault = number_vertices(&b);
    }
    if (fault == HF_HULL_OK) {
        fault = make_mesh(&b, centered, mesh);
    }
    free_builder(&b);
    return fault;
}
