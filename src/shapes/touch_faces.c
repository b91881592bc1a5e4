// SPDX-License-Identifier: Apache-2.0
// Faces over faces: one outline is clipped by the other (Sutherland, Hodgman), and of what is left
// the four points are kept that span most.
//
// Every point knows what it is: a vertex of one outline, or the crossing of two edges. These
// numbers do not depend on which face clipped which, nor on the order in which it happened. Points
// within TOLERANCE of an edge count as inside, so that rounding neither adds nor takes away corners
// of faces that lie exactly on each other.
#include "shapes/touch.h"

#include <string.h>

// As a part of the face's size.
#define TOLERANCE 1e-9
// What is larger by less than this part of the scale is a tie.
#define TIE 1e-6

enum { MOST = 2 * HF_POLYGON };

// Kinds of points.
enum { VERTEX_OF_FACE = 1, VERTEX_OF_OTHER = 2, CROSSING = 3 };

typedef struct spot {
    double x, y, h; // in the face's plane, and height over it
    int kind, face_id, other_id;
    int edge; // of the way to the next spot: an edge of `other` (>= 0), or of the face (-1 - edge)
} spot;

typedef struct outline {
    spot spots[MOST];
    int count;
} outline;

static unsigned number(const spot *s, bool face_is_a)
{
    unsigned a = (unsigned)(face_is_a ? s->face_id : s->other_id),
             b = (unsigned)(face_is_a ? s->other_id : s->face_id);
    if (s->kind == CROSSING) {
        return 3u << 30 | (a & 0x7fff) << 15 | (b & 0x7fff);
    }
    bool of_a = (s->kind == VERTEX_OF_FACE) == face_is_a;
    return (of_a ? 1u : 2u) << 30 |
           (unsigned)(s->kind == VERTEX_OF_FACE ? s->face_id : s->other_id);
}

// ------------------------------------------------------------------------------------------------
// Clipping

typedef struct frame {
    hf_vec3 origin, x, y, n;
} frame;

static frame frame_of(const hf_feature *face, hf_vec3 n)
{
    frame f = {.origin = face->points[0], .n = n};
    hf_vec3 along = hf_v3_sub(face->points[1], face->points[0]);
    along = hf_v3_axpy(along, -hf_v3_dot(along, n), n);
    f.x = hf_v3_scale(1.0 / hf_v3_norm(along), along);
    f.y = hf_v3_cross(n, f.x);
    return f;
}

static spot project(const frame *f, hf_vec3 p)
{
    hf_vec3 d = hf_v3_sub(p, f->origin);
    return (spot){.x = hf_v3_dot(f->x, d), .y = hf_v3_dot(f->y, d), .h = hf_v3_dot(f->n, d)};
}

// The crossing of the way p -> q, which has the edge p->edge, with edge number `edge` of the face.
// Two edges of the face cross in its vertex.
static spot cross_at(const spot *p, const spot *q, double dp, double dq, int edge, int edges)
{
    double t = dp / (dp - dq);
    spot s = {.x = p->x + t * (q->x - p->x),
              .y = p->y + t * (q->y - p->y),
              .h = p->h + t * (q->h - p->h),
              .kind = CROSSING,
              .face_id = edge,
              .other_id = p->edge};
    if (p->edge < 0) {
        int first = -1 - p->edge;
        s.kind = VERTEX_OF_FACE;
        // Edge k goes from vertex k to k + 1. Edges that are no neighbours cross outside: what
        // comes later cuts that off, but for rounding.
        s.face_id = (first + 1) % edges == edge ? edge : (edge + 1) % edges == first ? first : -1;
        s.other_id = 0;
    }
    return s;
}

// Keeps what is left of the edge from a to b (counter-clockwise outline of the face).
static void clip_edge(const outline *from, outline *to, const spot *a, const spot *b, int edge,
                      int edges, double tolerance)
{
    double ex = b->x - a->x, ey = b->y - a->y, length = sqrt(ex * ex + ey * ey);
    ex /= length;
    ey /= length;
    to->count = 0;
    for (int i = 0; i < from->count && to->count + 2 <= MOST; ++i) {
        const spot *p = &from->spots[i], *q = &from->spots[(i + 1) % from->count];
        // distance outside
        double dp = (p->x - a->x) * ey - (p->y - a->y) * ex;
        double dq = (q->x - a->x) * ey - (q->y - a->y) * ex;
        bool p_in = dp <= tolerance, q_in = dq <= tolerance;
        if (p_in) {
            to->spots[to->count++] = *p;
            if (!q_in && dp < -tolerance) {
                spot s = cross_at(p, q, dp, dq, edge, edges);
                s.edge = -1 - edge;
                to->spots[to->count++] = s;
            } else if (!q_in) {
                to->spots[to->count - 1].edge = -1 - edge;
            }
        } else if (q_in && dq < -tolerance) {
            spot s = cross_at(p, q, dp, dq, edge, edges);
            s.edge = p->edge;
            to->spots[to->count++] = s;
        }
    }
}

// Vertices of the face carry the face's own names, and lie exactly where they are.
static void name_vertices(outline *found, const spot *corners, const hf_feature *face)
{
    for (int i = 0; i < found->count; ++i) {
        spot *s = &found->spots[i];
        if (s->kind == VERTEX_OF_FACE && s->face_id < 0) {
            s->kind = CROSSING;
        } else if (s->kind == VERTEX_OF_FACE) {
            const spot *corner = &corners[s->face_id];
            s->x = corner->x;
            s->y = corner->y;
            s->face_id = face->ids[s->face_id];
        }
    }
}

// A line across the face: the part of it inside.
static void clip_line(outline *line, const spot *corners, int edges, double tolerance)
{
    double from = 0.0, to = 1.0;
    int from_edge = -1, to_edge = -1;
    spot p = line->spots[0], q = line->spots[1];
    // The part of the line that is inside of all edges
    for (int e = 0; e < edges; ++e) {
        const spot *a = &corners[e], *b = &corners[(e + 1) % edges];
        double ex = b->x - a->x, ey = b->y - a->y, length = sqrt(ex * ex + ey * ey);
        double dp = ((p.x - a->x) * ey - (p.y - a->y) * ex) / length;
        double dq = ((q.x - a->x) * ey - (q.y - a->y) * ex) / length;
        if (dp > tolerance && dq > tolerance) {
            line->count = 0;
            return;
        }
        double t = dp / (dp - dq);
        if (dp > tolerance && t > from) {
            from = t;
            from_edge = e;
        } else if (dq > tolerance && t < to) {
            to = t;
            to_edge = e;
        }
    }
    if (from > to) {
        line->count = 0;
        return;
    }
    // Its ends, and which edge cut them
    const double ts[2] = {from, to};
    const int cut[2] = {from_edge, to_edge};
    for (int k = 0; k < 2; ++k) {
        spot *s = &line->spots[k];
        if (cut[k] >= 0) {
            *s = (spot){.x = p.x + ts[k] * (q.x - p.x),
                        .y = p.y + ts[k] * (q.y - p.y),
                        .h = p.h + ts[k] * (q.h - p.h),
                        .kind = CROSSING,
                        .face_id = cut[k]};
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Which four

typedef struct candidate {
    double x, y, gap;
    unsigned feature;
    hf_vec3 place;
} candidate;

static double twice_area(const candidate *a, const candidate *b, const candidate *c)
{
    return (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
}

// Clearly more: ties, which rounding would decide, go to the lower feature.
static bool is_more(double value, double best, double scale)
{
    return value > best + TIE * scale;
}

static void sort_by_feature(candidate *c, int count)
{
    for (int i = 1; i < count; ++i) {
        candidate moved = c[i];
        int at = i;
        for (; at > 0 && c[at - 1].feature > moved.feature; --at) {
            c[at] = c[at - 1];
        }
        c[at] = moved;
    }
}

static double way_squared(const candidate *a, const candidate *b)
{
    return (a->x - b->x) * (a->x - b->x) + (a->y - b->y) * (a->y - b->y);
}

// Whether two are as far from the deepest one and as much less deep, on either side of it: a rim
// that lands tilted.
static bool are_twins(const candidate *deepest, const candidate *a, const candidate *b, double size)
{
    return fabs(a->gap - b->gap) <= TIE * size && is_more(a->gap, deepest->gap, size) &&
           fabs(way_squared(a, deepest) - way_squared(b, deepest)) <= TIE * size * size;
}

// The twins that make the largest triangle with the deepest one, where what is farthest from it is
// one of two: to take one of them alone would push a body aside that lands straight. False: it is
// not.
static bool choose_twins(const candidate *c, int count, double size, int chosen[HF_TOUCH_POINTS])
{
    const candidate *deepest = &c[chosen[0]];
    bool alone = true;
    double most = 0.0;
    int twins[2] = {-1, -1};
    for (int i = 0; i < count; ++i) {
        for (int k = i + 1; k < count; ++k) {
            double area = fabs(twice_area(deepest, &c[i], &c[k]));
            if (!are_twins(deepest, &c[i], &c[k], size)) {
                continue;
            }
            alone = alone && i != chosen[1] && k != chosen[1];
            if (is_more(area, most, size * size)) {
                most = area;
                twins[0] = i;
                twins[1] = k;
            }
        }
    }
    if (alone || twins[0] < 0) {
        return false;
    }
    chosen[1] = twins[0];
    chosen[2] = twins[1];
    chosen[3] = -1;
    return true;
}

// On either side of the line of the first two, the one that makes the largest triangle.
static void choose_sides(const candidate *c, int count, double size, int chosen[HF_TOUCH_POINTS])
{
    double best[2] = {0.0, 0.0};
    chosen[2] = chosen[3] = -1;
    for (int i = 0; i < count; ++i) {
        double area = twice_area(&c[chosen[0]], &c[chosen[1]], &c[i]);
        if (is_more(area, best[0], size * size)) {
            best[0] = area;
            chosen[2] = i;
        } else if (is_more(-area, best[1], size * size)) {
            best[1] = -area;
            chosen[3] = i;
        }
    }
}

// Moves the deepest, the one farthest from it, and those that span most on both sides to the front;
// or the deepest and its twins.
static int choose_four(candidate *c, int count, double size)
{
    sort_by_feature(c, count);
    if (count <= HF_TOUCH_POINTS) {
        return count;
    }
    // The deepest, then the one that is farthest from it
    int chosen[HF_TOUCH_POINTS] = {0};
    for (int i = 1; i < count; ++i) {
        if (is_more(c[chosen[0]].gap, c[i].gap, size)) {
            chosen[0] = i;
        }
    }
    double farthest = 0.0;
    for (int i = 0; i < count; ++i) {
        double way = way_squared(&c[i], &c[chosen[0]]);
        if (is_more(way, farthest, size * size)) {
            farthest = way;
            chosen[1] = i;
        }
    }
    if (!choose_twins(c, count, size, chosen)) {
        choose_sides(c, count, size, chosen);
    }
    // These, still by feature
    candidate kept[HF_TOUCH_POINTS];
    int used = 0;
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < HF_TOUCH_POINTS; ++k) {
            if (chosen[k] == i) {
                kept[used++] = c[i];
                break;
            }
        }
    }
    for (int k = 0; k < used; ++k) {
        c[k] = kept[k];
    }
    return used;
}

// ------------------------------------------------------------------------------------------------
// What carries the centers

// How far along the stretch from a to b its nearest point to another one is, from 0 to 1.
static double nearest_on(const candidate *a, const candidate *b, double x, double y)
{
    double ex = b->x - a->x, ey = b->y - a->y, square = ex * ex + ey * ey;
    double t = square > 0.0 ? ((x - a->x) * ex + (y - a->y) * ey) / square : 0.0;
    return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
}

static double distance_to(const candidate *a, const candidate *b, double x, double y)
{
    double t = nearest_on(a, b, x, y);
    return hypot(x - a->x - t * (b->x - a->x), y - a->y - t * (b->y - a->y));
}

// How far a point is outside of the outline of those that are kept, which go around in either
// direction; zero: inside.
static double outside(const candidate *ring, const bool *kept, int count, double x, double y)
{
    int order[MOST], used = 0;
    for (int i = 0; i < count; ++i) {
        if (kept[i]) {
            order[used++] = i;
        }
    }
    double area = 0.0, least = HUGE_VAL;
    bool left = false, right = false;
    for (int i = 0; i < used; ++i) {
        const candidate *a = &ring[order[i]], *b = &ring[order[(i + 1) % used]];
        const candidate at = {.x = x, .y = y};
        double side = twice_area(a, b, &at);
        area += twice_area(&ring[order[0]], a, b);
        left = left || side > 0.0;
        right = right || side < 0.0;
        least = fmin(least, distance_to(a, b, x, y));
    }
    bool in = area > 0.0 ? !right : !left;
    return in ? 0.0 : least;
}

// Keeps both ends of the side of the ring that is nearest to a center beside those that are kept,
// or the one corner that is. What is farther from the ring than its own size tells nothing of it.
static void keep_below(const candidate *ring, bool *kept, int count, double x, double y,
                       double size)
{
    double beside = outside(ring, kept, count, x, y), best = HUGE_VAL, extent = 0.0;
    for (int i = 1; i < count; ++i) {
        extent = fmax(extent, hypot(ring[i].x - ring[0].x, ring[i].y - ring[0].y));
    }
    if (!(beside > TIE * size) || beside > extent) {
        return;
    }
    int nearest = 0;
    for (int i = 0; i < count; ++i) {
        double distance = distance_to(&ring[i], &ring[(i + 1) % count], x, y);
        if (is_more(best, distance, size) || !isfinite(best)) {
            best = distance;
            nearest = i;
        }
    }
    double t = nearest_on(&ring[nearest], &ring[(nearest + 1) % count], x, y);
    kept[nearest] = kept[nearest] || t < 1.0;
    kept[(nearest + 1) % count] = kept[(nearest + 1) % count] || t > 0.0;
}

// The points of contact of an outline: four of them, and those below the centers. `frame` has the
// axes in which the ring is.
static int choose(const candidate *ring, int count, double size, const frame *f,
                  const hf_vec3 *centers, int center_count, candidate *chosen)
{
    // Four
    memcpy(chosen, ring, (size_t)count * sizeof *chosen);
    int used = choose_four(chosen, count, size);
    if (used == count || center_count == 0) {
        return used;
    }
    // and what is below the centers
    bool kept[MOST] = {false};
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < used; ++k) {
            kept[i] = kept[i] || ring[i].feature == chosen[k].feature;
        }
    }
    for (int k = 0; k < center_count; ++k) {
        spot at = project(f, centers[k]);
        keep_below(ring, kept, count, at.x, at.y, size);
    }
    // These, by feature
    used = 0;
    for (int i = 0; i < count && used < HF_TOUCH_MOST; ++i) {
        int at = used;
        for (; kept[i] && at > 0 && chosen[at - 1].feature > ring[i].feature; --at) {
            chosen[at] = chosen[at - 1];
        }
        if (kept[i]) {
            chosen[at] = ring[i];
            used += 1;
        }
    }
    return used;
}

static void hand_over(const candidate *found, int count, hf_vec3 n, hf_meeting *touch)
{
    for (int i = 0; i < count; ++i) {
        touch->points[touch->count++] = (hf_touch_point){
            .place = found[i].place, .n = n, .gap = found[i].gap, .feature = found[i].feature};
    }
}

// ------------------------------------------------------------------------------------------------

static double size_of(const spot *corners, int count)
{
    double size = 0.0;
    for (int i = 0; i < count; ++i) {
        size = fmax(size, fmax(fabs(corners[i].x), fabs(corners[i].y)));
    }
    return size;
}

// Returns what is left: one of the two.
static outline *clip(outline *work, outline *spare, const spot *corners, int edges,
                     double tolerance)
{
    if (work->count == 2) {
        clip_line(work, corners, edges, tolerance);
        return work;
    }
    for (int e = 0; e < edges && work->count > 0; ++e) {
        if (work->count == 1) {
            const spot *a = &corners[e], *b = &corners[(e + 1) % edges], *p = &work->spots[0];
            double ex = b->x - a->x, ey = b->y - a->y;
            double out = (p->x - a->x) * ey - (p->y - a->y) * ex;
            work->count = out <= tolerance * sqrt(ex * ex + ey * ey);
            continue;
        }
        clip_edge(work, spare, &corners[e], &corners[(e + 1) % edges], e, edges, tolerance);
        outline *last = work;
        work = spare;
        spare = last;
    }
    return work;
}

bool hf_touch_faces(const hf_overlap *overlap, hf_meeting *touch)
{
    const hf_feature *face = overlap->face, *other = overlap->other;
    // The face in its plane
    frame f = frame_of(face, overlap->normal);
    spot corners[HF_POLYGON];
    for (int i = 0; i < face->count; ++i) {
        corners[i] = project(&f, face->points[i]);
    }
    double size = size_of(corners, face->count);
    // The other one's outline, clipped to it
    outline outlines[2]; // large: only what is used is written
    outlines[0].count = other->count;
    for (int i = 0; i < other->count; ++i) {
        spot *s = &outlines[0].spots[i];
        *s = project(&f, other->points[i]);
        s->kind = VERTEX_OF_OTHER;
        s->other_id = other->ids[i];
        s->edge = i;
    }
    outline *work = clip(&outlines[0], &outlines[1], corners, face->count, TOLERANCE * size);
    name_vertices(work, corners, face);
    // Corners of what is left that are near enough, four of them at most
    candidate found[MOST];
    int count = 0;
    for (int i = 0; i < work->count; ++i) {
        const spot *s = &work->spots[i];
        double gap = s->h - overlap->round;
        if (gap <= overlap->margin) {
            // from the face's plane to the middle of the gap
            hf_vec3 place = hf_v3_axpy(hf_v3_axpy(f.origin, s->x, f.x), s->y, f.y);
            found[count++] = (candidate){.x = s->x,
                                         .y = s->y,
                                         .gap = gap,
                                         .feature = number(s, overlap->face_is_a),
                                         .place = hf_v3_axpy(place, 0.5 * gap, f.n)};
        }
    }
    candidate chosen[MOST];
    int used = choose(found, count, size, &f, overlap->centers, overlap->center_count, chosen);
    hand_over(chosen, used, overlap->face_is_a ? hf_v3_scale(-1.0, f.n) : f.n, touch);
    return work->count > 0;
}

void hf_touch_over_plane(const hf_feature *other, hf_vec3 center, hf_vec3 normal, hf_vec3 on_plane,
                         double round, double margin, hf_meeting *touch)
{
    hf_vec3 across = fabs(normal.x) < 0.7 ? hf_v3(1.0, 0.0, 0.0) : hf_v3(0.0, 1.0, 0.0);
    hf_vec3 x = hf_v3_cross(across, normal);
    x = hf_v3_scale(1.0 / hf_v3_norm(x), x);
    hf_vec3 y = hf_v3_cross(normal, x);
    const frame f = {.origin = other->points[0], .x = x, .y = y, .n = normal};
    candidate found[HF_POLYGON];
    int count = 0;
    double size = 0.0;
    for (int i = 0; i < other->count; ++i) {
        hf_vec3 d = hf_v3_sub(other->points[i], other->points[0]);
        double gap = hf_v3_dot(normal, hf_v3_sub(other->points[i], on_plane)) - round;
        size = fmax(size, hf_v3_norm(d));
        if (gap <= margin) {
            found[count++] =
                (candidate){.x = hf_v3_dot(x, d),
                            .y = hf_v3_dot(y, d),
                            .gap = gap,
                            .feature = (unsigned)other->ids[i] + 1,
                            .place = hf_v3_axpy(other->points[i], -(round + 0.5 * gap), normal)};
        }
    }
    candidate chosen[HF_POLYGON];
    int used = choose(found, count, size, &f, &center, 1, chosen);
    hand_over(chosen, used, normal, touch);
}
