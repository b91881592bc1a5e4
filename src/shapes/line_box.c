// SPDX-License-Identifier: Apache-2.0
// All points of the line less all of the box make a polyhedron, whose faces have the normals of the
// box's faces, and those across the line and an edge. One of these six directions is the shortest
// way out: what a unit direction n keeps the two apart is, in axes of the box, with the line
// c + t u, |t| <= 1,
//
//   s(n) = n.c - |n.u| - sum h_i |n_i|
#include "shapes/line_box.h"

typedef struct work {
    double c[3], u[3], h[3], length, size;
} work;

static double apart(const work *x, const double n[3])
{
    double middle = n[0] * x->c[0] + n[1] * x->c[1] + n[2] * x->c[2];
    double line = n[0] * x->u[0] + n[1] * x->u[1] + n[2] * x->u[2];
    return fabs(middle) - fabs(line) -
           (fabs(n[0]) * x->h[0] + fabs(n[1]) * x->h[1] + fabs(n[2]) * x->h[2]);
}

// The direction number 0 to 5: along an axis, or across the line and an axis. False: these two are
// parallel.
static bool direction(const work *x, int which, double n[3])
{
    int i = which % 3, j = (i + 1) % 3, k = (i + 2) % 3;
    if (which < 3) {
        n[i] = 1.0;
        n[j] = n[k] = 0.0;
        return true;
    }
    double across = sqrt(x->u[j] * x->u[j] + x->u[k] * x->u[k]);
    if (!(across > HF_WAY_PARALLEL * x->length)) {
        return false;
    }
    n[i] = 0.0;
    n[j] = x->u[k] / across;
    n[k] = -x->u[j] / across;
    return true;
}

// Where the line meets a face: its end, or the middle of what of it lies over the face. False: it
// is not over it.
static bool over_face(const work *x, int i, const double n[3], double *t)
{
    const double slack = HF_WAY_AT_END * x->size;
    double low = -1.0, high = 1.0, lean = n[i] * x->u[i];
    if (fabs(lean) > HF_WAY_ACROSS * x->length) {
        low = high = lean > 0.0 ? -1.0 : 1.0;
    }
    for (int k = 1; k < 3; ++k) {
        int j = (i + k) % 3;
        double most = x->h[j] + slack, u = x->u[j], c = x->c[j];
        if (low < high && fabs(u) > HF_WAY_ACROSS * x->length) {
            double from = (-most - c) / u, to = (most - c) / u;
            low = fmax(low, fmin(from, to));
            high = fmin(high, fmax(from, to));
        } else if (fabs(c + low * u) > most) {
            return false;
        }
    }
    *t = 0.5 * (low + high);
    return low <= high;
}

// Where it crosses the edge along i. False: beyond an end.
static bool over_edge(const work *x, int i, const double n[3], double s, double *t)
{
    const double slack = HF_WAY_AT_END * x->size;
    int j = (i + 1) % 3, k = (i + 2) % 3, most = fabs(x->u[j]) > fabs(x->u[k]) ? j : k;
    double vertex = n[most] < 0.0 ? -x->h[most] : x->h[most];
    *t = (vertex + s * n[most] - x->c[most]) / x->u[most];
    return fabs(*t) * x->length <= x->length + slack &&
           fabs(x->c[i] + *t * x->u[i]) <= x->h[i] + slack;
}

hf_way_said hf_line_box_find(const hf_solid *line, const hf_solid *box, hf_vec3 place, hf_way *way)
{
    const hf_mat3 *frame = &box->rotation, *r = &line->rotation;
    const hf_vec3 c = hf_m3_tmulv(frame, place);
    const hf_vec3 u = hf_m3_tmulv(frame, hf_v3_scale(line->half.z, hf_v3(r->xz, r->yz, r->zz)));
    const work x = {.c = {c.x, c.y, c.z},
                    .u = {u.x, u.y, u.z},
                    .h = {box->half.x, box->half.y, box->half.z},
                    .length = line->half.z,
                    .size = line->reach + box->reach};
    // The best of the six
    double best = -HUGE_VAL, n[3], m[3], t = 0.0;
    int which = 0;
    for (int i = 0; i < 6; ++i) {
        double s = direction(&x, i, m) ? apart(&x, m) : -HUGE_VAL;
        if (s > best + HF_WAY_SAME_GAP * x.size) {
            best = s;
            which = i;
        }
    }
    (void)direction(&x, which, n);
    if (n[0] * x.c[0] + n[1] * x.c[1] + n[2] * x.c[2] < 0.0) {
        for (int k = 0; k < 3; ++k) {
            n[k] = -n[k];
        }
    }
    // Where the line is nearest along it
    if (!(best < 0.0) ||
        !(which < 3 ? over_face(&x, which, n, &t) : over_edge(&x, which - 3, n, best, &t))) {
        return HF_WAY_UNSURE;
    }
    *way = (hf_way){.n = hf_m3_mulv(frame, hf_v3(n[0], n[1], n[2])),
                    .gap = best,
                    .at = hf_m3_mulv(frame, hf_v3_axpy(c, t, u))};
    return HF_WAY_FOUND;
}
