// SPDX-License-Identifier: Apache-2.0
// A taut string over a sphere or a cylinder.                        [MuJoCo, mju_wrap, as
// described]
//
// In the plane of both points and the center of a sphere, or across the axis of a cylinder, the way
// is a line that touches the circle, an arc, and another such line. With a, b the distances of the
// points from the center and t the angle between them along the way, its length is
//   l = sqrt(a^2 - r^2) + sqrt(b^2 - r^2) + r (t - acos(r/a) - acos(r/b))
// and over a cylinder, whose surface unrolls, sqrt(l^2 + rise^2): the points of contact stand at
// the heights that a straight line has there.
//
// A point within the round thing as its side makes the string touch it from within, at the point of
// the circle where both lines make the same angle with it: l = |p - e| + |q - e| is least there.
// Places on the surface may slide without changing the length to first order, so that the rates of
// the two lines, with the places fixed to the round thing, are the rate of the whole.
#include "couplings/wrap.h"

#include <math.h>

#include "math/vec.h"

// Bisection of z in [0, 1] ends where halves are below the rounding of z.
enum { MOST_HALVINGS = 200 };
static const double LEAST_SPAN = 1e-17;

#define PI 3.14159265358979323846
// Points nearer to each other, or to the center, than this have no direction [m].
#define LEAST 1e-15

// ------------------------------------------------------------------------------------------------
// Jets

hf_jet hf_jet_add(hf_jet a, hf_jet b)
{
    return (hf_jet){a.x + b.x, a.d + b.d, a.dd + b.dd};
}

hf_jet hf_jet_sub(hf_jet a, hf_jet b)
{
    return (hf_jet){a.x - b.x, a.d - b.d, a.dd - b.dd};
}

hf_jet hf_jet_mul(hf_jet a, hf_jet b)
{
    return (hf_jet){a.x * b.x, a.d * b.x + a.x * b.d, a.dd * b.x + 2.0 * a.d * b.d + a.x * b.dd};
}

hf_jet hf_jet_scale(double s, hf_jet a)
{
    return (hf_jet){s * a.x, s * a.d, s * a.dd};
}

hf_jet hf_jet_root(hf_jet a)
{
    double x = sqrt(a.x), d = a.d / (2.0 * x);
    return (hf_jet){x, d, (0.5 * a.dd - d * d) / x};
}

// t = atan2(y, x): t' = (x y' - y x')/s, s = x^2 + y^2
hf_jet hf_jet_angle(hf_jet y, hf_jet x)
{
    double s = x.x * x.x + y.x * y.x, up = x.x * y.d - y.x * x.d;
    double up_rate = x.x * y.dd - y.x * x.dd, s_rate = 2.0 * (x.x * x.d + y.x * y.d);
    return (hf_jet){atan2(y.x, x.x), up / s, (up_rate - up / s * s_rate) / s};
}

static hf_jet jet_of(double x)
{
    return (hf_jet){x, 0.0, 0.0};
}

// cos of a jet plus a constant.
static hf_jet jet_cos(hf_jet a)
{
    double c = cos(a.x), s = sin(a.x);
    return (hf_jet){c, -s * a.d, -c * a.d * a.d - s * a.dd};
}

static hf_jet jet_sin(hf_jet a)
{
    double c = cos(a.x), s = sin(a.x);
    return (hf_jet){s, c * a.d, -s * a.d * a.d + c * a.dd};
}

static hf_jet jet_over(hf_jet a, hf_jet b)
{
    double q = a.x / b.x, d = (a.d - q * b.d) / b.x;
    return (hf_jet){q, d, (a.dd - 2.0 * d * b.d - q * b.dd) / b.x};
}

// ------------------------------------------------------------------------------------------------
// In the plane

typedef struct flat {
    double x, y;
} flat;

static double flat_dot(flat a, flat b)
{
    return a.x * b.x + a.y * b.y;
}

// Whether the segments a-b and c-d cross.
static bool cross_each_other(flat a, flat b, flat c, flat d)
{
    double det = (d.y - c.y) * (b.x - a.x) - (d.x - c.x) * (b.y - a.y);
    if (fabs(det) < LEAST) {
        return false;
    }
    double s = ((d.x - c.x) * (a.y - c.y) - (d.y - c.y) * (a.x - c.x)) / det;
    double t = ((b.x - a.x) * (a.y - c.y) - (b.y - a.y) * (a.x - c.x)) / det;
    return s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0;
}

// The point of the segment p-q that is nearest to the center.
static flat nearest(flat p, flat q)
{
    flat way = {q.x - p.x, q.y - p.y};
    double square = flat_dot(way, way), a = square > 0.0 ? -flat_dot(way, p) / square : 0.0;
    a = a < 0.0 ? 0.0 : a > 1.0 ? 1.0 : a;
    return (flat){p.x + a * way.x, p.y + a * way.y};
}

// Where a line from p touches the circle, going on with this sign of turn.
static flat tangent(flat p, double r, double sign)
{
    double square = flat_dot(p, p), root = sqrt(fmax(square - r * r, 0.0));
    return (flat){(p.x * r * r - sign * r * p.y * root) / square,
                  (p.y * r * r + sign * r * p.x * root) / square};
}

// A way around: ends[2] on the circle, and the sign of its turn. False: it is straight. side: of
// length r, or NULL.
static bool around(flat p, flat q, double r, const flat *side, flat ends[2], double *sign)
{
    // Whether the straight line is free
    flat near = nearest(p, q);
    if (flat_dot(p, p) < r * r || flat_dot(q, q) < r * r ||
        (flat_dot(near, near) > r * r && (side == NULL || flat_dot(*side, near) >= 0.0))) {
        return false;
    }
    // The better of two ways
    double best = -INFINITY;
    bool found = false;
    for (int k = 0; k < 2; ++k) {
        double turn = k == 0 ? -1.0 : 1.0, good;
        flat e = tangent(p, r, turn), f = tangent(q, r, -turn);
        bool crossed = cross_each_other(p, e, q, f);
        if (side != NULL) {
            flat mid = {e.x + f.x, e.y + f.y};
            double size = sqrt(flat_dot(mid, mid));
            good = size > 0.0 ? flat_dot(mid, *side) / size : 0.0;
        } else {
            good = -((e.x - f.x) * (e.x - f.x) + (e.y - f.y) * (e.y - f.y));
        }
        good = crossed ? -1e4 : good;
        if (good >= best) {
            best = good;
            found = !crossed;
            ends[0] = e;
            ends[1] = f;
            *sign = turn;
        }
    }
    return found;
}

// The angle from one direction to another, on the way with this sign of turn: 0 to 2 pi.
static double turn_between(flat a, flat b, double sign)
{
    double angle = sign * atan2(a.x * b.y - a.y * b.x, flat_dot(a, b));
    return angle < 0.0 ? angle + 2.0 * PI : angle;
}

// Where the string touches the circle from within: at z = sin of the angle to the radius there,
//   asin(A z) + asin(B z) - 2 asin(z) + G = 0,  A = r/|p|, B = r/|q|, G the angle between p and q
// False: it does not. The angle from p on, within 0 and G.
static bool within(flat p, flat q, double r, double *angle)
{
    double a = sqrt(flat_dot(p, p)), b = sqrt(flat_dot(q, q));
    flat near = nearest(p, q);
    if (a <= r || b <= r || flat_dot(near, near) <= r * r) {
        return false;
    }
    double g = fabs(atan2(p.x * q.y - p.y * q.x, flat_dot(p, q)));
    double low = 0.0, high = 1.0, ra = r / a, rb = r / b;
    // The left side rises in z from G at 0 down to below zero, or it is where z = 1
    for (int i = 0; i < MOST_HALVINGS && high - low > LEAST_SPAN; ++i) {
        double z = 0.5 * (low + high);
        double f = asin(ra * z) + asin(rb * z) - 2.0 * asin(z) + g;
        if (z == low || z == high) {
            break;
        }
        low = f > 0.0 ? z : low;
        high = f > 0.0 ? high : z;
    }
    double z = 0.5 * (low + high);
    *angle = asin(z) - asin(ra * z);
    return true;
}

// ------------------------------------------------------------------------------------------------
// In space

// Axes of the plane: of a sphere through both points, of a cylinder across its axis.
static void plane_of(const hf_wrap_round *round, hf_vec3 p, hf_vec3 q, hf_vec3 *x, hf_vec3 *y)
{
    bool sphere = round->axis.x == 0.0 && round->axis.y == 0.0 && round->axis.z == 0.0;
    hf_vec3 z = sphere ? hf_v3_cross(p, q) : round->axis;
    double size = hf_v3_norm(z), far = hf_v3_norm(p);
    if (size <= LEAST * far * hf_v3_norm(q)) {
        // On one line through the center: any plane does
        hf_vec3 some = fabs(p.x) <= fabs(p.y) && fabs(p.x) <= fabs(p.z) ? hf_v3(1, 0, 0)
                       : fabs(p.y) <= fabs(p.z)                         ? hf_v3(0, 1, 0)
                                                                        : hf_v3(0, 0, 1);
        z = hf_v3_cross(p, some);
        size = hf_v3_norm(z);
    }
    z = hf_v3_scale(size > 0.0 ? 1.0 / size : 0.0, z);
    hf_vec3 along = sphere            ? p
                    : fabs(z.x) < 0.9 ? hf_v3_cross(z, hf_v3(1, 0, 0))
                                      : hf_v3_cross(z, hf_v3(0, 1, 0));
    double length = hf_v3_norm(along);
    *x = hf_v3_scale(length > 0.0 ? 1.0 / length : 0.0, along);
    *y = hf_v3_cross(z, *x);
}

hf_wrap_way hf_wrap_find(const hf_wrap_round *round, hf_vec3 from, hf_vec3 to)
{
    hf_wrap_way way = {.wraps = false};
    hf_vec3 p = hf_v3_sub(from, round->center), q = hf_v3_sub(to, round->center), x, y;
    hf_vec3 s = hf_v3_sub(round->side, round->center);
    double r = round->radius;
    if (!(r > 0.0)) {
        return way;
    }
    // In the plane
    plane_of(round, p, q, &x, &y);
    flat a = {hf_v3_dot(p, x), hf_v3_dot(p, y)}, b = {hf_v3_dot(q, x), hf_v3_dot(q, y)}, ends[2];
    flat side = {hf_v3_dot(s, x), hf_v3_dot(s, y)};
    double length = sqrt(flat_dot(side, side));
    way.inside = round->has_side && hf_v3_norm(s) < r;
    side = length > 0.0 ? (flat){side.x * r / length, side.y * r / length} : (flat){r, 0.0};
    if (way.inside) {
        double angle, size = sqrt(flat_dot(a, a));
        way.wraps = within(a, b, r, &angle);
        way.sign = a.x * b.y - a.y * b.x < 0.0 ? -1.0 : 1.0;
        way.turn = turn_between(a, b, way.sign);
        if (way.wraps) {
            double c = cos(angle), o = way.sign * sin(angle);
            ends[0] = ends[1] =
                (flat){r / size * (c * a.x - o * a.y), r / size * (o * a.x + c * a.y)};
        }
    } else {
        way.wraps = around(a, b, r, round->has_side ? &side : NULL, ends, &way.sign);
        if (way.wraps) {
            // Between the lines it may go round more than the angle between the points
            double bow = turn_between(ends[0], ends[1], way.sign);
            way.arc = r * bow;
            way.turn = bow + acos(r / sqrt(flat_dot(a, a))) + acos(r / sqrt(flat_dot(b, b)));
        }
    }
    if (!way.wraps) {
        return way;
    }
    // In space: on a cylinder at the heights of the unrolled line
    hf_vec3 place[2];
    for (int k = 0; k < 2; ++k) {
        place[k] = hf_v3_add(hf_v3_scale(ends[k].x, x), hf_v3_scale(ends[k].y, y));
    }
    double first = hypot(ends[0].x - a.x, ends[0].y - a.y);
    double last = hypot(ends[1].x - b.x, ends[1].y - b.y), all = first + way.arc + last;
    double low = hf_v3_dot(p, round->axis), rise = hf_v3_dot(q, round->axis) - low;
    double share = all > 0.0 ? rise / all : 0.0;
    double h0 = low + share * first, h1 = low + share * (first + way.arc);
    way.off = hf_v3_add(round->center, hf_v3_axpy(place[0], h0, round->axis));
    way.on = hf_v3_add(round->center, hf_v3_axpy(place[1], h1, round->axis));
    way.arc = hypot(way.arc, h1 - h0);
    return way;
}

// Of a string that touches from within, at the angle e from the first point: the length at a fixed
// e, and what the place gives way,
//   l'' = l_tt - l_et^2/l_ee
static hf_jet inside_length(double r, const hf_jet out[2], hf_jet angle)
{
    flat p = {out[0].x, 0.0}, q = {out[1].x * cos(angle.x), out[1].x * sin(angle.x)};
    double e = 0.0;
    (void)within(p, q, r, &e);
    hf_jet rest = hf_jet_sub(angle, jet_of(e)), sum = jet_of(0.0), slope = jet_of(0.0);
    double bend = 0.0;
    const hf_jet angles[2] = {jet_of(e), rest};
    for (int k = 0; k < 2; ++k) {
        // l = sqrt(a^2 + r^2 - 2 a r cos c), l_c = a r sin c/l
        hf_jet ar = hf_jet_scale(r, out[k]), c = jet_cos(angles[k]), s = jet_sin(angles[k]);
        hf_jet square = hf_jet_sub(hf_jet_add(hf_jet_mul(out[k], out[k]), jet_of(r * r)),
                                   hf_jet_scale(2.0, hf_jet_mul(ar, c)));
        hf_jet l = hf_jet_root(square), along = jet_over(hf_jet_mul(ar, s), l);
        sum = hf_jet_add(sum, l);
        slope = hf_jet_add(slope, hf_jet_scale(k == 0 ? 1.0 : -1.0, along));
        bend += (ar.x * c.x - along.x * along.x) / l.x;
    }
    sum.dd -= bend != 0.0 ? slope.d * slope.d / bend : 0.0;
    return sum;
}

hf_jet hf_wrap_length(const hf_wrap_round *round, const hf_wrap_way *way, const hf_jet out[2],
                      hf_jet angle, hf_jet rise)
{
    double r = round->radius;
    hf_jet length;
    if (way->inside) {
        length = inside_length(r, out, angle);
    } else {
        length = hf_jet_scale(r, angle);
        for (int k = 0; k < 2; ++k) {
            hf_jet line = hf_jet_root(hf_jet_sub(hf_jet_mul(out[k], out[k]), jet_of(r * r)));
            length = hf_jet_add(length, line);
            length = hf_jet_sub(length, hf_jet_scale(r, hf_jet_angle(line, jet_of(r))));
        }
    }
    bool flat_way = rise.x == 0.0 && rise.d == 0.0 && rise.dd == 0.0;
    return flat_way ? length
                    : hf_jet_root(hf_jet_add(hf_jet_mul(length, length), hf_jet_mul(rise, rise)));
}
