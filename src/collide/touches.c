// SPDX-License-Identifier: Apache-2.0
// Points where shapes touch, or are as near as a coupling reaches: for forces that act there
// without being contacts. A function of the poses alone.
#include "sim/touches.h"

#include <math.h>

#include "base/error.h"
#include "collide/collider.h"

struct hf_toucher {
    hf_collider *collider;
    hf_contact_point *points; // [hf_collider_capacity]
    int *seams;               // [hf_seams_room]
    double reach;             // of the coupling that reaches farthest [m]
    bool overflow;            // there was no room for all points
};

static double farthest(const hf_model *model)
{
    double reach = -1.0;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        reach = force->ops->looks_at_touches ? fmax(reach, force->coupling_def.radius) : reach;
    }
    return reach;
}

static bool is_between(const hf_force_place *force, int body)
{
    const hf_coupling_def *def = &force->coupling_def;
    bool found = def->on_frame.body.id == body || def->to_frame.body.id == body;
    for (int k = 0; k < def->member_count && !found; ++k) {
        found = def->members[k].id == body;
    }
    return found;
}

// The collider alone tells where shapes touch: a body that another kind of contact carries would
// not be drawn there.
static hf_status check_contacts(const hf_model *model, const hf_force_place *draw, hf_error *error)
{
    int body = draw->coupling_def.on_frame.body.id;
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (force->ops->contact && !force->ops->needs_collider && is_between(force, body)) {
            return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at("force", draw->name),
                               "adhesion acts where shapes collide, and contact '%s' of its body "
                               "is not between shapes: make a body with a shape of what it "
                               "touches, and both members of a collide",
                               force->name);
        }
    }
    return HF_OK;
}

hf_status hf_touches_create(hf_sim *sim, hf_error *error)
{
    const hf_allocator *a = &sim->allocator;
    // Whether something asks, and may
    double reach = farthest(sim->model);
    if (reach < 0.0) {
        return HF_OK;
    }
    for (int i = 0; i < sim->model->force_count; ++i) {
        const hf_force_place *force = &sim->model->forces[i];
        HF_TRY(force->ops->looks_at_touches ? check_contacts(sim->model, force, error) : HF_OK);
    }
    // A collider, and room for what it finds
    struct hf_toucher *own = a->allocate(a->context, sizeof *own);
    if (own == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for contacts");
    }
    *own = (struct hf_toucher){.reach = reach};
    sim->toucher = own;
    HF_TRY(hf_collider_create(sim->model, a, &own->collider, error));
    if (own->collider == NULL) {
        return HF_OK;
    }
    size_t capacity = (size_t)hf_collider_capacity(own->collider);
    own->points = a->allocate(a->context, capacity * sizeof *own->points);
    own->seams = a->allocate(a->context, hf_seams_room(own->collider) * sizeof *own->seams);
    sim->touches = a->allocate(a->context, capacity * sizeof *sim->touches);
    if (own->points == NULL || own->seams == NULL || sim->touches == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for contacts");
    }
    return HF_OK;
}

void hf_touches_destroy(hf_sim *sim)
{
    const hf_allocator *a = &sim->allocator;
    struct hf_toucher *own = sim->toucher;
    if (own == NULL) {
        return;
    }
    hf_collider_destroy(own->collider);
    void *const blocks[] = {own->points, own->seams, sim->touches, own};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        if (blocks[i] != NULL) {
            a->release(a->context, blocks[i]);
        }
    }
    sim->toucher = NULL;
    sim->touches = NULL;
}

void hf_touches_find(hf_sim *sim)
{
    struct hf_toucher *own = sim->toucher;
    sim->touch_count = 0;
    if (own == NULL || own->collider == NULL) {
        return;
    }
    int count = hf_collider_find(own->collider, sim->poses, own->reach, NULL, own->points,
                                 hf_collider_capacity(own->collider));
    if (count > 0) {
        count = hf_collider_pass_seams(own->collider, sim->poses, own->points, count, own->seams);
    }
    own->overflow = own->overflow || count < 0;
    for (int i = 0; i < count; ++i) {
        const hf_contact_point *p = &own->points[i];
        sim->touches[i] = (hf_touch){.on = p->on,
                                     .to = p->to,
                                     .n = p->place.n,
                                     .on_arm = p->place.on_arm,
                                     .to_arm = p->place.to_arm,
                                     .gap = p->place.gap};
    }
    sim->touch_count = count > 0 ? count : 0;
}

hf_status hf_touches_check(const hf_sim *sim, hf_error *error)
{
    const struct hf_toucher *own = sim->toucher;
    return own != NULL && own->overflow ? hf_collider_fail(own->collider, sim->core->time, error)
                                        : HF_OK;
}
