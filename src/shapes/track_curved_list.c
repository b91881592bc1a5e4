// SPDX-License-Identifier: Apache-2.0
// Curved features that are near: where rims cross or are nearest, and largest separations, looked
// for all around.
#include <math.h>

#include "shapes/track_curved.h"
#include "shapes/ways.h"

// Points at which rims and rings of directions are looked at to begin with.
enum { SAMPLES = 32, ROOTS = 8, FINE = 8, LEANS = 4 };
#define PI 3.14159265358979323846
// A rim has no farthest point in a direction along its axis: sine of the angle.
#define UPRIGHT 1e-6

void hf_part_put(const hf_solid *s, hf_track_part type, int number, hf_part *p)
{
    *p = (hf_part){.type = type};
    switch (type) {
    case HF_PART_CORNER:
        p->at = hf_core_corner(s, number);
        p->round = hf_solid_round(s);
        break;
    case HF_PART_EDGE: {
        hf_core_edge e = hf_core_edge_at(s, number);
        p->at = e.at;
        p->along = e.along;
        p->length = e.length;
        p->round = e.round;
        break;
    }
    case HF_PART_FACE:
        p->at = hf_core_face_point(s, number);
        p->along = hf_core_normal(s, number);
        break;
    case HF_PART_RIM: {
        hf_core_rim rim = hf_core_rim_at(s, number);
        p->at = rim.center;
        p->along = rim.out;
        p->size = rim.radius;
        p->length = s->type == HF_SHAPE_CONE ? 4.0 / 3.0 * s->half.z : 0.0;
        break;
    }
    case HF_PART_SIDE: { // from the tip; normals have this part along the axis
        double height = 4.0 / 3.0 * s->half.z;
        p->at = hf_core_corner(s, 0);
        p->along = hf_v3(0.0, 0.0, 1.0);
        p->length = sqrt(height * height + s->radius * s->radius);
        p->size = s->radius / p->length;
        break;
    }
    default:
        p->radii = s->half;
        break;
    }
}

hf_track hf_curved_track(const hf_solid *on, const hf_solid *to, bool turned, hf_track_part a_type,
                         int a, hf_track_part b_type, int b)
{
    hf_part p, q;
    hf_part_put(turned ? to : on, a_type, a, &p);
    hf_part_put(turned ? on : to, b_type, b, &q);
    return (hf_track){.kind = HF_TRACK_SMOOTH,
                      .turned = turned,
                      .on = turned ? b : a,
                      .to = turned ? a : b,
                      .on_part = a_type,
                      .to_part = b_type,
                      .on_at = p.at,
                      .on_along = p.along,
                      .on_size = p.size,
                      .on_length = p.length,
                      .on_radii = p.radii,
                      .on_round = p.round,
                      .to_at = q.at,
                      .to_along = q.along,
                      .to_size = q.size,
                      .to_length = q.length,
                      .to_radii = q.radii,
                      .round = p.round + q.round,
                      .sign = 1.0};
}

// Which way the normal of two features that cross points: to where neither solid is behind. Zero:
// nowhere.
static double sign_of(double forth, double back)
{
    return fmax(forth, back) < -HF_TRACK_BEHIND ? 0.0 : forth > back ? 1.0 : -1.0;
}

// Angles at which a rim is nearest to a line, or crosses it: ROOTS of them at most.
static int rim_roots(const hf_part *rim, const hf_part *line, hf_vec3 e1, double *angles)
{
    int count = 0;
    double last = 0.0;
    for (int i = 0; i <= SAMPLES && count < ROOTS; ++i) {
        hf_vec3 m;
        double slope = 0.0;
        // All the way round it is the first one again, to the bit: no root is lost between them
        hf_rim_point q = hf_on_rim(rim, e1, 2.0 * PI * (i % SAMPLES) / SAMPLES);
        double f = hf_rim_to_line(line, &q, &m, &slope, rim->size);
        if (i > 0 && last <= 0.0 && f > 0.0) { // where the distance is least
            angles[count++] = PI * (2 * i - 1) / SAMPLES;
        }
        last = f;
    }
    return count;
}

static void rims_at_edges(hf_track_search *s, bool turned)
{
    const hf_solid *a = turned ? s->to : s->on, *b = turned ? s->on : s->to;
    const hf_spot *a_spot = turned ? &s->to_spot : &s->on_spot;
    const hf_spot *b_spot = turned ? &s->on_spot : &s->to_spot;
    const hf_core_list *list = turned ? &s->on_list : &s->to_list;
    for (int i = 0; i < hf_core_rims(a) * list->edge_count; ++i) {
        int rim = i / list->edge_count, number = list->edges[i % list->edge_count];
        hf_core_edge edge = hf_core_edge_at(b, number);
        hf_track track =
            hf_curved_track(s->on, s->to, turned, HF_PART_RIM, rim, HF_PART_EDGE, number);
        track.kind = HF_TRACK_RIM_EDGE;
        hf_parts f = hf_parts_of(&track, a_spot, b_spot);
        // Where the rim is nearest, or crosses
        double angles[ROOTS];
        hf_vec3 e1 = hf_m3_mulv(&a_spot->rotation, hf_v3(1.0, 0.0, 0.0));
        int roots = rim_roots(&f.a, &f.b, e1, angles);
        for (int k = 0; k < roots; ++k) {
            hf_vec3 start = hf_v3_scale(1.0 / f.a.size,
                                        hf_v3_sub(hf_on_rim(&f.a, e1, angles[k]).p, f.a.at)),
                    m;
            track.on_guess = hf_m3_tmulv(&a_spot->rotation, start);
            hf_rim_point q = hf_rim_at_line(&f.a, &f.b, start, &m);
            hf_vec3 cross = hf_v3_cross(q.t, f.b.along);
            double size = hf_v3_norm(cross);
            if (!(track.round > 0.0) && !(size > HF_TRACK_PARALLEL)) {
                continue;
            }
            // In front of both
            hf_vec3 n = hf_v3_scale(1.0 / size, cross), minus = hf_v3_scale(-1.0, n);
            double forth =
                fmin(hf_foremost_rim(&f.a, q.p, n), hf_foremost_edge(b, b_spot, &edge, minus));
            double back =
                fmin(hf_foremost_rim(&f.a, q.p, minus), hf_foremost_edge(b, b_spot, &edge, n));
            track.sign = track.round > 0.0 ? 1.0 : sign_of(forth, back);
            if (track.sign != 0.0) {
                hf_track_keep(s, &track);
            }
        }
    }
}

static void rims_at_rims(hf_track_search *s)
{
    for (int i = 0; i < hf_core_rims(s->on) * hf_core_rims(s->to); ++i) {
        int first = i / hf_core_rims(s->to), second = i % hf_core_rims(s->to);
        hf_track track =
            hf_curved_track(s->on, s->to, false, HF_PART_RIM, first, HF_PART_RIM, second);
        track.kind = HF_TRACK_RIMS;
        hf_parts f = hf_parts_of(&track, &s->on_spot, &s->to_spot);
        hf_vec3 e1 = hf_m3_mulv(&s->on_spot.rotation, hf_v3(1.0, 0.0, 0.0));
        // How far points of the first are from the second
        double distance[SAMPLES];
        for (int k = 0; k < SAMPLES; ++k) {
            hf_vec3 q, p = hf_on_rim(&f.a, e1, 2.0 * PI * k / SAMPLES).p;
            (void)hf_rim_support(&f.b, hf_v3_sub(p, f.b.at), &q);
            distance[k] = hf_v3_norm(hf_v3_sub(p, q));
        }
        for (int k = 0; k < SAMPLES; ++k) {
            if (distance[k] > distance[(k + 1) % SAMPLES] ||
                distance[k] >= distance[(k + SAMPLES - 1) % SAMPLES]) {
                continue;
            }
            // From the nearest of them to where they cross
            hf_vec3 q, p = hf_on_rim(&f.a, e1, 2.0 * PI * k / SAMPLES).p;
            (void)hf_rim_support(&f.b, hf_v3_sub(p, f.b.at), &q);
            hf_vec3 to_p = hf_unit(hf_v3_sub(p, f.a.at)), to_q = hf_unit(hf_v3_sub(q, f.b.at));
            track.on_guess = hf_m3_tmulv(&s->on_spot.rotation, to_p);
            track.to_guess = hf_m3_tmulv(&s->to_spot.rotation, to_q);
            hf_rim_point x, y;
            hf_rims_nearest(&f, to_p, to_q, &x, &y);
            hf_vec3 cross = hf_v3_cross(x.t, y.t);
            double size = hf_v3_norm(cross);
            if (!(size > HF_TRACK_PARALLEL)) {
                continue;
            }
            hf_vec3 n = hf_v3_scale(1.0 / size, cross), minus = hf_v3_scale(-1.0, n);
            track.sign =
                sign_of(fmin(hf_foremost_rim(&f.a, x.p, n), hf_foremost_rim(&f.b, y.p, minus)),
                        fmin(hf_foremost_rim(&f.a, x.p, minus), hf_foremost_rim(&f.b, y.p, n)));
            if (track.sign != 0.0) {
                hf_track_keep(s, &track);
            }
        }
    }
}

static void rims_elsewhere(hf_track_search *s, bool turned)
{
    const hf_solid *a = turned ? s->to : s->on, *b = turned ? s->on : s->to;
    const hf_core_list *list = turned ? &s->on_list : &s->to_list;
    for (int rim = 0; rim < hf_core_rims(a); ++rim) {
        for (int i = 0; i < list->face_count; ++i) {
            int face = hf_core_number(list, list->faces, i);
            hf_track track =
                hf_curved_track(s->on, s->to, turned, HF_PART_RIM, rim, HF_PART_FACE, face);
            track.kind = HF_TRACK_RIM_FACE;
            hf_track_keep(s, &track);
        }
        for (int i = 0; i < list->corner_count && hf_solid_round(b) > 0.0; ++i) {
            int corner = hf_core_number(list, list->corners, i);
            hf_track track =
                hf_curved_track(s->on, s->to, turned, HF_PART_RIM, rim, HF_PART_CORNER, corner);
            track.kind = HF_TRACK_RIM_CORNER;
            hf_track_keep(s, &track);
        }
    }
}

// Directions near the axis of a rim, where separations bend sharply; without a rim any.
static hf_vec3 beside_rim(const hf_parts *f, int i)
{
    static const double leans[LEANS] = {1e-3, 1e-2, 3e-2, 0.1};
    const hf_part *rim = f->a.type == HF_PART_RIM ? &f->a : &f->b;
    hf_vec3 axis = f->a.type == HF_PART_RIM ? hf_v3_scale(-1.0, rim->along) : rim->along;
    if (rim->type != HF_PART_RIM) {
        return hf_direction_around(i % HF_AROUND);
    }
    hf_vec3 e1 = hf_any_across(axis), e2 = hf_v3_cross(axis, e1);
    double w = 2.0 * PI * (i % SAMPLES) / SAMPLES, lean = leans[i / SAMPLES];
    return hf_unit(hf_v3_axpy(hf_v3_axpy(axis, lean * cos(w), e1), lean * sin(w), e2));
}

// The direction of the largest separation, from many to begin with. False: there is none.
static bool begin_smooth(const hf_track_search *s, hf_track *track)
{
    const hf_spot *a = track->turned ? &s->to_spot : &s->on_spot;
    const hf_spot *b = track->turned ? &s->on_spot : &s->to_spot;
    hf_parts f = hf_parts_of(track, a, b);
    hf_ring rings[2];
    int count = hf_rings_of(&f, rings);
    hf_vec3 best = hf_v3(0.0, 0.0, 1.0);
    double most = -HUGE_VAL;
    if (f.a.type == HF_PART_FACE || f.b.type == HF_PART_FACE) {
        return true;
    }
    if (count == 2) {
        return hf_at_rings(&rings[0], &rings[1], track->sign, &best);
    }
    // The best of many, and uphill from there
    for (int i = 0; i < (count == 1 ? FINE * SAMPLES : HF_AROUND + LEANS * SAMPLES); ++i) {
        hf_vec3 n = count == 1      ? hf_on_ring(&rings[0], hf_any_across(rings[0].axis),
                                                 2.0 * PI * i / (FINE * SAMPLES))
                    : i < HF_AROUND ? hf_direction_around(i)
                                    : beside_rim(&f, i - HF_AROUND);
        double g = hf_separation(&f, n);
        best = g > most ? n : best;
        most = fmax(g, most);
    }
    best = count == 1 ? hf_along_ring(&f, &rings[0], best) : hf_over_sphere(&f, best);
    track->on_guess = hf_m3_tmulv(&a->rotation, best);
    track->to_guess = hf_m3_tmulv(&b->rotation, best);
    // A rim must have one farthest point there
    bool leans = (f.a.type != HF_PART_RIM || hf_v3_norm(hf_across(best, f.a.along)) > UPRIGHT) &&
                 (f.b.type != HF_PART_RIM || hf_v3_norm(hf_across(best, f.b.along)) > UPRIGHT);
    return leans;
}

static void keep_smooth(hf_track_search *s, bool turned, hf_track_part a_type, int a,
                        hf_track_part b_type, int b)
{
    bool ringed = a_type == HF_PART_SIDE && (b_type == HF_PART_SIDE || b_type == HF_PART_EDGE);
    for (int k = 0; k < (ringed ? 2 : 1); ++k) {
        hf_track track = hf_curved_track(s->on, s->to, turned, a_type, a, b_type, b);
        track.sign = k == 0 ? 1.0 : -1.0;
        if (begin_smooth(s, &track)) {
            hf_track_keep(s, &track);
        }
    }
}

// An ellipsoid, or the side of a cone, against all features of the other.
static void smooth_at_all(hf_track_search *s, bool turned)
{
    const hf_solid *a = turned ? s->to : s->on, *b = turned ? s->on : s->to;
    const hf_core_list *list = turned ? &s->on_list : &s->to_list;
    bool round = a->type == HF_SHAPE_ELLIPSOID;
    hf_track_part own = round ? HF_PART_ELLIPSOID : HF_PART_SIDE;
    if (!round && a->type != HF_SHAPE_CONE) {
        return;
    }
    for (int i = 0; round && i < list->face_count; ++i) {
        keep_smooth(s, turned, own, 0, HF_PART_FACE, hf_core_number(list, list->faces, i));
    }
    for (int i = 0; i < list->corner_count && !list->all; ++i) {
        keep_smooth(s, turned, own, 0, HF_PART_CORNER, list->corners[i]);
    }
    for (int i = 0; i < list->edge_count; ++i) {
        keep_smooth(s, turned, own, 0, HF_PART_EDGE, list->edges[i]);
    }
    for (int i = 0; i < hf_core_rims(b); ++i) {
        keep_smooth(s, turned, own, 0, HF_PART_RIM, i);
    }
    // Pairs of these two kinds once
    if (b->type == HF_SHAPE_ELLIPSOID && (!round || !turned)) {
        keep_smooth(s, turned, own, 0, HF_PART_ELLIPSOID, 0);
    }
    if (b->type == HF_SHAPE_CONE && !round && !turned) {
        keep_smooth(s, turned, own, 0, HF_PART_SIDE, 0);
    }
}

void hf_curved_search(hf_track_search *s)
{
    for (int turned = 0; turned < 2; ++turned) {
        rims_elsewhere(s, turned != 0);
        rims_at_edges(s, turned != 0);
        smooth_at_all(s, turned != 0);
    }
    rims_at_rims(s);
}
