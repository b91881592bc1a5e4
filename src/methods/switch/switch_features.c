// SPDX-License-Identifier: Apache-2.0
// Which features of shapes are near: listed with a margin, and looked for anew before a body has
// gone so far that others could touch. Those that stay keep what is known of them; of one that was
// closed and is left, those at its place take over. No state changes by it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "compile/slots.h"
#include "methods/switch/features.h"
#include "methods/switch/switch.h"

// Features are listed up to gaps of this part of half the thinnest solid.
#define NEAR 0.1
// They are listed anew where a body has gone by this part of that: where two have, they may be
// nearer by twice as much, and by HF_ROOT_LATE more of each where it is found late.
#define LEEWAY 0.45
// Features in each other by more than this part of that, and open, have passed by each other.
#define DEEP 0.05
// Bodies that overlap by more than this many times that depth have missed a contact.
#define MISSED 2.0
#define LOST   "method switch lost their contact; timestep runs this machine"
// Points of contact nearer to each other than this many margins are one; farther apart than so many
// they are two again.
#define SAME   10.0
#define PARTED 20.0
// A feature takes over from another where it approaches or leaves by less than this many margins.
#define STILL 100.0
// Tangent directions are chosen anew where less than this part of the reference is across the
// normal.
#define ALONG 0.5

// ------------------------------------------------------------------------------------------------
// Creation

hf_status hf_points_create(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    HF_TRY(hf_collider_create(sim->model, &sim->allocator, &own->collider, error));
    const hf_collider *c = own->collider;
    if (c == NULL) {
        return HF_OK;
    }
    double thin = hf_collider_thinness(c);
    own->near_margin = NEAR * (isfinite(thin) ? thin : hf_collider_reach(c));
    own->deep = DEEP * own->near_margin;
    for (int i = 0; i < c->sweep.count; ++i) {
        const hf_solid_place *place = &c->places[i];
        double reach = hf_v3_norm(place->center) + (place->fixed ? 0.0 : c->solids[i].reach);
        own->reaches[place->pose] = fmax(own->reaches[place->pose], reach);
    }
    hf_sim_pose_start(sim);
    HF_TRY(hf_collider_check(own->collider, sim->poses, error));
    return hf_points_list_beside(sim, error);
}

// The deepest of all near pairs, as the collider finds it. False: beyond a limit, which is
// reported.
static bool is_apart(hf_sim *sim, int pairs, double limit, const char *why, hf_error *error)
{
    hf_collider *c = hf_switch_of(sim)->collider;
    for (int i = 0; i < pairs; ++i) {
        int a = c->sweep.pairs[i].a, b = c->sweep.pairs[i].b;
        int on = c->places[a].led ? b : a, to = on == a ? b : a;
        hf_touch_point touch[HF_SURFACE_POINTS];
        int count = hf_touch_points(&c->solids[on], &c->solids[to], 0.0, touch);
        for (int k = 0; k < count; ++k) {
            if (!(touch[k].gap >= -limit)) {
                const char *name = sim->model->forces[hf_collider_force(c, a, b)].name;
                (void)hf_error_at(error, HF_ERROR_RANGE, hf_at_time(sim->core->time, NULL, name),
                                  "'%s' and '%s' are %g m in each other; %s", c->places[on].name,
                                  c->places[to].name, -touch[k].gap, why);
                return false;
            }
        }
    }
    return true;
}

hf_status hf_points_check(hf_sim *sim, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    int pairs = hf_collider_near(own->collider, sim->poses, 0.0);
    if (pairs < 0) {
        return hf_collider_fail(own->collider, sim->core->time, error);
    }
    const char *why = "method switch needs them apart or touching";
    return is_apart(sim, pairs, own->margin, why, error) ? HF_OK : error->status;
}

// ------------------------------------------------------------------------------------------------
// When to look

double hf_points_leeway(const hf_sim *sim)
{
    const hf_switch *own = hf_switch_of(sim);
    double most = 0.0;
    for (int i = 1; i < sim->model->pose_count; ++i) {
        const hf_pose *pose = &sim->poses[i];
        const hf_spot *then = &own->looked[i];
        const hf_mat3 *r = &pose->rotation, *s = &then->rotation;
        if (!(own->reaches[i] > 0.0)) {
            continue;
        }
        // |R - S| of a turn by an angle is 2 sqrt(2) sin(angle/2): a point goes by reach/sqrt(2) of
        // it
        const double parts[9] = {r->xx - s->xx, r->xy - s->xy, r->xz - s->xz,
                                 r->yx - s->yx, r->yy - s->yy, r->yz - s->yz,
                                 r->zx - s->zx, r->zy - s->zy, r->zz - s->zz};
        double squares = 0.0;
        for (int k = 0; k < 9; ++k) {
            squares += parts[k] * parts[k];
        }
        double way = hf_v3_norm(hf_v3_sub(pose->position, then->center)) +
                     own->reaches[i] * sqrt(0.5 * squares);
        most = fmax(most, way);
    }
    return LEEWAY - most / own->near_margin;
}

static void note_look(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    for (int i = 0; i < sim->model->pose_count; ++i) {
        own->looked[i] = (hf_spot){sim->poses[i].rotation, sim->poses[i].position};
    }
}

// ------------------------------------------------------------------------------------------------
// The list

// Elements of a force between shapes: `slots` groups of `size` elements from `first` on.
typedef struct slot_range {
    int force, first, size, slots;
} slot_range;

static slot_range range_of(const hf_sim *sim, int force)
{
    const hf_switch *own = hf_switch_of(sim);
    slot_range r = {.force = force, .first = own->by_force[force]};
    while (r.first + r.size < own->count && own->elements[r.first + r.size].force == force &&
           (r.size == 0 || own->elements[r.first + r.size].part != 0)) {
        ++r.size;
    }
    r.slots = hf_force_slots(sim->model, &sim->model->forces[force]);
    return r;
}

static bool is_same(const hf_switch *own, const hf_switch_point *a, int on, int to,
                    const hf_track *track)
{
    const hf_solid *s = own->collider->solids;
    hf_spot on_spot = {s[on].rotation, s[on].center}, to_spot = {s[to].rotation, s[to].center};
    return a->used && !a->twin && a->on == on && a->to == to &&
           hf_track_is_same(&a->track, track, &on_spot, &to_spot);
}

// What belongs to the place of an element, and what to the point that is there.
static void move_element(hf_element *e, const hf_element *from)
{
    hf_element kept = *e;
    *e = *from;
    e->row = kept.row;
    e->at = kept.at;
    e->load = kept.load;
    e->island = kept.island;
    e->pinned = kept.pinned;
}

// Group k of a range is to be the point of a track: as it was in spare, or new. Returns whether it
// is new.
static bool take_point(hf_sim *sim, const slot_range *r, int k, int on, int to,
                       const hf_track *track)
{
    hf_switch *own = hf_switch_of(sim);
    int *fallen = hf_adaptive_of(sim)->integrator.fallen;
    int at = r->first + k * r->size, old = 0;
    while (old < r->slots &&
           !is_same(own, &own->spare[r->first + old * r->size].point, on, to, track)) {
        ++old;
    }
    bool fresh = old == r->slots;
    // Its elements, as they were
    for (int i = 0; i < r->size; ++i) {
        hf_element *e = &own->elements[at + i];
        const hf_element *from = &own->spare[r->first + (fresh ? 0 : old) * r->size + i];
        size_t roots = HF_ELEMENT_ROOTS * sizeof(int);
        if (fresh) {
            hf_switch_clear_point(e);
            memset(fallen + HF_ELEMENT_ROOTS * (at + i), 0, roots);
        } else {
            move_element(e, from);
            memcpy(fallen + HF_ELEMENT_ROOTS * (at + i),
                   own->spare_fallen + HF_ELEMENT_ROOTS * (from - own->spare), roots);
        }
    }
    // Its features and surfaces
    hf_element *e = &own->elements[at];
    if (fresh) {
        const hf_collider *c = own->collider;
        e->point = (hf_switch_point){.used = true,
                                     .on = on,
                                     .to = to,
                                     .on_pose = c->places[on].pose,
                                     .to_pose = c->places[to].pose,
                                     .track = *track,
                                     .left_at = -INFINITY};
    }
    hf_point_take_surface(sim, e, r->size);
    if (fresh) {
        hf_point_note_stand(own, e);
    }
    return fresh;
}

// A direction across the normal, fastened to `to`. What is known along the old ones is turned.
static void choose_tangents(hf_sim *sim, hf_element *e)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_contact_place *place = &own->places[e->at];
    const hf_mat3 *to = &own->collider->solids[e->point.to].rotation;
    hf_vec3 reference = hf_m3_mulv(to, e->point.reference);
    double along = fabs(hf_v3_dot(place->n, reference));
    bool none = hf_v3_norm(e->point.reference) == 0.0;
    if (!none && along <= sqrt(1.0 - ALONG * ALONG)) {
        return;
    }
    // The same direction, or any
    hf_vec3 used;
    hf_vec3 x = none ? hf_contact_across(hf_v3(0.0, 0.0, 0.0), place->n, &used) : place->x;
    e->point.reference = hf_m3_tmulv(to, x);
}

// How far apart two points of contact are: places, gaps and normals [m].
static double apart(const hf_contact_place *p, const hf_contact_place *q)
{
    double places = hf_v3_norm(hf_v3_sub(p->on_arm, q->on_arm));
    return fmax(fmax(places, fabs(p->gap - q->gap)), hf_v3_norm(hf_v3_sub(p->n, q->n)));
}

double hf_point_twin_room(const hf_switch *own, const hf_element *twin)
{
    return PARTED * own->margin - apart(&own->places[twin->at], &own->places[twin->point.of]);
}

// The point listed before it with which point k coincides, or -1.
static int twin_of(const hf_switch *own, const slot_range *r, int k, int first)
{
    const hf_element *e = &own->elements[r->first + k * r->size];
    if (hf_point_room(own, &e->point) < 0.0) {
        return -1;
    }
    for (int i = first; i < k; ++i) {
        const hf_element *other = &own->elements[r->first + i * r->size];
        if (hf_point_room(own, &other->point) >= 0.0 &&
            apart(&own->places[e->at], &own->places[other->at]) <= SAME * own->margin) {
            return i;
        }
    }
    return -1;
}

// Keeps point k, which coincides with point `of`, in a group that is room: two points that part
// later are seen to, whatever else happens. *changed: it was none of those that were kept.
static void keep_twin(hf_sim *sim, const slot_range *r, int k, int group, int of, bool *changed)
{
    hf_switch *own = hf_switch_of(sim);
    hf_switch_point point = own->elements[r->first + k * r->size].point;
    hf_element *e = &own->elements[r->first + group * r->size];
    const hf_element *before = &own->spare[e - own->elements];
    for (int i = 0; i < r->size; ++i) {
        hf_switch_clear_point(e + i);
    }
    memset(hf_adaptive_of(sim)->integrator.fallen + HF_ELEMENT_ROOTS * (e - own->elements), 0,
           HF_ELEMENT_ROOTS * (size_t)r->size * sizeof(int));
    point.twin = point.passed = true;
    point.of = own->elements[r->first + of * r->size].at;
    e->point = point;
    hf_points_locate_one(sim, e);
    *changed = *changed || !before->point.used || !before->point.twin ||
               before->point.of != point.of || before->point.track.kind != point.track.kind ||
               before->point.track.on != point.track.on || before->point.track.to != point.track.to;
}

// Features of one pair behind the `*count` that are listed, and before the `*twins` at the end of
// the range. False: no room.
static bool list_pair(hf_sim *sim, const slot_range *r, int on, int to, int *count, int *twins,
                      bool *changed)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_collider *c = own->collider;
    int found =
        hf_track_near(&c->solids[on], &c->solids[to], own->near_margin, own->found, own->slots);
    int first = *count;
    if (found < 0) {
        return false;
    }
    for (int i = 0; i < found && i < own->slots; ++i) {
        if (*count == r->slots) {
            return false;
        }
        // Points have the place of a twin where there is no other
        *twins = *count + *twins == r->slots ? *twins - 1 : *twins;
        bool fresh = take_point(sim, r, *count, on, to, &own->found[i]);
        hf_element *e = &own->elements[r->first + *count * r->size];
        hf_points_locate_one(sim, e);
        if (!hf_element_holds(e) && own->places[e->at].gap < -hf_point_deep(own, &e->point)) {
            continue;
        }
        // One of several at a place counts, the others are kept as its twins
        int of = twin_of(own, r, *count, first);
        if (of >= 0 && *count + *twins + 1 < r->slots) {
            *twins += 1;
            keep_twin(sim, r, *count, r->slots - *twins, of, changed);
        }
        if (of >= 0) {
            continue;
        }
        e->point.passed = e->point.twin = false;
        e->point.fresh = fresh;
        *changed = *changed || fresh;
        choose_tangents(sim, e);
        *count += 1;
    }
    return found <= own->slots;
}

// Points of one force. False: no room.
static bool list_force(hf_sim *sim, int force, int pairs, bool *changed)
{
    hf_switch *own = hf_switch_of(sim);
    const hf_collider *c = own->collider;
    slot_range r = range_of(sim, force);
    int count = 0, twins = 0, before = 0;
    for (int k = 0; k < r.slots; ++k) {
        before += own->elements[r.first + k * r.size].point.used ? 1 : 0;
    }
    for (int i = 0; i < pairs; ++i) {
        int a = c->sweep.pairs[i].a, b = c->sweep.pairs[i].b;
        int on = c->places[a].led ? b : a, to = on == a ? b : a;
        if (hf_collider_force(c, a, b) == force &&
            !list_pair(sim, &r, on, to, &count, &twins, changed)) {
            return false;
        }
    }
    // What is left is room
    for (int k = count * r.size; k < (r.slots - twins) * r.size; ++k) {
        hf_switch_clear_point(&own->elements[r.first + k]);
        memset(hf_adaptive_of(sim)->integrator.fallen + HF_ELEMENT_ROOTS * (r.first + k), 0,
               HF_ELEMENT_ROOTS * sizeof(int));
    }
    *changed = *changed || count + twins != before;
    return true;
}

// ------------------------------------------------------------------------------------------------
// What was closed

// Whether a point that was closed is still one.
static bool stays(const hf_switch *own, const hf_element *old)
{
    for (int i = 0; i < own->count; ++i) {
        const hf_element *e = &own->elements[i];
        if (e->slot && e->part == 0 && e->force == old->force &&
            is_same(own, &e->point, old->point.on, old->point.to, &old->point.track)) {
            return hf_point_room(own, &e->point) >= 0.0;
        }
    }
    return false;
}

bool hf_point_slides_in(const hf_sim *sim, const hf_element *e)
{
    const hf_switch *own = hf_switch_of(sim);
    return !e->point.passed && own->places[e->at].gap <= own->margin &&
           own->places[e->at].gap >= -hf_point_deep(own, &e->point) &&
           fabs(sim->rate[e->row]) <= STILL * own->margin;
}

// Whether an open point touches and is at rest there.
static bool lies_on(const hf_sim *sim, const hf_element *e)
{
    const hf_switch *own = hf_switch_of(sim);
    return e->slot && e->part == 0 && e->point.used && e->mode == HF_CONTACT_OPEN &&
           sim->gap[e->row] <= own->margin && sim->gap[e->row] >= -hf_point_deep(own, &e->point) &&
           fabs(sim->rate[e->row]) <= STILL * own->margin;
}

// Those of the same two solids that touch and are at rest against each other are closed too. It is
// reported open only where none takes over.
static void hand_over(hf_sim *sim, const hf_element *old)
{
    hf_switch *own = hf_switch_of(sim);
    bool handed = false;
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        bool same =
            e->force == old->force && e->point.on == old->point.on && e->point.to == old->point.to;
        if (same && lies_on(sim, e)) {
            double tangents[3] = {sim->rate[e->row + 1], sim->rate[e->row + 2], 0.0};
            hf_element_go(e, tangents, -INFINITY);
            e->mode = old->mode;
            e->told = old->told;
            e->burst = old->burst;
            e->burst_count = old->burst_count;
            handed = true;
        }
    }
    for (int i = 0; i < own->count && handed; ++i) {
        hf_element *e = &own->elements[i];
        if (e->slot && e->part == 0 && e->force == old->force &&
            is_same(own, &e->point, old->point.on, old->point.to, &old->point.track)) {
            e->told = HF_CONTACT_OPEN;
        }
    }
}

// Points that were not listed before, and two that were one and have parted, may lie on each other:
// no gap of theirs falls to zero. True: there are such, and modes are to be decided.
static bool join(hf_sim *sim)
{
    hf_switch *own = hf_switch_of(sim);
    bool joined = false;
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        if (!lies_on(sim, e) || !e->point.fresh) {
            continue;
        }
        joined = true;
        // As others of the same two solids, which is not reported
        for (int k = 0; k < own->count; ++k) {
            const hf_element *other = &own->elements[k];
            if (other->slot && other->part == 0 && other->force == e->force &&
                other->point.on == e->point.on && other->point.to == e->point.to &&
                hf_element_holds(other)) {
                double tangents[3] = {sim->rate[e->row + 1], sim->rate[e->row + 2], 0.0};
                hf_element_go(e, tangents, -INFINITY);
                e->mode = other->mode;
                e->told = other->told;
                break;
            }
        }
    }
    return joined;
}

static void take_over(hf_sim *sim, bool *left)
{
    hf_switch *own = hf_switch_of(sim);
    hf_switch_look(sim, sim->x);
    for (int i = 0; i < own->count; ++i) {
        const hf_element *old = &own->spare[i];
        if (old->slot && old->part == 0 && old->point.used && hf_element_holds(old) &&
            !stays(own, old)) {
            hand_over(sim, old);
            *left = true;
        }
    }
    // What is outside holds nothing
    for (int i = 0; i < own->count; ++i) {
        hf_element *e = &own->elements[i];
        if (e->slot && e->part == 0 && hf_element_holds(e) &&
            !(e->point.used && hf_point_room(own, &e->point) >= 0.0)) {
            e->mode = HF_CONTACT_OPEN;
            e->candidate = false;
            e->point.left_at = sim->core->time;
        }
    }
}

hf_status hf_points_list(hf_sim *sim, bool *changed, bool *left, hf_error *error)
{
    hf_switch *own = hf_switch_of(sim);
    hf_collider *c = own->collider;
    *changed = *left = false;
    // What is known of those that are there
    hf_points_stand(own);
    memcpy(own->spare, own->elements, (size_t)own->count * sizeof *own->spare);
    memcpy(own->spare_fallen, hf_adaptive_of(sim)->integrator.fallen,
           (size_t)(HF_ELEMENT_ROOTS * own->count) * sizeof *own->spare_fallen);
    int pairs = hf_collider_near(c, sim->poses, own->near_margin);
    if (pairs < 0) {
        return hf_collider_fail(c, sim->core->time, error);
    }
    // What the collider says of them, by other ways: no contact may have been missed
    if (!is_apart(sim, pairs, MISSED * own->deep, LOST, error)) {
        return error->status;
    }
    for (int i = 0; i < sim->model->force_count; ++i) {
        const hf_force_place *force = &sim->model->forces[i];
        if (hf_force_slots(sim->model, force) > 0 && own->by_force[i] >= 0 &&
            !list_force(sim, i, pairs, changed)) {
            return hf_error_at(error, HF_ERROR_RANGE,
                               hf_at_time(sim->core->time, NULL, force->name),
                               "'%s' has more than %d features of shapes near each other, which is "
                               "more than method switch follows; timestep runs this machine",
                               force->name, hf_force_slots(sim->model, force));
        }
    }
    note_look(sim);
    take_over(sim, left);
    *left = join(sim) || *left;
    return HF_OK;
}
