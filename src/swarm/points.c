// SPDX-License-Identifier: Apache-2.0
// Points of contact between shapes as forces: where they are within a step, and what they remember
// from step to step.
//
// The collider finds points at the beginning of a step. Within it they move with the bodies
// (hf_shape_point), so that every stage of a method sees one continuous motion. At the next step
// they are found anew: a point of the same features keeps its state; one of new features takes that
// of the nearest point which the same two bodies have lost, because features change while the
// bodies stay where they are (a corner slides over an edge); others begin at rest in whatever depth
// they are found.
#include <math.h>
#include <string.h>

#include "couplings/contact_point.h"
#include "sim/sim_data.h"
#include "swarm/swarm.h"

// What of a key is the pair: points of a pair differ in the features alone.
static uint64_t pair_of(const hf_sim *sim, uint64_t feature)
{
    return feature >> hf_shape_forces_feature_bits(sim);
}

static hf_vec3 world_arm(const hf_pose *pose, hf_vec3 local)
{
    return hf_m3_mulv(&pose->rotation, local);
}

// Tangents by the reference; where friction depends on direction along that, the one across it
// shorter: the ellipse of friction is then a circle (hf_collider_grain).
static void set_tangents(const hf_shape_point *p, const hf_pose *poses, hf_vec3 reference,
                         hf_contact_place *place)
{
    const hf_point_surface *surface = &p->surface;
    hf_vec3 used;
    if (surface->grained) {
        const hf_pose *pose = &poses[surface->grain_on ? p->on : p->to];
        reference = surface->grain_by_world ? surface->along : world_arm(pose, surface->along);
    }
    place->x = hf_contact_across(reference, place->n, &used);
    place->y = hf_v3_cross(place->n, place->x);
    if (surface->grained) {
        place->y = hf_v3_scale(surface->across, place->y);
    }
}

static hf_vec3 belt_at(const hf_belt *belt, const hf_pose *poses, int body, hf_vec3 arm)
{
    const hf_pose *pose = &poses[body];
    hf_vec3 r = hf_v3_sub(hf_m3_tmulv(&pose->rotation, arm), belt->middle);
    hf_vec3 v = world_arm(pose, hf_v3_add(belt->velocity, hf_v3_cross(belt->spin, r)));
    return hf_v3_scale(hf_belt_speed(belt->drive, poses), v);
}

hf_vec3 hf_shape_point_belt(const hf_shape_point *p, const hf_pose *poses,
                            const hf_contact_place *place)
{
    hf_vec3 v = hf_v3_sub(belt_at(&p->surface.belts[0], poses, p->on, place->on_arm),
                          belt_at(&p->surface.belts[1], poses, p->to, place->to_arm));
    return hf_v3_axpy(v, -hf_v3_dot(v, place->n), place->n);
}

// Where a solid is, from where it is in its body's frame.
static hf_spot spot_in(const hf_pose *pose, const hf_spot *own)
{
    return (hf_spot){hf_m3_mul(&pose->rotation, &own->rotation),
                     hf_v3_add(pose->position, world_arm(pose, own->center))};
}

static hf_contact_place tracked_place(const hf_shape_point *p, const hf_pose *poses,
                                      hf_vec3 reference)
{
    hf_spot on = spot_in(&poses[p->on], &p->on_spot), to = spot_in(&poses[p->to], &p->to_spot);
    hf_track_place found = hf_track_find(&p->track, &on, &to);
    hf_contact_place place = {.n = found.n, .gap = found.gap};
    set_tangents(p, poses, reference, &place);
    hf_vec3 middle = hf_v3_axpy(found.on, -0.5 * found.gap, found.n);
    place.on_arm = hf_v3_sub(middle, poses[p->on].position);
    place.to_arm = hf_v3_sub(middle, poses[p->to].position);
    return place;
}

hf_contact_place hf_shape_point_place(const hf_shape_point *p, const hf_pose *poses,
                                      hf_vec3 reference)
{
    if (p->tracked) {
        return tracked_place(p, poses, reference);
    }
    const hf_pose *on = &poses[p->on], *to = &poses[p->to];
    hf_vec3 on_core = world_arm(on, p->on_core), to_core = world_arm(to, p->to_core);
    hf_vec3 apart = hf_v3_sub(hf_v3_add(on->position, on_core), hf_v3_add(to->position, to_core));
    hf_vec3 n = world_arm(p->of_on ? on : to, p->normal);
    double distance = hf_v3_norm(apart);
    if (p->joins && distance > 0.0) {
        n = hf_v3_scale(1.0 / distance, apart);
    }
    hf_contact_place place = {.n = n, .gap = hf_v3_dot(n, apart) - p->on_round - p->to_round};
    set_tangents(p, poses, reference, &place);
    // On a face the point goes along with what lies on it; else it is the middle of both surfaces.
    hf_vec3 on_surface = hf_v3_axpy(on_core, -p->on_round, n);
    hf_vec3 to_surface = hf_v3_axpy(to_core, p->to_round, n);
    hf_vec3 between =
        hf_v3_sub(hf_v3_add(to->position, to_surface), hf_v3_add(on->position, on_surface));
    double half = 0.5 * place.gap;
    hf_vec3 way = p->of_to   ? hf_v3_scale(-half, n)
                  : p->of_on ? hf_v3_axpy(between, half, n)
                             : hf_v3_scale(0.5, between);
    place.on_arm = hf_v3_add(on_surface, way);
    place.to_arm = hf_v3_add(to_surface, hf_v3_sub(way, between));
    return place;
}

// Where a point is on `on`, in its frame.
static hf_vec3 spot_of(const hf_shape_point *p, const hf_pose *poses)
{
    hf_contact_place place = hf_shape_point_place(p, poses, hf_v3(0.0, 0.0, 0.0));
    return hf_m3_tmulv(&poses[p->on].rotation, place.on_arm);
}

// The old point whose memory a new one takes; -1: none. Lists are in the order of their features.
static int find_old(const hf_sim *sim, const hf_swarm_state *s, int old_count, int i, int *old)
{
    uint64_t feature = s->features[i], pair = pair_of(sim, feature);
    while (*old < old_count && s->old_features[*old] < feature) {
        ++*old;
    }
    if (*old < old_count && s->old_features[*old] == feature) {
        return *old;
    }
    int first = *old, best = -1;
    double nearest = HUGE_VAL;
    while (first > 0 && pair_of(sim, s->old_features[first - 1]) == pair) {
        --first;
    }
    for (int k = first; k < old_count && pair_of(sim, s->old_features[k]) == pair; ++k) {
        double distance = hf_v3_norm(hf_v3_sub(s->old_spots[k], s->spots[i]));
        bool kept = false;
        for (int j = 0; j < *s->count; ++j) {
            kept = kept || s->features[j] == s->old_features[k];
        }
        if (!kept && distance < nearest) {
            nearest = distance;
            best = k;
        }
    }
    return best;
}

static double gap_at(const hf_shape_point *point, const hf_pose *poses)
{
    return hf_shape_point_place(point, poses, hf_v3(0.0, 0.0, 0.0)).gap;
}

static void carry_states(hf_sim *sim, const hf_swarm *swarm, hf_swarm_state *s, int old_count,
                         double *y)
{
    size_t dim = (size_t)swarm->dim;
    bool on = hf_force_is_on(sim, &sim->model->forces[swarm->force]);
    int old = 0;
    for (int i = 0; i < *s->count; ++i) {
        double *state = y + dim * (size_t)i;
        int from = find_old(sim, s, old_count, i, &old);
        memset(state, 0, dim * sizeof *y);
        s->memories[i] = (hf_pair_memory){.mode = HF_MODE_OPEN};
        if (from >= 0) {
            memcpy(state, s->old_y + dim * (size_t)from, dim * sizeof *y);
            s->memories[i] = s->old_memories[from];
        }
        // a depth of its own: e + p is what the force is made of
        if (from < 0 || s->old_features[from] != s->features[i]) {
            state[0] = on ? fmax(0.0, -gap_at(&s->points[i], sim->poses)) : 0.0;
        }
    }
}

// Tangent directions follow both bodies' spin about the normal.
void hf_swarm_carry_points(hf_sim *sim, int index)
{
    hf_swarm_state *s = &sim->swarms[index];
    for (int i = 0; i < *s->count; ++i) {
        const hf_shape_point *p = &s->points[i];
        hf_contact_place place = hf_shape_point_place(p, sim->poses, s->memories[i].reference);
        hf_vec3 spins = hf_v3_add(sim->poses[p->on].spin, sim->poses[p->to].spin);
        double angle = 0.5 * hf_v3_dot(place.n, spins) * sim->core->uncarried;
        s->memories[i].reference =
            hf_v3_axpy(hf_v3_scale(cos(angle), place.x), sin(angle), place.y);
    }
}

void hf_swarm_update_points(hf_sim *sim, int index, bool room)
{
    const hf_model *model = sim->model;
    const hf_swarm *swarm = &model->swarms[index];
    hf_swarm_state *s = &sim->swarms[index];
    double *y = sim->x + model->nq + model->nv + model->forces[swarm->force].y;
    if (sim->shapes == NULL) {
        return; // the method has them
    }
    // Old ones aside, new ones in their place
    int old_count = *s->count > 0 ? *s->count : 0;
    memcpy(s->old_features, s->features, (size_t)old_count * sizeof *s->features);
    memcpy(s->old_spots, s->spots, (size_t)old_count * sizeof *s->spots);
    memcpy(s->old_memories, s->memories, (size_t)old_count * sizeof *s->memories);
    memcpy(s->old_y, y, (size_t)(old_count * swarm->dim) * sizeof *y);
    *s->count = room ? hf_shape_forces_list(sim, swarm->force, s->features, s->points) : -1;
    for (int i = 0; i < *s->count; ++i) {
        s->spots[i] = spot_of(&s->points[i], sim->poses);
    }
    // Their memories
    carry_states(sim, swarm, s, old_count, y);
    if (!sim->core->accepted) {
        hf_swarm_carry_points(sim, index);
    }
    hf_swarm_clear_unused(sim, swarm, old_count, *s->count > 0 ? *s->count : 0);
    sim->pairs_changed =
        sim->pairs_changed || *s->count != old_count ||
        memcmp(s->features, s->old_features, (size_t)old_count * sizeof *s->features) != 0;
    hf_swarms_find_spans(sim);
}
