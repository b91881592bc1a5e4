// SPDX-License-Identifier: Apache-2.0
// Two boxes: of the fifteen directions in which they can be told apart (three faces of each, nine
// pairs of edges) the one that keeps them farthest apart, or least deep in each other.
//
// Faces meet as faces when they are nearly parallel, even where an edge pair would be a little
// better: a box that rocks on another then keeps its other points of contact.
#include "shapes/touch.h"

#include "math/turn.h"

// A later direction must be this much better than an earlier one, as a part of the size: rounding
// does not decide which face is the reference.
#define BETTER 1e-9
// Edges that cross this part of their length beyond an end cross at the end.
#define AT_END 1e-9

typedef struct boxes {
    const hf_solid *a, *b;
    hf_vec3 place;   // a's center from b's
    double r[3][3];  // column j of b in axes of a
    double ra[3][3]; // their sizes
    double t[3];     // a's center from b's in axes of a
    double size;
} boxes;

typedef struct direction {
    double gap;
    hf_vec3 n; // from b to a
    int face;  // 0: of a, 1: of b, -1: edges
    int ea, eb;
} direction;

static void set_up(boxes *x)
{
    for (int i = 0; i < 3; ++i) {
        hf_vec3 ai = hf_m3_column(&x->a->rotation, i);
        x->t[i] = hf_v3_dot(ai, x->place);
        for (int j = 0; j < 3; ++j) {
            x->r[i][j] = hf_v3_dot(ai, hf_m3_column(&x->b->rotation, j));
            x->ra[i][j] = fabs(x->r[i][j]);
        }
    }
}

// The best face direction; false when the boxes are farther apart than the margin.
static bool best_face(const boxes *x, double margin, direction *best)
{
    const double *ha = &x->a->half.x, *hb = &x->b->half.x;
    *best = (direction){.gap = -HUGE_VAL};
    for (int k = 0; k < 6; ++k) {
        bool of_a = k < 3;
        int i = k % 3;
        double along, gap;
        if (of_a) {
            along = x->t[i];
            gap = fabs(along) - ha[i] -
                  (hb[0] * x->ra[i][0] + hb[1] * x->ra[i][1] + hb[2] * x->ra[i][2]);
        } else {
            along = x->t[0] * x->r[0][i] + x->t[1] * x->r[1][i] + x->t[2] * x->r[2][i];
            gap = fabs(along) - hb[i] -
                  (ha[0] * x->ra[0][i] + ha[1] * x->ra[1][i] + ha[2] * x->ra[2][i]);
        }
        if (gap > margin) {
            return false;
        }
        if (gap > best->gap + BETTER * x->size) {
            hf_vec3 axis = hf_m3_column(of_a ? &x->a->rotation : &x->b->rotation, i);
            *best = (direction){.gap = gap,
                                .n = along < 0.0 ? hf_v3_scale(-1.0, axis) : axis,
                                .face = of_a ? 0 : 1};
        }
    }
    return true;
}

static bool best_edges(const boxes *x, double margin, direction *best)
{
    const double *ha = &x->a->half.x, *hb = &x->b->half.x;
    *best = (direction){.gap = -HUGE_VAL, .face = -1};
    for (int i = 0; i < 3; ++i) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            double square = 1.0 - x->r[i][j] * x->r[i][j];
            if (square < HF_PARALLEL * HF_PARALLEL) {
                continue;
            }
            // How far apart they are across both edges
            double along = x->t[i2] * x->r[i1][j] - x->t[i1] * x->r[i2][j];
            double gap = (fabs(along) - (ha[i1] * x->ra[i2][j] + ha[i2] * x->ra[i1][j]) -
                          (hb[j1] * x->ra[i][j2] + hb[j2] * x->ra[i][j1])) /
                         sqrt(square);
            if (gap > margin) {
                return false;
            }
            // The best so far, from b to a
            if (gap > best->gap + BETTER * x->size) {
                hf_vec3 n =
                    hf_v3_cross(hf_m3_column(&x->a->rotation, i), hf_m3_column(&x->b->rotation, j));
                n = hf_v3_scale((hf_v3_dot(n, x->place) < 0.0 ? -1.0 : 1.0) / hf_v3_norm(n), n);
                *best = (direction){.gap = gap, .n = n, .face = -1, .ea = i, .eb = j};
            }
        }
    }
    return true;
}

// A corner of a box that is farthest in a direction, with the middle of the edge along `axis`.
static hf_vec3 edge_middle(const hf_solid *box, hf_vec3 towards, int axis)
{
    hf_vec3 d = hf_m3_tmulv(&box->rotation, towards), h = box->half;
    hf_vec3 p = hf_v3(d.x < 0.0 ? -h.x : h.x, d.y < 0.0 ? -h.y : h.y, d.z < 0.0 ? -h.z : h.z);
    (axis == 0 ? (p.x = 0.0) : axis == 1 ? (p.y = 0.0) : (p.z = 0.0));
    return hf_m3_mulv(&box->rotation, p);
}

// Where two edges cross; false when they do so beyond their ends.
static bool add_crossing(const boxes *x, const direction *d, double margin, hf_meeting *touch)
{
    hf_vec3 pa = hf_v3_add(x->place, edge_middle(x->a, hf_v3_scale(-1.0, d->n), d->ea));
    hf_vec3 pb = edge_middle(x->b, d->n, d->eb);
    hf_vec3 u = hf_m3_column(&x->a->rotation, d->ea), w = hf_m3_column(&x->b->rotation, d->eb);
    hf_vec3 from = hf_v3_sub(pa, pb);
    double uw = hf_v3_dot(u, w), fu = hf_v3_dot(from, u), fw = hf_v3_dot(from, w);
    double det = 1.0 - uw * uw, s = (uw * fw - fu) / det, t = (fw - uw * fu) / det;
    double ha = (&x->a->half.x)[d->ea], hb = (&x->b->half.x)[d->eb];
    if (fabs(s) > ha * (1.0 + AT_END) || fabs(t) > hb * (1.0 + AT_END)) {
        return false;
    }
    hf_touch_single(hf_v3_axpy(pa, s, u), d->n, d->gap, 0.0, margin,
                    3u << 30 | 0x1000u | (unsigned)(4 * d->ea + d->eb), touch);
    return true;
}

static bool add_faces(const boxes *x, const direction *d, double margin, hf_meeting *touch)
{
    hf_feature a, b;
    hf_solid_face(x->a, hf_v3_scale(-1.0, d->n), &a);
    hf_solid_face(x->b, d->n, &b);
    for (int i = 0; i < a.count; ++i) {
        a.points[i] = hf_v3_add(a.points[i], x->place);
    }
    hf_overlap overlap = {.face = d->face == 0 ? &a : &b,
                          .other = d->face == 0 ? &b : &a,
                          .normal = d->face == 0 ? hf_v3_scale(-1.0, d->n) : d->n,
                          .margin = margin,
                          .face_is_a = d->face == 0};
    overlap.center_count = hf_touch_centers(x->a, x->b, x->place, overlap.centers);
    return hf_touch_faces(&overlap, touch);
}

// Whether one of a box's faces is nearly across a direction.
static bool lies_flat(const hf_solid *box, hf_vec3 n)
{
    hf_vec3 d = hf_m3_tmulv(&box->rotation, n);
    return fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z))) > 1.0 - 2.0 * HF_PARALLEL * HF_PARALLEL;
}

void hf_touch_boxes(const hf_solid *a, const hf_solid *b, hf_vec3 place, double margin,
                    hf_meeting *touch)
{
    boxes x = {.a = a, .b = b, .place = place, .size = a->reach + b->reach};
    direction face, edges;
    set_up(&x);
    if (!best_face(&x, margin, &face) || !best_edges(&x, margin, &edges)) {
        return;
    }
    bool parallel = hf_v3_dot(face.n, edges.n) > 1.0 - 0.5 * HF_PARALLEL * HF_PARALLEL &&
                    lies_flat(face.face == 0 ? b : a, face.n);
    bool by_edges = edges.gap > face.gap + BETTER * x.size && !parallel;
    bool met =
        by_edges ? add_crossing(&x, &edges, margin, touch) : add_faces(&x, &face, margin, touch);
    // With air between, the nearest may be a vertex or an edge beside the face.
    bool beside = met && !by_edges && face.gap > 0.0 && !lies_flat(face.face == 0 ? b : a, face.n);
    for (int i = 0; beside && i < touch->count; ++i) {
        beside = touch->points[i].gap > face.gap + BETTER * x.size;
    }
    if (!met || beside) {
        touch->count = 0;
        hf_touch_convex(a, b, place, margin, touch);
    }
}
