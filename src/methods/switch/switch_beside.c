// SPDX-License-Identifier: Apache-2.0
// Solids that lie beside each other: the tiles of a floor, the bricks of a wall, shapes of one
// body. A point of contact whose normal their union does not have (shapes/exposed.h) is none.
#include <math.h>

#include "base/error.h"
#include "methods/switch/features.h"
#include "methods/switch/switch.h"
#include "shapes/exposed.h"
#include "shapes/touch.h"

// What stands out by less than so many margins is flush, and how far beside a point it is looked
// for.
#define FLUSH 10.0
#define ASIDE 4.0
// Points aside are of the same face or edge within this part of what is flush.
#define LEVEL 0.1
// Directions in which it is, beside that towards the middle.
enum { ASIDES = 8 };
#define PI 3.14159265358979323846

// Whether two solids never move against each other, and are near each other.
static bool is_fast(const hf_collider *c, int i, int k)
{
    const hf_solid_place *a = &c->places[i], *b = &c->places[k];
    return a->pose == b->pose || (a->fixed && b->fixed);
}

static bool is_beside(const hf_collider *c, int i, int k, double margin)
{
    const hf_solid *a = &c->solids[i], *b = &c->solids[k];
    bool planes = a->type == HF_SHAPE_PLANE && b->type == HF_SHAPE_PLANE;
    hf_vec3 apart = hf_v3_sub(a->center, b->center);
    if (i == k || !is_fast(c, i, k) || planes ||
        !(hf_v3_norm(apart) <= a->reach + b->reach + margin)) {
        return false;
    }
    if (a->type == HF_SHAPE_TRIANGLES && b->type == HF_SHAPE_TRIANGLES) {
        return true;
    }
    hf_touch_point found[HF_SURFACE_POINTS];
    return hf_touch_points(a, b, margin, found) > 0;
}

// Fills the list of what is beside each solid; with NULL it counts.
static int list_beside(const hf_collider *c, double margin, int *first, int *beside)
{
    int count = 0;
    for (int i = 0; i < c->sweep.count; ++i) {
        if (first != NULL) {
            first[i] = count;
        }
        for (int k = 0; k < c->sweep.count; ++k) {
            if (!is_beside(c, i, k, margin)) {
                continue;
            }
            if (beside != NULL) {
                beside[count] = k;
            }
            count += 1;
        }
    }
    if (first != NULL) {
        first[c->sweep.count] = count;
    }
    return count;
}

hf_status hf_points_list_beside(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_collider *c = own->collider;
    int count = list_beside(c, own->near_margin, NULL, NULL);
    size_t numbers = (size_t)count + (size_t)c->sweep.count + 1;
    own->first_beside = sim->allocator.allocate(sim->allocator.context, numbers * sizeof(int));
    if (own->first_beside == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for a sim");
    }
    own->beside = own->first_beside + c->sweep.count + 1;
    (void)list_beside(c, own->near_margin, own->first_beside, own->beside);
    return HF_OK;
}

// ------------------------------------------------------------------------------------------------
// Points

// A solid with its body at a pose.
static hf_solid solid_at(const hf_collider *c, int i, const hf_pose *poses)
{
    hf_solid solid = c->solids[i];
    hf_spot spot = hf_points_spot(&c->places[i], &poses[c->places[i].pose]);
    solid.rotation = spot.rotation;
    solid.center = spot.center;
    return solid;
}

// What of a solid a point is on: the way along an edge, or none of a face, of a corner or of what
// is curved.
typedef struct side {
    int solid, other; // whose it is, and what touches it
    hf_vec3 p, n;     // n outwards
    hf_track_part part, other_part;
    hf_vec3 along;
} side;

static side side_of(const hf_switch_point *point, const hf_track_place *at, const hf_spot *spots,
                    bool on)
{
    const hf_track *t = &point->track;
    const hf_track_part corner = HF_PART_CORNER, edge = HF_PART_EDGE, face = HF_PART_FACE;
    const hf_track_part parts[][2] = {
        [HF_TRACK_CORNER_FACE] = {corner, face}, [HF_TRACK_FACE_CORNER] = {face, corner},
        [HF_TRACK_EDGES] = {edge, edge},         [HF_TRACK_CORNER_EDGE] = {corner, edge},
        [HF_TRACK_EDGE_CORNER] = {edge, corner}, [HF_TRACK_CORNERS] = {corner, corner}};
    bool curved = t->kind >= HF_TRACK_RIM_FACE, first = on != (curved && t->turned);
    const hf_spot *spot = on ? &spots[0] : &spots[1];
    side s = {.solid = on ? point->on : point->to,
              .other = on ? point->to : point->on,
              .p = on ? at->on : at->to,
              .n = on ? hf_v3_scale(-1.0, at->n) : at->n,
              .part = curved ? (first ? t->on_part : t->to_part) : parts[t->kind][on ? 0 : 1],
              .other_part =
                  curved ? (first ? t->to_part : t->on_part) : parts[t->kind][on ? 1 : 0]};
    s.along = hf_m3_mulv(&spot->rotation, first ? t->on_along : t->to_along);
    // What lies on a face is given by its own place
    if (s.part == HF_PART_FACE) {
        s.p = hf_v3_axpy(on ? at->to : at->on, -at->gap, s.n);
    }
    return s;
}

// Whether an edge between two faces is none: both are one surface, or what touches it has no face
// and no straight edge. Else it reaches over both, and touches each up to there.
static bool is_no_edge(const hf_sim *sim, const side *s, int beside, hf_vec3 p)
{
    bool reaches = s->other_part == HF_PART_FACE || s->other_part == HF_PART_EDGE;
    return !reaches || hf_points_have_one_surface(sim, s->solid, beside, s->other, p);
}

// Whether something beside it that `other` touches too hides the normal at p.
static bool is_hidden(const hf_sim *sim, const side *s, const hf_solid *solid, hf_vec3 p)
{
    const hf_switch *own = hf_switch_of(sim);
    double near = FLUSH * own->margin;
    bool hidden = false;
    for (int k = own->first_beside[s->solid]; k < own->first_beside[s->solid + 1] && !hidden; ++k) {
        int b = own->beside[k], low = b < s->other ? b : s->other;
        if (hf_collider_force(own->collider, low, b + s->other - low) < 0) {
            continue;
        }
        hf_solid beside = solid_at(own->collider, b, sim->poses);
        hidden = hf_solid_hides(&beside, solid, p, s->n, near) ||
                 (hf_solid_ends(&beside, solid, p, s->n, near) && is_no_edge(sim, s, b, p));
    }
    return hidden;
}

// Whether its normal is none, at p and at points of the same face or edge near p.
static bool is_covered(const hf_sim *sim, const side *s)
{
    const hf_switch *own = hf_switch_of(sim);
    hf_solid solid = solid_at(own->collider, s->solid, sim->poses);
    if (!is_hidden(sim, s, &solid, s->p)) {
        return false;
    }
    // Along the edge, or around and towards the middle of the face
    double near = FLUSH * own->margin;
    hf_vec3 ways[ASIDES + 1], used;
    int count = 0;
    if (s->part == HF_PART_EDGE) {
        ways[count++] = s->along;
        ways[count++] = hf_v3_scale(-1.0, s->along);
    } else if (s->part == HF_PART_FACE) {
        hf_vec3 in = hf_v3_sub(solid.center, s->p);
        in = hf_v3_axpy(in, -hf_v3_dot(in, s->n), s->n);
        double length = hf_v3_norm(in);
        hf_vec3 x = hf_contact_across(in, s->n, &used), y = hf_v3_cross(s->n, x);
        for (; count < ASIDES; ++count) {
            double w = 2.0 * PI * count / ASIDES;
            ways[count] = hf_v3_add(hf_v3_scale(cos(w), x), hf_v3_scale(sin(w), y));
        }
        ways[count++] = hf_v3_scale(length > 0.0 ? 1.0 / length : 0.0, in);
    }
    // None of them has it
    bool covered = true;
    for (int k = 0; k < count && covered; ++k) {
        hf_vec3 p = hf_v3_axpy(s->p, ASIDE * near, ways[k]);
        covered = !hf_solid_has(&solid, p, LEVEL * near) || is_hidden(sim, s, &solid, p);
    }
    return covered;
}

bool hf_point_is_covered(const hf_sim *sim, const hf_switch_point *point)
{
    const hf_switch *own = hf_switch_of(sim);
    const int *first = own->first_beside;
    if (first[point->on] == first[point->on + 1] && first[point->to] == first[point->to + 1]) {
        return false;
    }
    const hf_solid_place *places = own->collider->places;
    hf_spot spots[2] = {hf_points_spot(&places[point->on], &sim->poses[point->on_pose]),
                        hf_points_spot(&places[point->to], &sim->poses[point->to_pose])};
    hf_track_place at = hf_track_find(&point->track, &spots[0], &spots[1]);
    if (at.gap > FLUSH * own->margin) {
        return false;
    }
    side on = side_of(point, &at, spots, true), to = side_of(point, &at, spots, false);
    return is_covered(sim, &to) || is_covered(sim, &on);
}
