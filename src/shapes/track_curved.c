// SPDX-License-Identifier: Apache-2.0
// Features that are curved: rims of cylinders and cones, the sides of cones, ellipsoids.
//
// A pair has a first and a second feature, a and b; n points from b to a. Rims are circles
// p(w) = c + r (e1 cos w + e2 sin w) with tangent t:
//   rim and plane      the point of the rim farthest along -n
//   rim and line       t.m = 0, m the part of p - b across the line: where they are nearest, or
//   cross rim and rim        t1.(p1 - p2) = t2.(p1 - p2) = 0
//   rim and point      the nearest point of the rim
// Of lines and rims that cross, n is across both tangents; of those with a radius around them along
// m. Others have a largest separation over the directions that both can have as normals:
//   g(n) = n.(x_a(-n) - x_b(n)),   x the farthest point of a feature in a direction
// Corners, rims and ellipsoids can have any, lines those across them, sides of cones those at one
// angle to the axis, planes one. g is a maximum there, by Newton's method from where it was found
// first; its gradient in the places of the solids is n at the points of contact.
#include <float.h>
#include <math.h>

#include "shapes/track_curved.h"

// Newton's steps, the longest of them [rad], and how often one that leads downhill is halved. Steps
// below rounding end it.
enum { STEPS = 30, HALVINGS = 20 };
#define LONGEST  0.3
#define ROUNDING 4e-16

hf_parts hf_parts_of(const hf_track *k, const hf_spot *a, const hf_spot *b)
{
    return (hf_parts){{.type = k->on_part,
                       .at = hf_spot_point(a, k->on_at),
                       .along = hf_m3_mulv(&a->rotation, k->on_along),
                       .size = k->on_size,
                       .length = k->on_length,
                       .round = k->on_round,
                       .rotation = &a->rotation,
                       .radii = k->on_radii},
                      {.type = k->to_part,
                       .at = hf_spot_point(b, k->to_at),
                       .along = hf_m3_mulv(&b->rotation, k->to_along),
                       .size = k->to_size,
                       .length = k->to_length,
                       .round = k->round - k->on_round,
                       .rotation = &b->rotation,
                       .radii = k->to_radii}};
}

static double limited(double step)
{
    return fmax(-LONGEST, fmin(LONGEST, step));
}

// ------------------------------------------------------------------------------------------------
// Rims

double hf_rim_to_line(const hf_part *line, const hf_rim_point *q, hf_vec3 *m, double *slope,
                      double radius)
{
    *m = hf_across(hf_v3_sub(q->p, line->at), line->along);
    double along = hf_v3_dot(q->t, line->along);
    *slope = radius * (1.0 - along * along) + hf_v3_dot(q->back, *m);
    return hf_v3_dot(q->t, *m);
}

hf_rim_point hf_rim_at_line(const hf_part *rim, const hf_part *line, hf_vec3 e1, hf_vec3 *m)
{
    double w = 0.0, slope = 0.0;
    hf_rim_point q = hf_on_rim(rim, e1, w);
    for (int i = 0; i < STEPS; ++i) {
        double f = hf_rim_to_line(line, &q, m, &slope, rim->size);
        double step = limited(-f / slope);
        w += step;
        q = hf_on_rim(rim, e1, w);
        if (!(fabs(step) > ROUNDING)) {
            break;
        }
    }
    (void)hf_rim_to_line(line, &q, m, &slope, rim->size);
    return q;
}

static hf_track_place rim_edge(const hf_track *k, const hf_parts *f, hf_vec3 e1)
{
    hf_vec3 m;
    hf_rim_point q = hf_rim_at_line(&f->a, &f->b, e1, &m);
    double s = hf_v3_dot(f->b.along, hf_v3_sub(q.p, f->b.at));
    hf_vec3 foot = hf_v3_axpy(f->b.at, s, f->b.along);
    if (k->round > 0.0) {
        return hf_track_join(k, q.p, foot);
    }
    hf_vec3 n = hf_v3_scale(k->sign, hf_unit(hf_v3_cross(q.t, f->b.along)));
    return (hf_track_place){.n = n, .on = q.p, .to = foot, .gap = hf_v3_dot(n, m)};
}

void hf_rims_nearest(const hf_parts *f, hf_vec3 e1, hf_vec3 e2, hf_rim_point *p, hf_rim_point *q)
{
    double v = 0.0, w = 0.0;
    for (int i = 0; i < STEPS; ++i) {
        *p = hf_on_rim(&f->a, e1, v);
        *q = hf_on_rim(&f->b, e2, w);
        hf_vec3 d = hf_v3_sub(p->p, q->p);
        double f1 = hf_v3_dot(p->t, d), f2 = hf_v3_dot(q->t, d), c = hf_v3_dot(p->t, q->t);
        double j11 = f->a.size + hf_v3_dot(p->back, d), j12 = -f->b.size * c;
        double j21 = f->a.size * c, j22 = -f->b.size + hf_v3_dot(q->back, d);
        double det = j11 * j22 - j12 * j21;
        double dv = limited(-(f1 * j22 - f2 * j12) / det);
        double dw = limited(-(f2 * j11 - f1 * j21) / det);
        v += dv;
        w += dw;
        if (!(fabs(dv) + fabs(dw) > ROUNDING)) {
            break;
        }
    }
    *p = hf_on_rim(&f->a, e1, v);
    *q = hf_on_rim(&f->b, e2, w);
}

static hf_track_place rim_rim(const hf_track *k, const hf_parts *f, hf_vec3 e1, hf_vec3 e2)
{
    hf_rim_point p, q;
    hf_rims_nearest(f, e1, e2, &p, &q);
    hf_vec3 n = hf_v3_scale(k->sign, hf_unit(hf_v3_cross(p.t, q.t)));
    return (hf_track_place){.n = n, .on = p.p, .to = q.p, .gap = hf_v3_dot(n, hf_v3_sub(p.p, q.p))};
}

// The sine of the angle between a rim's axis and a direction, and its farthest point there.
double hf_rim_support(const hf_part *rim, hf_vec3 d, hf_vec3 *p)
{
    hf_vec3 w = hf_across(d, rim->along);
    double sine = hf_v3_norm(w);
    *p = hf_v3_axpy(rim->at, sine > 0.0 ? rim->size / sine : 0.0, w);
    return sine;
}

static hf_track_place rim_face(const hf_parts *f)
{
    hf_vec3 n = f->b.along, p;
    (void)hf_rim_support(&f->a, hf_v3_scale(-1.0, n), &p);
    return (hf_track_place){.n = n, .on = p, .to = p, .gap = hf_v3_dot(n, hf_v3_sub(p, f->b.at))};
}

static hf_track_place rim_corner(const hf_track *k, const hf_parts *f)
{
    hf_vec3 p;
    (void)hf_rim_support(&f->a, hf_v3_sub(f->b.at, f->a.at), &p);
    return hf_track_join(k, p, f->b.at);
}

// ------------------------------------------------------------------------------------------------
// Largest separations

// Whether it has a farthest point in any direction.
static bool is_pointed(const hf_part *p)
{
    return p->type == HF_PART_CORNER || p->type == HF_PART_RIM || p->type == HF_PART_ELLIPSOID;
}

// A point of it that is farthest along d, of length 1, and how that changes with d.
static hf_vec3 farthest(const hf_part *p, hf_vec3 d)
{
    hf_vec3 x = p->at;
    if (p->type == HF_PART_RIM) {
        (void)hf_rim_support(p, d, &x);
    } else if (p->type == HF_PART_ELLIPSOID) {
        hf_vec3 l = hf_m3_tmulv(p->rotation, d), r = p->radii;
        hf_vec3 al = hf_v3(r.x * l.x, r.y * l.y, r.z * l.z);
        double s = 1.0 / hf_v3_norm(al);
        hf_vec3 local = hf_v3(s * r.x * al.x, s * r.y * al.y, s * r.z * al.z);
        x = hf_v3_add(p->at, hf_m3_mulv(p->rotation, local));
    }
    return x;
}

static hf_vec3 farthest_change(const hf_part *p, hf_vec3 d, hf_vec3 by)
{
    if (p->type == HF_PART_RIM) {
        hf_vec3 w = hf_across(d, p->along), dw = hf_across(by, p->along);
        double size = hf_v3_norm(w);
        hf_vec3 to = hf_v3_scale(1.0 / size, w);
        return hf_v3_scale(p->size / size, hf_v3_axpy(dw, -hf_v3_dot(to, dw), to));
    }
    if (p->type == HF_PART_ELLIPSOID) { // A^2 by/|A d| - A^2 d (A d.A by)/|A d|^3
        hf_vec3 l = hf_m3_tmulv(p->rotation, d), b = hf_m3_tmulv(p->rotation, by), r = p->radii;
        hf_vec3 al = hf_v3(r.x * l.x, r.y * l.y, r.z * l.z);
        hf_vec3 ab = hf_v3(r.x * b.x, r.y * b.y, r.z * b.z);
        double s = 1.0 / hf_v3_norm(al);
        hf_vec3 v = hf_v3_axpy(hf_v3_scale(s, ab), -s * s * s * hf_v3_dot(al, ab), al);
        return hf_m3_mulv(p->rotation, hf_v3(r.x * v.x, r.y * v.y, r.z * v.z));
    }
    return hf_v3(0.0, 0.0, 0.0);
}

static hf_vec3 apart_at(const hf_parts *f, hf_vec3 n)
{
    return hf_v3_sub(farthest(&f->a, hf_v3_scale(-1.0, n)), farthest(&f->b, n));
}

double hf_separation(const hf_parts *f, hf_vec3 n)
{
    return hf_v3_dot(n, apart_at(f, n));
}

// d (x_a(-n) - x_b(n)) with n.
static hf_vec3 apart_change(const hf_parts *f, hf_vec3 n, hf_vec3 by)
{
    hf_vec3 minus = hf_v3_scale(-1.0, by);
    return hf_v3_sub(farthest_change(&f->a, hf_v3_scale(-1.0, n), minus),
                     farthest_change(&f->b, n, by));
}

int hf_rings_of(const hf_parts *f, hf_ring rings[2])
{
    int count = 0;
    if (!is_pointed(&f->a) && f->a.type != HF_PART_FACE) {
        rings[count++] = (hf_ring){f->a.along, -f->a.size};
    }
    if (!is_pointed(&f->b) && f->b.type != HF_PART_FACE) {
        rings[count++] = (hf_ring){f->b.along, f->b.size};
    }
    return count;
}

hf_vec3 hf_on_ring(const hf_ring *r, hf_vec3 e1, double w)
{
    double c = sqrt(fmax(0.0, 1.0 - r->level * r->level));
    hf_vec3 e2 = hf_v3_cross(r->axis, e1);
    return hf_v3_axpy(hf_v3_axpy(hf_v3_scale(r->level, r->axis), c * cos(w), e1), c * sin(w), e2);
}

// The largest separation over one ring, near a direction.
hf_vec3 hf_along_ring(const hf_parts *f, const hf_ring *r, hf_vec3 guess)
{
    hf_vec3 e1 = hf_unit(hf_across(guess, r->axis)), n = hf_on_ring(r, e1, 0.0);
    double w = 0.0;
    for (int i = 0; i < STEPS; ++i) {
        hf_vec3 d1 = hf_v3_cross(r->axis, n), d2 = hf_v3_scale(-1.0, hf_across(n, r->axis));
        hf_vec3 x = apart_at(f, n);
        double slope = hf_v3_dot(d1, x);
        double bend = hf_v3_dot(d2, x) + hf_v3_dot(d1, apart_change(f, n, d1));
        double step = bend < 0.0 ? limited(-slope / bend) : limited(slope > 0.0 ? 0.1 : -0.1);
        double slack = DBL_EPSILON * hf_v3_norm(x), g = hf_v3_dot(n, x);
        hf_vec3 next = hf_on_ring(r, e1, w + step);
        for (int k = 0; k < HALVINGS && hf_separation(f, next) < g - slack; ++k) {
            step *= 0.5;
            next = hf_on_ring(r, e1, w + step);
        }
        w += step;
        n = next;
        if (!(fabs(step) > ROUNDING)) {
            break;
        }
    }
    return n;
}

// The same over all directions. Where it bends the wrong way, uphill.
hf_vec3 hf_over_sphere(const hf_parts *f, hf_vec3 n)
{
    for (int i = 0; i < 3 * STEPS; ++i) {
        // Slopes and bends
        hf_vec3 e1 = hf_any_across(n), e2 = hf_v3_cross(n, e1), x = apart_at(f, n);
        hf_vec3 c1 = apart_change(f, n, e1), c2 = apart_change(f, n, e2);
        double g = hf_v3_dot(n, x), slack = DBL_EPSILON * hf_v3_norm(x), g1 = hf_v3_dot(e1, x),
               g2 = hf_v3_dot(e2, x);
        double h11 = hf_v3_dot(e1, c1) - g, h22 = hf_v3_dot(e2, c2) - g;
        double h12 = 0.5 * (hf_v3_dot(e1, c2) + hf_v3_dot(e2, c1));
        double det = h11 * h22 - h12 * h12, u = g1, v = g2;
        bool peak = h11 + h22 < 0.0 && det > 0.0;
        if (peak) {
            u = -(h22 * g1 - h12 * g2) / det;
            v = -(h11 * g2 - h12 * g1) / det;
        }
        // A step, as long as it leads uphill
        double length = sqrt(u * u + v * v), scale = 1.0;
        scale = length > LONGEST || !peak ? LONGEST / fmax(length, DBL_MIN) : 1.0;
        hf_vec3 next = hf_unit(hf_v3_axpy(hf_v3_axpy(n, scale * u, e1), scale * v, e2));
        for (int k = 0; k < HALVINGS && hf_separation(f, next) < g - slack; ++k) {
            scale *= 0.5;
            next = hf_unit(hf_v3_axpy(hf_v3_axpy(n, scale * u, e1), scale * v, e2));
        }
        n = next;
        if (!(scale * length > ROUNDING)) {
            break;
        }
    }
    return n;
}

// n with n.a = s and n.b = t: two of them, by sign. False: there is none.
bool hf_at_rings(const hf_ring *a, const hf_ring *b, double sign, hf_vec3 *n)
{
    hf_vec3 cross = hf_v3_cross(a->axis, b->axis);
    double c = hf_v3_dot(a->axis, b->axis), squares = hf_v3_dot(cross, cross);
    double x = (a->level - c * b->level) / squares, y = (b->level - c * a->level) / squares;
    double rest = 1.0 - (x * a->level + y * b->level);
    if (!(rest >= 0.0) || !(squares > HF_TRACK_PARALLEL * HF_TRACK_PARALLEL)) {
        return false;
    }
    *n = hf_v3_axpy(hf_v3_add(hf_v3_scale(x, a->axis), hf_v3_scale(y, b->axis)),
                    sign * sqrt(rest / squares), cross);
    return true;
}

// The line of a feature that touches with the outward normal o: of a cone's side that from its tip
// to the rim.
static hf_vec3 line_of(const hf_part *p, hf_vec3 o)
{
    return p->type == HF_PART_SIDE ? hf_v3_scale(-1.0, hf_unit(hf_across(p->along, o))) : p->along;
}

// Where two features are nearest, n being known.
static hf_track_place points_at(const hf_parts *f, hf_vec3 n)
{
    hf_vec3 minus = hf_v3_scale(-1.0, n);
    hf_vec3 a = farthest(&f->a, minus), b = farthest(&f->b, n);
    double gap = hf_v3_dot(n, hf_v3_sub(a, b));
    hf_vec3 u = line_of(&f->a, minus), v = line_of(&f->b, n);
    if (is_pointed(&f->a) && !is_pointed(&f->b)) {
        b = hf_v3_axpy(a, -gap, n);
    } else if (!is_pointed(&f->a) && is_pointed(&f->b)) {
        a = hf_v3_axpy(b, gap, n);
    } else if (!is_pointed(&f->a)) {
        hf_crossing c = hf_cross_lines(a, u, b, v);
        a = hf_v3_axpy(a, c.s, u);
        b = hf_v3_axpy(b, c.t, v);
    }
    return (hf_track_place){.n = n,
                            .on = hf_v3_axpy(a, -f->a.round, n),
                            .to = hf_v3_axpy(b, f->b.round, n),
                            .gap = gap - f->a.round - f->b.round};
}

// Where to begin: the normal as either solid has kept it, or the way between both, whichever keeps
// them farther apart. A ball that rolls takes its own along.
static hf_vec3 guess_normal(const hf_track *k, const hf_parts *f, const hf_spot *a,
                            const hf_spot *b)
{
    hf_vec3 between = hf_v3_sub(a->center, b->center), best = {0};
    double length = hf_v3_norm(between), most = -HUGE_VAL;
    const hf_vec3 guesses[3] = {hf_m3_mulv(&b->rotation, k->to_guess),
                                hf_m3_mulv(&a->rotation, k->on_guess),
                                hf_v3_scale(1.0 / fmax(length, DBL_MIN), between)};
    for (int i = 0; i < (length > 0.0 ? 3 : 2); ++i) {
        double g = hf_separation(f, guesses[i]);
        best = g > most ? guesses[i] : best;
        most = fmax(g, most);
    }
    return best;
}

static hf_track_place smooth(const hf_track *k, const hf_parts *f, const hf_spot *a,
                             const hf_spot *b)
{
    hf_ring rings[2];
    int count = hf_rings_of(f, rings);
    hf_vec3 n;
    if (f->a.type == HF_PART_FACE || f->b.type == HF_PART_FACE) {
        n = f->b.type == HF_PART_FACE ? f->b.along : hf_v3_scale(-1.0, f->a.along);
    } else if (count == 2) {
        n = hf_m3_mulv(&b->rotation, k->to_guess);
        (void)hf_at_rings(&rings[0], &rings[1], k->sign, &n);
    } else if (count == 1) {
        n = hf_along_ring(f, &rings[0], guess_normal(k, f, a, b));
    } else {
        n = hf_over_sphere(f, guess_normal(k, f, a, b));
    }
    return points_at(f, n);
}

// ------------------------------------------------------------------------------------------------
// All of them

static hf_track_place find_one(const hf_track *k, const hf_spot *a, const hf_spot *b)
{
    hf_parts f = hf_parts_of(k, a, b);
    switch (k->kind) {
    case HF_TRACK_RIM_FACE:
        return rim_face(&f);
    case HF_TRACK_RIM_EDGE:
        return rim_edge(k, &f, hf_m3_mulv(&a->rotation, k->on_guess));
    case HF_TRACK_RIM_CORNER:
        return rim_corner(k, &f);
    case HF_TRACK_RIMS:
        return rim_rim(k, &f, hf_m3_mulv(&a->rotation, k->on_guess),
                       hf_m3_mulv(&b->rotation, k->to_guess));
    default:
        return smooth(k, &f, a, b);
    }
}

hf_track_place hf_curved_find(const hf_track *k, const hf_spot *on, const hf_spot *to)
{
    hf_track_place p = k->turned ? find_one(k, to, on) : find_one(k, on, to);
    return k->turned ? (hf_track_place){hf_v3_scale(-1.0, p.n), p.to, p.on, p.gap} : p;
}

// How far a point is inside of one feature. o: the outward normal there.
static double inside_of(const hf_part *p, const hf_solid *solid, const hf_spot *spot, int number,
                        hf_vec3 x, hf_vec3 o)
{
    switch (p->type) {
    case HF_PART_FACE:
        return hf_core_inside(solid, number, hf_spot_local(spot, x));
    case HF_PART_EDGE:
    case HF_PART_SIDE:
        return hf_inside_edge(hf_v3_dot(line_of(p, o), hf_v3_sub(x, p->at)), p->length);
    default:
        return HF_TRACK_ENDLESS;
    }
}

double hf_curved_inside(const hf_track *k, const hf_solid *on, const hf_solid *to,
                        const hf_spot *on_spot, const hf_spot *to_spot)
{
    const hf_spot *a = k->turned ? to_spot : on_spot, *b = k->turned ? on_spot : to_spot;
    const hf_solid *a_solid = k->turned ? to : on, *b_solid = k->turned ? on : to;
    int first = k->turned ? k->to : k->on, second = k->turned ? k->on : k->to;
    hf_track_place p = find_one(k, a, b);
    hf_parts f = hf_parts_of(k, a, b);
    double inside =
        fmin(inside_of(&f.a, a_solid, a, first, hf_v3_axpy(p.on, f.a.round, p.n),
                       hf_v3_scale(-1.0, p.n)),
             inside_of(&f.b, b_solid, b, second, hf_v3_axpy(p.to, -f.b.round, p.n), p.n));
    if (k->kind == HF_TRACK_RIM_FACE) { // one that leans
        double sine = hf_v3_norm(hf_across(f.b.along, f.a.along));
        inside = fmin(inside, (sine - HF_TRACK_TILT) * f.a.size);
    } else if (k->kind == HF_TRACK_RIM_CORNER) { // beyond the cap and the side
        hf_vec3 apart = hf_v3_sub(f.b.at, p.on), out = hf_unit(hf_v3_sub(p.on, f.a.at));
        double side = -hf_v3_dot(apart, hf_rim_inwards(&f.a, p.on));
        inside = fmin(inside, fmin(hf_v3_dot(apart, out), side));
    }
    return inside;
}

// The tangent of a rim at a point of it.
static hf_vec3 tangent_at(const hf_part *rim, hf_vec3 p)
{
    return hf_v3_scale(1.0 / rim->size, hf_v3_cross(rim->along, hf_v3_sub(p, rim->at)));
}

// How far the crossing of a barrel's axis with a line is past the end of the barrel, where the rim
// is behind the barrel.
static double past_barrel(const hf_part *rim, const hf_part *line, hf_vec3 p, hf_vec3 n)
{
    hf_vec3 in = hf_rim_inwards(rim, p);
    double behind = hf_v3_dot(n, in) * rim->size;
    return behind >= 0.0       ? HF_TRACK_ENDLESS
           : rim->length > 0.0 ? behind
                               : hf_past_end(rim->at, in, line->at, line->along, behind);
}

// n is as long as the sine of the angle at which features cross: near zero a tilt within the errors
// of places turns n by much, and this by little.
hf_track_faces hf_curved_facing(const hf_track *k, const hf_track_place *at, const hf_solid *on,
                                const hf_solid *to, const hf_spot *on_spot, const hf_spot *to_spot)
{
    hf_track_faces faces = {HF_TRACK_ENDLESS, HF_TRACK_ENDLESS};
    const hf_spot *a = k->turned ? to_spot : on_spot, *b = k->turned ? on_spot : to_spot;
    hf_parts f = hf_parts_of(k, a, b);
    hf_vec3 p = k->turned ? at->to : at->on, q = k->turned ? at->on : at->to;
    hf_vec3 n = k->turned ? hf_v3_scale(-1.0, at->n) : at->n, t = tangent_at(&f.a, p);
    if (k->kind == HF_TRACK_RIMS) {
        n = hf_v3_scale(hf_v3_norm(hf_v3_cross(t, tangent_at(&f.b, q))), n);
        double other = hf_foremost_rim(&f.b, q, hf_v3_scale(-1.0, n));
        faces.lax = fmin(f.a.size, f.b.size) * fmin(hf_foremost_rim(&f.a, p, n), other);
    } else if (k->round > 0.0) {
        double cap = -hf_v3_dot(n, hf_v3_sub(p, f.a.at));
        faces.lax = fmin(cap, past_barrel(&f.a, &f.b, p, n));
    } else {
        const hf_solid *solid = k->turned ? on : to;
        hf_core_edge edge = hf_core_edge_at(solid, k->turned ? k->on : k->to);
        n = hf_v3_scale(hf_v3_norm(hf_v3_cross(t, f.b.along)), n);
        faces.face = f.a.size * hf_foremost_edge(solid, b, &edge, hf_v3_scale(-1.0, n));
        faces.lax = past_barrel(&f.a, &f.b, p, n);
    }
    return faces;
}
