// SPDX-License-Identifier: Apache-2.0
// Seen along the edge, the prism is a rectangle with the middle C and half sides J and K, a rim of
// the cylinder an ellipse with the half axes a = r (along x) and b = r |e_z| (along y), and its
// other rim the same, 2 L away along y. A unit direction m of that plane keeps apart
//
//   s(m) = C.m - |J.m| - |K.m| - L |m_y| - h(m),    h(m)^2 = a^2 m_x^2 + b^2 m_y^2   (1)
//
// Between the directions of the sides and of x the signs of J.m, K.m and m_y are fixed, and (1) is
//
//   f(m) = G.m - h(m),    G = C - J sign - K sign - (0, L sign)                      (2)
//
// what the corner G keeps apart from the ellipse. h(m) >= X.m for each point X of the ellipse, and
// h(m) = X.m for the one with the normal m. So with the points X1 and X2 of a sector's ends, and
// the normal d of their chord, no direction of the sector keeps more apart than its ends and
// (G - X1).d do, if these overlap: a sinusoid that is negative at both ends of less than half a
// turn is convex there. What can be better is found by Newton's method, with
//
//   f' = (G - X).m',    f'' = -f - a^2 b^2 / h^3,    m' = m turned by a quarter              (3)
#include "shapes/ring.h"

enum { NEWTON = 24, SECTORS = 3 };

typedef struct flat {
    double x, y;
} flat;

typedef struct plane {
    hf_vec3 p, q;    // x and y
    flat c, side[2]; // C; J and K
    double aa, bb;   // squares of the ellipse's half axes
    double lift;     // L
} plane;

static double dot(flat a, flat b)
{
    return a.x * b.x + a.y * b.y;
}

static flat in_plane(const plane *v, double scale, hf_vec3 w)
{
    return (flat){scale * hf_v3_dot(w, v->p), scale * hf_v3_dot(w, v->q)};
}

// h, and the ellipse's point with the normal m; of a flat one the middle where m is along y.
static double height(const plane *v, flat m, flat *point)
{
    double h = sqrt(v->aa * m.x * m.x + v->bb * m.y * m.y), over = h > 0.0 ? 1.0 / h : 0.0;
    *point = (flat){over * v->aa * m.x, over * v->bb * m.y};
    return h;
}

// False: no direction across the edge lies across the cylinder's axis by itself.
static bool make_plane(const hf_ring *ring, plane *v)
{
    const hf_vec3 e = ring->edge;
    double across = sqrt(e.x * e.x + e.y * e.y);
    if (!(across > HF_WAY_PARALLEL)) {
        return false;
    }
    double over = 1.0 / across;
    v->p = hf_v3(over * e.y, -over * e.x, 0.0);
    v->q = hf_v3(-over * e.z * e.x, -over * e.z * e.y, across);
    v->aa = ring->radius * ring->radius;
    v->bb = v->aa * e.z * e.z;
    v->lift = ring->half_length * across;
    v->c = in_plane(v, 1.0, ring->c);
    for (int i = 0; i < 2; ++i) {
        v->side[i] = in_plane(v, ring->half[i], ring->sides[i]);
    }
    return true;
}

// The directions between which (2) holds, from x to -x through y; returns how many sectors.
static int make_ends(const hf_ring *ring, const plane *v, flat ends[SECTORS + 1])
{
    int count = 0;
    ends[count++] = (flat){1.0, 0.0};
    for (int i = 0; i < 2; ++i) {
        // J.m changes its sign across the other side's direction
        flat d = in_plane(v, 1.0, ring->sides[1 - i]);
        if (ring->half[i] > 0.0 && fabs(d.y) > HF_WAY_ACROSS) {
            ends[count++] = d.y < 0.0 ? (flat){-d.x, -d.y} : d;
        }
    }
    if (count == 3 && ends[1].x * ends[2].y < ends[1].y * ends[2].x) {
        flat first = ends[1];
        ends[1] = ends[2];
        ends[2] = first;
    }
    ends[count] = (flat){-1.0, 0.0};
    return count;
}

// The maximum of (2) near the unit direction m. False: it does not go on to `least`.
static bool climb(const plane *v, flat g, double least, flat *m)
{
    int uphill = 0;
    for (int i = 0; i < NEWTON; ++i) {
        flat x, ahead = {-m->y, m->x};
        double h = height(v, *m, &x), f = dot(g, *m) - h;
        if (!(h > 0.0)) {
            return false;
        }
        double first = dot((flat){g.x - x.x, g.y - x.y}, ahead);
        double second = -f - v->aa * v->bb / (h * h * h);
        uphill += second >= 0.0 ? 1 : 0;
        if (uphill > 4 || hf_way_is_hopeless(f, first * first, second, least)) {
            return false;
        }
        double turn =
            second < 0.0 ? -first / second : (first > 0.0 ? HF_WAY_LONGEST : -HF_WAY_LONGEST);
        turn = turn > HF_WAY_LONGEST ? HF_WAY_LONGEST
                                     : (turn < -HF_WAY_LONGEST ? -HF_WAY_LONGEST : turn);
        double part = 0.25 * turn * turn, whole = 1.0 / (1.0 + part);
        double cosine = (1.0 - part) * whole, sine = turn * whole;
        *m = (flat){cosine * m->x + sine * ahead.x, cosine * m->y + sine * ahead.y};
        if (fabs(turn) < HF_WAY_SHORTEST) {
            break;
        }
    }
    return true;
}

// Where to begin: seen from the nearest point between the centers of curvature of the ellipse's
// ends, which is right for a circle, for one that is flat and ahead of the ends.
static flat start_at(const plane *v, flat g, flat other)
{
    double most = (v->aa - v->bb) / sqrt(v->aa);
    flat d = {g.x - (g.x < -most ? -most : g.x > most ? most : g.x), g.y};
    double length = sqrt(dot(d, d));
    return g.y > 0.0 ? (flat){d.x / length, d.y / length} : other;
}

// Whether (2) with the corner g is better than *least within the sector; the direction then.
static bool try_sector(const plane *v, flat g, const flat ends[2], const flat points[2],
                       double *least, flat *best)
{
    flat chord = {points[1].x - points[0].x, points[1].y - points[0].y};
    double length = sqrt(dot(chord, chord));
    if (!(length > 0.0)) {
        return false;
    }
    flat d = {chord.y / length, -chord.x / length};
    if (!(dot((flat){g.x - points[0].x, g.y - points[0].y}, d) > *least)) {
        return false;
    }
    d = start_at(v, g, d);
    if (!climb(v, g, *least, &d)) {
        return false;
    }
    // within the sector, where (2) is (1)
    bool inside = ends[0].x * d.y >= ends[0].y * d.x && d.x * ends[1].y >= d.y * ends[1].x;
    flat x;
    double f = dot(g, d) - height(v, d, &x);
    if (!inside || !(f > *least)) {
        return false;
    }
    *least = f;
    *best = d;
    return true;
}

bool hf_ring_best(const hf_ring *ring, double least, hf_vec3 *n)
{
    plane v;
    if (!make_plane(ring, &v)) {
        return false;
    }
    flat ends[SECTORS + 1], points[SECTORS + 1], best = {0.0, 0.0};
    int count = make_ends(ring, &v, ends);
    for (int i = 0; i <= count; ++i) {
        (void)height(&v, ends[i], &points[i]);
    }
    bool found = false;
    for (int i = 0; i < count; ++i) {
        // The corner and the rim that are there
        flat middle = {ends[i].x + ends[i + 1].x, ends[i].y + ends[i + 1].y}, from = {0.0, v.lift};
        middle = count == 1 ? (flat){0.0, 1.0} : middle;
        for (int k = 0; k < 2; ++k) {
            double sign = dot(v.side[k], middle) < 0.0 ? -1.0 : 1.0;
            from = (flat){from.x + sign * v.side[k].x, from.y + sign * v.side[k].y};
        }
        // and the same looked at from the other side
        for (int k = 0; k < 2; ++k) {
            double sign = k == 0 ? 1.0 : -1.0;
            flat c = {sign * v.c.x, sign * v.c.y}, m;
            bool away = dot(c, ends[i]) <= 0.0 && dot(c, ends[i + 1]) <= 0.0 && count > 1;
            if (!away && try_sector(&v, (flat){c.x - from.x, c.y - from.y}, &ends[i], &points[i],
                                    &least, &m)) {
                best = (flat){sign * m.x, sign * m.y};
                found = true;
            }
        }
    }
    *n = hf_v3_axpy(hf_v3_scale(best.x, v.p), best.y, v.q);
    return found;
}
