// SPDX-License-Identifier: Apache-2.0
// Surfaces of points of contact as forces.
//
// Friction and velocities of surfaces are handed to the law as they are. A restitution is a wanted
// value that stiffness and times are chosen for, which takes a while: it is done once for each
// number that occurs, when the first contact with it is listed.
#include "collide/point_surface.h"

#include <math.h>

#include "base/error.h"
#include "sim/start.h"

enum { MOST_DESIGNS = 4096 };

// Different numbers among those that surfaces tell.
typedef struct numbers {
    double values[MOST_DESIGNS];
    int count;
} numbers;

static void note(numbers *list, double value)
{
    bool known = isnan(value) || list->count == MOST_DESIGNS;
    for (int i = 0; i < list->count && !known; ++i) {
        known = list->values[i] == value;
    }
    if (!known) {
        list->values[list->count++] = value;
    }
}

// How many restitutions the surfaces of a machine can make, at most.
static long long count_designs(const hf_collider *c, numbers *list)
{
    list->count = 0;
    for (int i = 0; i < c->sweep.count; ++i) {
        note(list, c->places[i].surface.restitution);
    }
    // Two surfaces that tell it, or one and the force
    long long told = list->count, pairs = told * (told + 1) / 2 + told;
    list->count = 0;
    for (int i = 0; i < c->own_count; ++i) {
        note(list, c->own_pairs[i].surface.restitution);
    }
    for (int i = 0; c->material_pairs != NULL && i < c->material_count * c->material_count; ++i) {
        note(list, c->material_pairs[i].surface.restitution);
    }
    return (pairs + list->count) * c->force_count;
}

hf_status hf_designs_create(hf_designs *designs, const hf_collider *c, hf_error *error)
{
    const hf_allocator *a = &c->allocator;
    *designs = (hf_designs){0};
    if (!c->model->surfaces_told) {
        return HF_OK;
    }
    numbers *list = a->allocate(a->context, sizeof *list);
    if (list == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for contacts");
    }
    long long needed = count_designs(c, list);
    a->release(a->context, list);
    if (needed > MOST_DESIGNS) {
        return hf_error_set(error, HF_ERROR_UNSUPPORTED,
                            "surfaces can make %lld different restitutions; methods that take "
                            "contacts as forces have room for %d (timestep has no such limit)",
                            needed, MOST_DESIGNS);
    }
    if (needed == 0) {
        return HF_OK;
    }
    designs->items = a->allocate(a->context, (size_t)needed * sizeof *designs->items);
    if (designs->items == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for contacts");
    }
    designs->capacity = (int)needed;
    return HF_OK;
}

void hf_designs_destroy(hf_designs *designs, const hf_collider *c)
{
    if (designs->items != NULL) {
        c->allocator.release(c->allocator.context, designs->items);
    }
    *designs = (hf_designs){0};
}

// The numbers of a restitution; -1: those of the force.
static int find_design(hf_designs *designs, const hf_collider *c, int force, double restitution)
{
    if (restitution == c->surfaces[force].restitution) {
        return -1;
    }
    for (int i = 0; i < designs->count; ++i) {
        if (designs->items[i].force == force && designs->items[i].restitution == restitution) {
            return i;
        }
    }
    HF_ASSERT(designs->count < designs->capacity);
    hf_design *design = &designs->items[designs->count];
    *design = (hf_design){.force = force, .restitution = restitution};
    hf_choose_restitution(&c->model->forces[force], restitution, &design->round, &design->flat);
    return designs->count++;
}

// The belt of a solid in the frame of its body, which is the world's for scenery.
static hf_belt belt_of(const hf_collider *c, int solid)
{
    const hf_solid_place *place = &c->places[solid];
    hf_vec3 none = hf_v3(0.0, 0.0, 0.0);
    if (!place->driven) {
        return (hf_belt){none, none, none, 0};
    }
    if (!place->fixed) {
        return (hf_belt){place->belt, place->belt_spin, place->center, place->belt_drive};
    }
    return (hf_belt){hf_collider_to_world(c, solid, place->belt),
                     hf_collider_to_world(c, solid, place->belt_spin), c->solids[solid].center,
                     place->belt_drive};
}

hf_point_surface hf_point_surface_of(const hf_collider *c, hf_designs *designs,
                                     const hf_contact_point *found, const hf_pose *poses)
{
    int ends[2];
    hf_collider_ends(c, found, ends);
    hf_point_surface s = {.design = -1};
    // Numbers of its two surfaces
    if (found->own) {
        s.own = true;
        s.mu = found->mu;
        s.spin = found->spin;
        s.rolling = found->rolling;
        s.design = find_design(designs, c, found->force, found->restitution);
    }
    // The direction of most friction, fixed to its body
    if (found->grained) {
        const hf_pose *pose = &poses[found->grain_on ? found->on : found->to];
        s.grained = true;
        s.grain_on = found->grain_on;
        s.grain_by_world = found->grain_by_world;
        s.along = s.grain_by_world ? found->place.x : hf_m3_tmulv(&pose->rotation, found->place.x);
        s.across = hf_v3_norm(found->place.y);
    }
    // Surfaces that move by themselves
    s.driven = found->driven;
    for (int k = 0; k < 2 && s.driven; ++k) {
        s.belts[k] = belt_of(c, ends[k]);
    }
    return s;
}
