// SPDX-License-Identifier: Apache-2.0
// Contacts between the shapes of a machine: pairs that are near (sweep and prune), then their
// points.
#include "collide/collide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "collide/collider.h"

// Deeper than this part of the smaller solid's thinnest half, an overlap at the start is a mistake.
#define DEEP 0.2

// ------------------------------------------------------------------------------------------------
// Where solids are

static bool same_bits(hf_vec3 a, hf_vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && signbit(a.x) == signbit(b.x) &&
           signbit(a.y) == signbit(b.y) && signbit(a.z) == signbit(b.z);
}

static bool is_same(const hf_solid *solid, hf_vec3 center, const hf_mat3 *rotation)
{
    const hf_mat3 *now = &solid->rotation;
    return same_bits(solid->center, center) &&
           same_bits(hf_v3(now->xx, now->xy, now->xz),
                     hf_v3(rotation->xx, rotation->xy, rotation->xz)) &&
           same_bits(hf_v3(now->yx, now->yy, now->yz),
                     hf_v3(rotation->yx, rotation->yy, rotation->yz)) &&
           same_bits(hf_v3(now->zx, now->zy, now->zz),
                     hf_v3(rotation->zx, rotation->zy, rotation->zz));
}

static void place_solid(hf_collider *c, int i, const hf_pose *poses)
{
    hf_solid_place *place = &c->places[i];
    hf_solid *solid = &c->solids[i];
    const hf_pose *pose = &poses[place->pose];
    const hf_mat3 rotation = solid->rotation;
    const hf_vec3 center = solid->center;
    solid->rotation = place->turned ? hf_m3_mul(&pose->rotation, &place->turn) : pose->rotation;
    place->arm = hf_m3_mulv(&pose->rotation, place->center);
    solid->center = hf_v3_add(pose->position, place->arm);
    c->known.same[i] = is_same(solid, center, &rotation);
}

// Half the lengths of the box around a solid, along world axes.
static hf_vec3 extents(const hf_solid *solid)
{
    const hf_mat3 *r = &solid->rotation;
    hf_vec3 h = solid->half;
    double round = solid->radius;
    switch (solid->type) {
    case HF_SHAPE_SPHERE:
        return hf_v3(round, round, round);
    case HF_SHAPE_CAPSULE:
        return hf_v3(h.z * fabs(r->xz) + round, h.z * fabs(r->yz) + round,
                     h.z * fabs(r->zz) + round);
    case HF_SHAPE_CYLINDER:
        // of a disc across the axis z: radius sqrt(1 - z^2)
        return hf_v3(h.z * fabs(r->xz) + round * sqrt(fmax(0.0, 1.0 - r->xz * r->xz)),
                     h.z * fabs(r->yz) + round * sqrt(fmax(0.0, 1.0 - r->yz * r->yz)),
                     h.z * fabs(r->zz) + round * sqrt(fmax(0.0, 1.0 - r->zz * r->zz)));
    case HF_SHAPE_ELLIPSOID:
        return hf_v3(hf_v3_norm(hf_v3(h.x * r->xx, h.y * r->xy, h.z * r->xz)),
                     hf_v3_norm(hf_v3(h.x * r->yx, h.y * r->yy, h.z * r->yz)),
                     hf_v3_norm(hf_v3(h.x * r->zx, h.y * r->zy, h.z * r->zz)));
    case HF_SHAPE_PLANE:
        return hf_v3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    default:
        return hf_v3(h.x * fabs(r->xx) + h.y * fabs(r->xy) + h.z * fabs(r->xz),
                     h.x * fabs(r->yx) + h.y * fabs(r->yy) + h.z * fabs(r->yz),
                     h.x * fabs(r->zx) + h.y * fabs(r->zy) + h.z * fabs(r->zz));
    }
}

static void bound(hf_collider *c, int i, double margin)
{
    const hf_solid *solid = &c->solids[i];
    hf_vec3 e = extents(solid);
    // Rounding must not lose a pair that touches.
    double slack = 0.5 * margin + 1e-12 * (solid->type == HF_SHAPE_PLANE ? 0.0 : solid->reach);
    const double half[3] = {e.x + slack, e.y + slack, e.z + slack};
    const double middle[3] = {solid->center.x, solid->center.y, solid->center.z};
    for (int k = 0; k < 3; ++k) {
        c->sweep.bounds[i].least[k] = middle[k] - half[k];
        c->sweep.bounds[i].most[k] = middle[k] + half[k];
    }
}

// ------------------------------------------------------------------------------------------------
// Which pairs

static const hf_special_pair *find_special(const hf_collider *c, int a, int b)
{
    uint64_t key = hf_special_key(a, b);
    for (int low = 0, high = c->special_count; low < high;) {
        int middle = low + (high - low) / 2;
        if (c->specials[middle].key == key) {
            return &c->specials[middle];
        }
        if (c->specials[middle].key < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return NULL;
}

uint64_t hf_collider_sets(const hf_collider *c, int a, int b, int *own)
{
    const hf_solid_place *x = &c->places[a], *y = &c->places[b];
    uint64_t common = (x->sets & y->against) | (x->against & y->sets);
    const hf_own_pair *pair = hf_collider_own(c, a, b);
    bool always = pair != NULL && pair->touch > 0, never = pair != NULL && pair->touch < 0;
    bool meet = always || (x->group & y->mask) != 0 || (y->group & x->mask) != 0;
    *own = -1;
    if (x->owner == y->owner || never || !meet) {
        return 0;
    }
    if (x->special && y->special) {
        const hf_special_pair *special = find_special(c, x->owner, y->owner);
        if (special != NULL) {
            *own = special->force;
            common &= always ? ~special->except : ~special->never;
        }
    }
    return x->led && y->led ? 0 : common;
}

int hf_collider_force(const hf_collider *c, int a, int b)
{
    int own, set = 0;
    if (c->pair_forces != NULL) {
        return c->pair_forces[a * c->sweep.count + b];
    }
    uint64_t common = hf_collider_sets(c, a, b, &own);
    if (own >= 0 || common == 0) {
        return own;
    }
    while ((common >> set & 1) == 0) {
        ++set;
    }
    return c->set_forces[set];
}

static bool is_wanted(const void *context, int a, int b)
{
    return hf_collider_force(context, a, b) >= 0;
}

// ------------------------------------------------------------------------------------------------
// Points

static hf_vec3 across(hf_vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    hf_vec3 axis = x <= y && x <= z ? hf_v3(1.0, 0.0, 0.0)
                                    : (y <= z ? hf_v3(0.0, 1.0, 0.0) : hf_v3(0.0, 0.0, 1.0));
    hf_vec3 t = hf_v3_axpy(axis, -hf_v3_dot(n, axis), n);
    return hf_v3_scale(1.0 / hf_v3_norm(t), t);
}

// A pair's points with numbers of `feature_bits` bits, different from each other.
static uint64_t short_feature(const hf_collider *c, const uint64_t *used, int count,
                              unsigned feature)
{
    uint64_t mask = ((uint64_t)1 << c->feature_bits) - 1;
    uint64_t mixed = (uint64_t)feature * 0x9e3779b97f4a7c15u;
    uint64_t number = mixed >> (64 - c->feature_bits);
    for (int i = 0; i < count; ++i) {
        if (used[i] == number) {
            number = (number + 1) & mask;
            i = -1;
        }
    }
    return number;
}

// at: where the two are when they touch so.
static void put_points(const hf_collider *c, int on, int to, int force, const hf_touch_point *touch,
                       int count, const hf_placed *at, hf_contact_point *points)
{
    const hf_solid_place *a = &c->places[on], *b = &c->places[to];
    int low = on < to ? on : to, high = on < to ? to : on;
    uint64_t pair = (uint64_t)low * (uint64_t)c->sweep.count + (uint64_t)high;
    uint64_t used[HF_SURFACE_POINTS];
    for (int i = 0; i < count; ++i) {
        const hf_touch_point *t = &touch[i];
        used[i] = short_feature(c, used, i, t->feature);
        hf_vec3 x = across(t->n);
        // from the bodies' origins; scenery is the world's, whose origin is zero
        hf_vec3 on_arm = hf_v3_add(at->arms[0], hf_v3_sub(t->place, at->apart));
        hf_vec3 to_arm = hf_v3_add(at->arms[1], t->place);
        points[i] =
            (hf_contact_point){.key = hf_contact_key(force, pair << c->feature_bits | used[i]),
                               .on = a->pose,
                               .to = b->fixed ? 0 : b->pose,
                               .scenery = b->fixed ? b->body : 0,
                               .force = force,
                               .place = {.n = t->n,
                                         .x = x,
                                         .y = hf_v3_cross(t->n, x),
                                         .on_arm = on_arm,
                                         .to_arm = to_arm,
                                         .gap = t->gap},
                               .restitution = c->surfaces[force].restitution};
        if (a->told || b->told || (a->paired && b->paired)) {
            hf_collider_combine(c, low, high, force, &points[i]);
        }
        if (a->grained || b->grained) {
            hf_collider_grain(c, low, high, force, &points[i]);
        }
        if (a->slip[0] + a->slip[1] + b->slip[0] + b->slip[1] > 0.0) {
            hf_collider_slip(c, low, high, &points[i]);
        }
        if (a->driven || b->driven) {
            hf_collider_drive(c, on, to, t->place, &points[i]);
        }
    }
}

uint64_t hf_collider_pair(const hf_collider *c, const hf_contact_point *point)
{
    return point->key >> c->feature_bits;
}

void hf_collider_ends(const hf_collider *c, const hf_contact_point *point, int ends[2])
{
    uint64_t mask = (UINT64_C(1) << HF_CONTACT_KEY_BITS) - 1;
    uint64_t pair = (point->key & mask) >> c->feature_bits, count = (uint64_t)c->sweep.count;
    int low = (int)(pair / count), high = (int)(pair % count);
    bool turned = c->places[low].led;
    ends[0] = turned ? high : low;
    ends[1] = turned ? low : high;
}

void hf_collider_solids(const hf_collider *c, const hf_contact_point *point,
                        const hf_solid *solids[2])
{
    int ends[2];
    hf_collider_ends(c, point, ends);
    solids[0] = &c->solids[ends[0]];
    solids[1] = &c->solids[ends[1]];
}

// Of few solids: every pair that a force has is compared. The pairs are in the same order as the
// sweep's.
static int compare_all(hf_collider *c)
{
    const hf_bounds *bounds = c->sweep.bounds;
    int found = 0;
    for (int i = 0; i < c->candidate_count; ++i) {
        hf_near_pair pair = c->candidates[i];
        const hf_bounds *x = &bounds[pair.a], *y = &bounds[pair.b];
        if (x->least[0] > y->most[0] || y->least[0] > x->most[0] || x->least[1] > y->most[1] ||
            y->least[1] > x->most[1] || x->least[2] > y->most[2] || y->least[2] > x->most[2]) {
            continue;
        }
        if (found == c->sweep.capacity) {
            return -1;
        }
        c->sweep.pairs[found++] = pair;
    }
    return found;
}

// Pairs whose bounds overlap. Where no solid has moved since the last search they are the same.
static int near_pairs(hf_collider *c, const hf_pose *poses, double margin)
{
    bool same = c->near_count >= 0 && c->near_margin == margin;
    for (int i = 0; i < c->sweep.count; ++i) {
        place_solid(c, i, poses);
        same = same && c->known.same[i];
    }
    c->overflow = HF_COLLIDER_FINE;
    if (same) {
        return c->near_count;
    }
    for (int i = 0; i < c->sweep.count; ++i) {
        bound(c, i, margin);
    }
    int count = c->pair_forces != NULL ? compare_all(c) : hf_sweep_pairs(&c->sweep, is_wanted, c);
    if (count < 0) {
        c->overflow = HF_COLLIDER_PAIRS;
        hf_known_forget(&c->known);
    }
    c->near_count = count;
    c->near_margin = margin;
    return count;
}

// Whether recalling a meeting takes longer than finding it.
static bool is_quick(const hf_solid *a, const hf_solid *b)
{
    const hf_solid *other = a->type == HF_SHAPE_SPHERE ? b : a;
    return (a->type == HF_SHAPE_SPHERE || b->type == HF_SHAPE_SPHERE) &&
           (other->type == HF_SHAPE_SPHERE || other->type == HF_SHAPE_PLANE ||
            other->type == HF_SHAPE_BOX || other->type == HF_SHAPE_CAPSULE);
}

// Whether a pair's normal is the same wherever it meets, or turns gently.
static bool is_even(const hf_solid *a, const hf_solid *b)
{
    return a->type == HF_SHAPE_PLANE || b->type == HF_SHAPE_PLANE ||
           (a->type == HF_SHAPE_SPHERE && b->type == HF_SHAPE_SPHERE);
}

static bool is_surface(const hf_solid *a, const hf_solid *b)
{
    return a->type == HF_SHAPE_TRIANGLES || b->type == HF_SHAPE_TRIANGLES;
}

// Whether a pair is apart along the direction that was found last.
static bool is_apart(const hf_collider *c, int a, int b, double margin)
{
    if (c->pair_forces == NULL) {
        return false;
    }
    const hf_pair_way *way = &c->pair_ways[a * c->sweep.count + b];
    bool known = way->x != 0.0F || way->y != 0.0F || way->z != 0.0F;
    return known && hf_touch_apart(&c->solids[a], &c->solids[b],
                                   hf_v3((double)way->x, (double)way->y, (double)way->z), margin);
}

// Keeps it; `turned`: the meeting is that of b with a.
static void keep_way(hf_collider *c, int a, int b, bool turned, hf_vec3 way)
{
    float sign = turned ? -1.0F : 1.0F;
    if (c->pair_forces != NULL) {
        c->pair_ways[a * c->sweep.count + b] =
            (hf_pair_way){sign * (float)way.x, sign * (float)way.y, sign * (float)way.z};
    }
}

// `on` and `to` are a and b: the one that moves first. Returns how many points there are.
static int meet(hf_collider *c, int force, int on, int to, double margin, hf_touch_point *points)
{
    const hf_solid *x = &c->solids[on], *y = &c->solids[to];
    if (is_surface(x, y)) {
        return hf_touch_points(x, y, margin, points);
    }
    hf_meeting touch;
    int a = on < to ? on : to, b = on < to ? to : on;
    bool quick = is_quick(x, y);
    const hf_meeting *known = quick ? NULL : hf_known_recall(&c->known, force, a, b, margin);
    if (known == NULL && !quick && is_apart(c, a, b, margin)) {
        return 0;
    }
    if (known == NULL) {
        hf_touch_find(x, y, margin, &touch);
        keep_way(c, a, b, on != a, touch.way);
        known = &touch;
    }
    // What moves is not worth it: it is found again as soon as it has come to rest
    if (!quick && c->known.same[a] && c->known.same[b]) {
        hf_known_remember(&c->known, force, a, b, margin, known);
    }
    memcpy(points, known->points, (size_t)known->count * sizeof *points);
    return known->count;
}

// A pair's points by rising key.
static void sort_points(hf_contact_point *points, int count)
{
    for (int i = 1; i < count; ++i) {
        hf_contact_point moved = points[i];
        int at = i;
        for (; at > 0 && points[at - 1].key > moved.key; --at) {
            points[at] = points[at - 1];
        }
        points[at] = moved;
    }
}

double hf_collider_margin(const hf_collider *c, int a, int b, double margin)
{
    if (c->rest == NULL) {
        return margin;
    }
    double x = c->rest[c->places[a].fixed ? 0 : c->places[a].pose];
    double y = c->rest[c->places[b].fixed ? 0 : c->places[b].pose];
    return x < 0.0 || y < 0.0 ? -1.0 : isnan(x) || isnan(y) ? margin : fmax(x, y);
}

// Points of all near pairs of one force, behind the `count` that are there already; -1: no room.
static int find_points(hf_collider *c, int force, double most, const hf_course *course,
                       hf_contact_point *points, int count, int capacity)
{
    for (int i = 0; i < c->near_count; ++i) {
        int a = c->sweep.pairs[i].a, b = c->sweep.pairs[i].b;
        double margin = hf_collider_margin(c, a, b, most);
        c->looked += margin < 0.0 ? 0 : 1;
        if (margin < 0.0 || (c->force_count > 1 && hf_collider_force(c, a, b) != force)) {
            continue;
        }
        // `on` moves
        int on = c->places[a].led ? b : a, to = on == a ? b : a;
        hf_touch_point touch[HF_SURFACE_POINTS];
        int found = meet(c, force, on, to, margin, touch);
        hf_placed at = {.arms = {c->places[on].arm,
                                 c->places[to].fixed ? c->solids[to].center : c->places[to].arm},
                        .apart = hf_v3_sub(c->solids[on].center, c->solids[to].center)};
        // Where it turns or passes by within the step: the points at which they will meet
        if (course != NULL && found > 0 && !is_surface(&c->solids[on], &c->solids[to])) {
            bool even = is_even(&c->solids[on], &c->solids[to]);
            hf_meeting meeting = {.count = found};
            memcpy(meeting.points, touch, (size_t)found * sizeof *touch);
            (void)(even ? hf_collider_halfway : hf_collider_follow)(c, on, to, margin, course,
                                                                    &meeting, &at);
            found = meeting.count;
            memcpy(touch, meeting.points, (size_t)found * sizeof *touch);
        }
        // Behind the points that are there, by rising key
        if (count + found > capacity) {
            c->overflow = HF_COLLIDER_POINTS;
            return -1;
        }
        put_points(c, on, to, force, touch, found, &at, points + count);
        sort_points(points + count, found);
        count += found;
    }
    return count;
}

int hf_collider_search(hf_collider *c, const hf_pose *poses, double margin)
{
    int pairs = near_pairs(c, poses, margin);
    hf_known_begin(&c->known);
    return pairs;
}

int hf_collider_points(hf_collider *c, double margin, const hf_course *course,
                       hf_contact_point *points, int capacity)
{
    int count = 0;
    c->rest = course == NULL ? NULL : course->rest;
    c->looked = 0;
    for (int i = c->first_force; count >= 0 && i < c->model->force_count; ++i) {
        if (c->model->forces[i].ops->needs_collider) {
            count = find_points(c, i, margin, course, points, count, capacity);
        }
    }
    return count;
}

int hf_collider_find(hf_collider *c, const hf_pose *poses, double margin, const hf_course *course,
                     hf_contact_point *points, int capacity)
{
    int pairs = hf_collider_search(c, poses, margin);
    return pairs < 0 ? -1 : hf_collider_points(c, margin, course, points, capacity);
}

void hf_collider_pair_poses(const hf_collider *c, int pair, int poses[2])
{
    const hf_solid_place *a = &c->places[c->sweep.pairs[pair].a];
    const hf_solid_place *b = &c->places[c->sweep.pairs[pair].b];
    poses[0] = a->fixed ? 0 : a->pose;
    poses[1] = b->fixed ? 0 : b->pose;
}

bool hf_collider_runs_surface(const hf_collider *c, int pose)
{
    bool runs = false;
    for (int i = 0; i < c->sweep.count && !runs; ++i) {
        runs = c->places[i].driven && c->places[i].belt_drive == pose;
    }
    return runs;
}

int hf_collider_near(hf_collider *c, const hf_pose *poses, double margin)
{
    hf_known_forget(&c->known);
    return near_pairs(c, poses, margin);
}

hf_status hf_collider_fail(const hf_collider *c, double time, hf_error *error)
{
    const char *name = c->model->forces[c->first_force].name;
    if (c->overflow == HF_COLLIDER_FINE) {
        return HF_OK;
    }
    return hf_error_at(
        error, HF_ERROR_RANGE, hf_at_time(time, NULL, name),
        "'%s' has more than %d %s; give it a larger capacity", name,
        c->overflow == HF_COLLIDER_PAIRS ? c->sweep.capacity : hf_collider_capacity(c),
        c->overflow == HF_COLLIDER_PAIRS ? "pairs of bodies near each other" : "points of contact");
}

double hf_collider_reach(const hf_collider *c)
{
    return c->reach;
}

double hf_collider_thinness(const hf_collider *c)
{
    double least = HUGE_VAL;
    for (int i = 0; i < c->sweep.count; ++i) {
        least = fmin(least, hf_solid_thinness(&c->solids[i]));
    }
    return least;
}

int hf_collider_capacity(const hf_collider *c)
{
    return hf_touch_room(c->sweep.capacity);
}

// ------------------------------------------------------------------------------------------------
// The start

hf_status hf_collider_check(hf_collider *c, const hf_pose *poses, hf_error *error)
{
    int pairs = near_pairs(c, poses, 0.0);
    hf_known_forget(&c->known);
    if (pairs < 0) {
        return hf_collider_fail(c, 0.0, error);
    }
    for (int i = 0; i < pairs; ++i) {
        int a = c->sweep.pairs[i].a, b = c->sweep.pairs[i].b;
        int on = c->places[a].led ? b : a, to = on == a ? b : a;
        hf_touch_point touch[HF_SURFACE_POINTS];
        int count = hf_touch_points(&c->solids[on], &c->solids[to], 0.0, touch);
        double most =
            DEEP * fmin(hf_solid_thinness(&c->solids[on]), hf_solid_thinness(&c->solids[to]));
        for (int k = 0; k < count; ++k) {
            if (!(-touch[k].gap <= most)) {
                return hf_error_at(
                    error, HF_ERROR_INPUT,
                    hf_at("force", c->model->forces[hf_collider_force(c, a, b)].name),
                    "'%s' and '%s' begin %g m deep in each other; at most %g m is accepted",
                    c->places[on].name, c->places[to].name, -touch[k].gap, most);
            }
        }
    }
    return HF_OK;
}
