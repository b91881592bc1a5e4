// SPDX-License-Identifier: Apache-2.0
// The expanding polytope algorithm [vandenBergen2001]: of W = A - B, which has the origin in it, a
// polytope P inside of W is known. P's face with the least distance d from the origin is pushed out
// to the farthest point of W along its normal u, at the distance
//
//   h(u) = max over w in W of u.w
//
// Each h is a way out, -u, and the least d bounds all ways out from below; so where the two meet,
// the shortest is found. Distances have a sign: as long as P does not have the origin in it yet,
// the face that is most in front of it is pushed out first, so any tetrahedron is good to begin
// with.
#include "shapes/epa.h"

// Polyhedra of tens of corners need some dozens of steps; with round ones the error falls with the
// square of the number of corners.
enum { CORNERS = 160, FACES = 2 * CORNERS, EDGES = 3 * CORNERS };

// How near the bounds must come, and what is in front of a face: parts of the size.
#define SETTLED  1e-7
#define IN_FRONT 1e-12
// A face whose area is less than this part of the size squared is rounding: it has no normal.
#define NO_AREA 1e-14
// A tetrahedron with a first face or a height below this part of the size (squared) is flat, and no
// polytope begins with it.
#define FLAT 1e-12

typedef struct face {
    int at[3]; // corners, counter-clockwise from outside
    hf_vec3 u; // unit, outward
    double d;  // u.w on it; HUGE_VAL: too thin for a normal, never pushed out
} face;

typedef struct polytope {
    const hf_solid *a, *b;
    hf_vec3 place;
    double size;
    hf_vec3 corners[CORNERS];
    face faces[FACES];
    int corner_count, face_count;
    double least; // h of the best way out, and its normal
    hf_vec3 best;
} polytope;

// The farthest point of W along the unit vector u; keeps the best way out.
static hf_vec3 push(polytope *p, hf_vec3 u)
{
    hf_vec3 back = hf_v3_scale(-1.0, u);
    hf_vec3 w =
        hf_v3_sub(hf_v3_add(p->place, hf_solid_support(p->a, u)), hf_solid_support(p->b, back));
    double h = hf_v3_dot(u, w);
    if (h < p->least) {
        p->least = h;
        p->best = u;
    }
    return w;
}

static bool add_face(polytope *p, int i, int j, int k)
{
    if (p->face_count == FACES) {
        return false;
    }
    hf_vec3 x = p->corners[i], e = hf_v3_sub(p->corners[j], x), f = hf_v3_sub(p->corners[k], x);
    hf_vec3 n = hf_v3_cross(e, f);
    double area = hf_v3_norm(n);
    face *made = &p->faces[p->face_count++];
    *made = (face){.at = {i, j, k}, .d = HUGE_VAL};
    if (area > NO_AREA * p->size * p->size) {
        made->u = hf_v3_scale(1.0 / area, n);
        made->d = hf_v3_dot(made->u, x);
    }
    return true;
}

static hf_vec3 unit_or(hf_vec3 v, hf_vec3 other)
{
    double length = hf_v3_norm(v);
    return length > 0.0 ? hf_v3_scale(1.0 / length, v) : other;
}

// The farther one of W's farthest points along u and -u, measured from `from`.
static hf_vec3 push_both(polytope *p, hf_vec3 u, hf_vec3 from)
{
    hf_vec3 x = push(p, u), y = push(p, hf_v3_scale(-1.0, u));
    bool first = fabs(hf_v3_dot(u, hf_v3_sub(x, from))) >= fabs(hf_v3_dot(u, hf_v3_sub(y, from)));
    return first ? x : y;
}

// A tetrahedron of points of W. False: W is flat.
static bool begin(polytope *p)
{
    hf_vec3 *c = p->corners;
    hf_vec3 along = unit_or(p->place, hf_v3(0.0, 0.0, 1.0));
    c[0] = push(p, along);
    c[1] = push(p, hf_v3_scale(-1.0, along));
    // A third one beside the line, a fourth one beside the plane
    hf_vec3 line = unit_or(hf_v3_sub(c[1], c[0]), along);
    hf_vec3 x = fabs(line.x) < 0.6 ? hf_v3(1.0, 0.0, 0.0) : hf_v3(0.0, 1.0, 0.0);
    c[2] = push_both(p, unit_or(hf_v3_cross(line, x), x), c[0]);
    hf_vec3 e = hf_v3_sub(c[1], c[0]), n = hf_v3_cross(e, hf_v3_sub(c[2], c[0]));
    double area = hf_v3_norm(n);
    if (!(area > FLAT * p->size * p->size)) {
        return false;
    }
    n = hf_v3_scale(1.0 / area, n);
    c[3] = push_both(p, n, c[0]);
    double height = hf_v3_dot(n, hf_v3_sub(c[3], c[0]));
    if (!(fabs(height) > FLAT * p->size)) {
        return false;
    }
    if (height > 0.0) { // the first face looks away from the fourth corner
        hf_vec3 swap = c[1];
        c[1] = c[2];
        c[2] = swap;
    }
    p->corner_count = 4;
    return add_face(p, 0, 1, 2) && add_face(p, 0, 2, 3) && add_face(p, 0, 3, 1) &&
           add_face(p, 1, 3, 2);
}

typedef struct horizon {
    int from[EDGES], to[EDGES], count;
} horizon;

// Edges that two removed faces share cancel each other.
static bool add_edge(horizon *h, int from, int to)
{
    for (int i = 0; i < h->count; ++i) {
        if (h->from[i] == to && h->to[i] == from) {
            h->count -= 1;
            h->from[i] = h->from[h->count];
            h->to[i] = h->to[h->count];
            return true;
        }
    }
    if (h->count == EDGES) {
        return false;
    }
    h->from[h->count] = from;
    h->to[h->count++] = to;
    return true;
}

// P with the corner w, in front of the face `pushed`: faces that see it give way to those between
// it and their horizon. False: no room.
static bool expand(polytope *p, int pushed, hf_vec3 w)
{
    horizon h;
    h.count = 0;
    if (p->corner_count == CORNERS) {
        return false;
    }
    // Faces that see w go; their edges, those of two such faces cancelled, are the horizon
    int kept = 0;
    for (int i = 0; i < p->face_count; ++i) {
        face f = p->faces[i];
        bool seen = i == pushed || (f.d < HUGE_VAL && hf_v3_dot(f.u, w) - f.d > IN_FRONT * p->size);
        if (!seen) {
            p->faces[kept++] = f;
            continue;
        }
        for (int k = 0; k < 3; ++k) {
            if (!add_edge(&h, f.at[k], f.at[(k + 1) % 3])) {
                return false;
            }
        }
    }
    // Faces between the horizon and w
    p->face_count = kept;
    int added = p->corner_count++;
    p->corners[added] = w;
    for (int i = 0; i < h.count; ++i) {
        if (!add_face(p, h.from[i], h.to[i], added)) {
            return false;
        }
    }
    return true;
}

static int nearest_face(const polytope *p)
{
    int nearest = 0;
    for (int i = 1; i < p->face_count; ++i) {
        nearest = p->faces[i].d < p->faces[nearest].d ? i : nearest;
    }
    return nearest;
}

bool hf_epa(const hf_solid *a, const hf_solid *b, hf_vec3 place, hf_vec3 *n)
{
    polytope p; // large: its arrays are filled as it grows
    p.a = a;
    p.b = b;
    p.place = place;
    p.size = a->reach + b->reach;
    p.corner_count = p.face_count = 0;
    p.least = HUGE_VAL;
    if (!begin(&p)) {
        return false;
    }
    for (;;) {
        int nearest = nearest_face(&p);
        face f = p.faces[nearest];
        if (!(f.d < p.least - SETTLED * p.size)) {
            break;
        }
        hf_vec3 w = push(&p, f.u);
        // A face on W's surface: no shorter way than its own
        if (!(hf_v3_dot(f.u, w) - f.d > IN_FRONT * p.size) || !expand(&p, nearest, w)) {
            break;
        }
    }
    *n = hf_v3_scale(-1.0, p.best);
    return true;
}
