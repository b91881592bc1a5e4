// SPDX-License-Identifier: Apache-2.0
// Evaluation of swarms: laws of the pairs that are near, and their forces on the bodies.
#include "swarm/swarm.h"

#include <math.h>
#include <string.h>

#include "laws/rigid_contact_relax.h"
#include "sim/sim_data.h"

// What the pairs of a swarm add up to.
typedef struct sums {
    double stored, heat, normal;
    bool slips;
} sums;

static const double *state_of(const hf_sim *sim, const hf_swarm *swarm)
{
    return sim->x + sim->model->nq + sim->model->nv + sim->model->forces[swarm->force].y;
}

void hf_swarm_count(const hf_swarm_state *s, int *pairs, int *touching)
{
    *pairs = *s->count > 0 ? *s->count : 0;
    *touching = 0;
    for (int i = 0; i < *pairs; ++i) {
        *touching += s->memories[i].mode != HF_MODE_OPEN;
    }
}

double hf_swarm_depth(const hf_sim *sim, int index)
{
    const hf_swarm *swarm = &sim->model->swarms[index];
    const double *y = state_of(sim, swarm);
    double deepest = 0.0;
    for (int i = 0; i < *sim->swarms[index].count; ++i) {
        deepest = fmax(deepest, y[(ptrdiff_t)swarm->dim * i]);
    }
    return deepest;
}

// Numbers of a pair by those of the law: its reduced mass, or 1 when a stiffness is given.
static double scale_of(const hf_swarm *swarm, const hf_swarm_state *s, int i)
{
    if (!swarm->scaled) {
        return 1.0;
    }
    if (swarm->shapes) {
        const hf_shape_point *point = &s->points[i];
        double sum = swarm->inverse_masses[point->on] + swarm->inverse_masses[point->to];
        return sum > 0.0 ? 1.0 / sum : 1.0;
    }
    const hf_pair *pair = &s->pairs[i];
    return 1.0 / (swarm->members[pair->on].inverse_mass + swarm->members[pair->to].inverse_mass);
}

// Poses of a pair or point.
static void ends_of(const hf_swarm *swarm, const hf_swarm_state *s, int i, int ends[2])
{
    ends[0] = swarm->shapes ? s->points[i].on : swarm->members[s->pairs[i].on].pose;
    ends[1] = swarm->shapes ? s->points[i].to : swarm->members[s->pairs[i].to].pose;
}

static hf_contact_place place_of(const hf_sim *sim, const hf_swarm *swarm, const hf_swarm_state *s,
                                 int i)
{
    hf_vec3 reference = s->memories[i].reference;
    bool off = !hf_force_is_on(sim, &sim->model->forces[swarm->force]);
    if (swarm->shapes) {
        hf_contact_place place = hf_shape_point_place(&s->points[i], sim->poses, reference);
        place.gap = off ? HF_GAP_OFF : place.gap;
        return place;
    }
    hf_sphere on = hf_swarm_sphere(sim->poses, &swarm->members[s->pairs[i].on]);
    hf_sphere to = hf_swarm_sphere(sim->poses, &swarm->members[s->pairs[i].to]);
    hf_contact_place place = hf_spheres_place(&on, &to, reference);
    place.gap = off ? HF_GAP_OFF : place.gap;
    return place;
}

static void add_up(sums *sum, double scale, const hf_law_out *out)
{
    sum->slips = sum->slips || out->regime == HF_REGIME_SLIP;
    sum->stored += scale * out->stored;
    sum->heat += scale * out->dissipated;
    sum->normal += scale * out->normal;
}

// The numbers of a rigid contact: of shapes, those of round ones or those of flat ones, and those
// of their surfaces. *own is room for these.
static const hf_rigid_contact_def *def_of(const hf_sim *sim, const hf_swarm *swarm,
                                          const hf_swarm_state *s, int i, hf_rigid_contact_def *own)
{
    const hf_force_place *force = &sim->model->forces[swarm->force];
    bool flat = swarm->shapes && !(s->points[i].on_round > 0.0) && !(s->points[i].to_round > 0.0);
    if (swarm->shapes && s->points[i].surface.own) {
        return hf_shape_forces_numbers(sim, swarm->force, &s->points[i].surface, flat, own);
    }
    return flat ? force->flat : force->def;
}

// The law of a pair: rigid-contact, or a soft one, whose states are fewer.
static void eval_law(const hf_force_place *force, const hf_rigid_contact_def *def, int dim,
                     const hf_law_in *in, hf_law_out *out)
{
    if (force->exact == HF_EXACT_CONTACT) {
        hf_rigid_contact_eval(def, dim, in, out);
        return;
    }
    memset(out->dy, 0, (size_t)dim * sizeof *out->dy);
    force->info->eval(force->def, dim, in, out);
}

// A pair that may touch: its law, with the force kept for hf_swarms_phi.
static void eval_pair(hf_sim *sim, const hf_swarm *swarm, hf_swarm_state *s, int i, double tau,
                      const double *y, double *dy, sums *sum)
{
    const hf_pair_memory *memory = &s->memories[i];
    hf_pair_touch *touch = &s->touches[*s->touch_count];
    double rate[HF_LAW_MAX_DIM];
    int ends[2];
    ends_of(swarm, s, i, ends);
    const hf_pose *on = &sim->poses[ends[0]], *to = &sim->poses[ends[1]];
    // How the two move against each other where they meet
    touch->place = place_of(sim, swarm, s, i);
    hf_vec3 velocity =
        hf_v3_sub(hf_velocity_at(on, touch->place.on_arm), hf_velocity_at(to, touch->place.to_arm));
    hf_vec3 belt = {0};
    bool driven = swarm->shapes && s->points[i].surface.driven;
    if (driven) {
        belt = hf_shape_point_belt(&s->points[i], sim->poses, &touch->place);
        velocity = hf_v3_add(velocity, belt);
    }
    hf_store3(rate, hf_in_axes(&touch->place, velocity));
    if (swarm->dim == 6) {
        hf_vec3 spin = hf_v3_sub(on->spin, to->spin);
        hf_store3(rate + 3, hf_in_axes(&touch->place, spin));
    }
    // The law's answer, scaled to the pair's reduced mass
    hf_law_in in = {.gap = &touch->place.gap,
                    .rate = rate,
                    .y = y,
                    .tau = tau,
                    .regime = hf_mode_regime(memory->mode)};
    hf_law_out out = {.force = touch->force, .dy = dy};
    const hf_force_place *force = &sim->model->forces[swarm->force];
    hf_rigid_contact_def own;
    eval_law(force, def_of(sim, swarm, s, i, &own), swarm->dim, &in, &out);
    double scale = scale_of(swarm, s, i);
    for (int k = 0; k < swarm->dim; ++k) {
        touch->force[k] *= scale;
    }
    // f.(v + b) is stored or turned into heat, and f.v comes from the bodies: f.b drives the belt
    if (driven) {
        sim->belt_power += hf_v3_dot(hf_from_axes(&touch->place, touch->force), belt);
    }
    // Kept for hf_swarms_phi
    touch->pair = i;
    s->mode[i] = out.regime == HF_REGIME_OPEN   ? HF_MODE_OPEN
                 : out.regime == HF_REGIME_SLIP ? 1.0
                                                : 0.0;
    *s->touch_count += 1;
    add_up(sum, scale, &out);
}

// The gap of a pair; of spheres that touch, anything that is not positive.
static double gap_of(const hf_sim *sim, const hf_swarm *swarm, const hf_swarm_state *s, int i)
{
    if (swarm->shapes) {
        return place_of(sim, swarm, s, i).gap;
    }
    const hf_pair *pair = &s->pairs[i];
    double radii = swarm->members[pair->on].radius + swarm->members[pair->to].radius;
    hf_vec3 d = hf_v3_sub(s->centers[pair->on], s->centers[pair->to]);
    double square = hf_v3_dot(d, d);
    if (!hf_force_is_on(sim, &sim->model->forces[swarm->force])) {
        return HF_GAP_OFF;
    }
    return square > radii * radii ? sqrt(square) - radii : 0.0;
}

// A pair that is apart exerts no force: the rest of its deflection decays. False: it touches.
static bool relax_pair(const hf_sim *sim, const hf_swarm *swarm, const hf_swarm_state *s, int i,
                       double tau, const double *y, double *dy, sums *sum)
{
    const hf_force_place *force = &sim->model->forces[swarm->force];
    hf_rigid_contact_def own;
    double gap = gap_of(sim, swarm, s, i);
    if (!(gap > 0.0)) {
        return false;
    }
    if (hf_swarm_is_zero(y, swarm->dim)) {
        memset(dy, 0, (size_t)swarm->dim * sizeof *dy);
        return true;
    }
    hf_law_out out = {.dy = dy};
    if (force->exact != HF_EXACT_CONTACT ||
        !hf_rigid_contact_relax(def_of(sim, swarm, s, i, &own), swarm->dim, gap, tau, y, &out)) {
        return false;
    }
    add_up(sum, scale_of(swarm, s, i), &out);
    return true;
}

void hf_swarm_eval(hf_sim *sim, int force, double tau, const double *y, double *dy, double *dw)
{
    const hf_force_place *place = &sim->model->forces[force];
    const hf_swarm *swarm = &sim->model->swarms[place->swarm];
    hf_swarm_state *s = &sim->swarms[place->swarm];
    sums sum = {0};
    for (int i = 0; i < swarm->count; ++i) {
        s->centers[i] = hf_swarm_center(sim->poses, &swarm->members[i]);
    }
    *s->touch_count = 0;
    for (int i = 0; i < *s->count; ++i) {
        const double *e = y + place->y + (ptrdiff_t)swarm->dim * i;
        double *de = dy + place->y + (ptrdiff_t)swarm->dim * i;
        s->mode[i] = HF_MODE_OPEN;
        if (!relax_pair(sim, swarm, s, i, tau, e, de, &sum)) {
            eval_pair(sim, swarm, s, i, tau, e, de, &sum);
        }
    }
    sim->stored[force] = sum.stored;
    sim->normal[force] = sum.normal;
    sim->mode[force] = sum.normal > 0.0 ? (sum.slips ? 1.0 : 0.0) : HF_MODE_OPEN;
    dw[force] = sum.heat;
}

void hf_swarms_phi(hf_sim *sim)
{
    for (int k = 0; k < sim->model->swarm_count; ++k) {
        const hf_swarm *swarm = &sim->model->swarms[k];
        const hf_swarm_state *s = &sim->swarms[k];
        for (int i = 0; i < *s->touch_count; ++i) {
            const hf_pair_touch *touch = &s->touches[i];
            int ends[2];
            ends_of(swarm, s, touch->pair, ends);
            hf_wrench *on = &sim->wrenches[ends[0]], *to = &sim->wrenches[ends[1]];
            hf_vec3 force = hf_from_axes(&touch->place, touch->force);
            hf_push(on, touch->place.on_arm, hf_v3_scale(-1.0, force));
            hf_push(to, touch->place.to_arm, force);
            if (swarm->dim == 6) {
                hf_vec3 torque = hf_from_axes(&touch->place, touch->force + 3);
                hf_twist(on, hf_v3_scale(-1.0, torque));
                hf_twist(to, torque);
            }
        }
    }
}

void hf_swarms_push(const hf_sim *sim, hf_push_taker *take, void *context)
{
    for (int k = 0; k < sim->model->swarm_count; ++k) {
        const hf_swarm *swarm = &sim->model->swarms[k];
        const hf_swarm_state *s = &sim->swarms[k];
        for (int i = 0; i < *s->touch_count; ++i) {
            const hf_pair_touch *touch = &s->touches[i];
            int ends[2];
            ends_of(swarm, s, touch->pair, ends);
            hf_contact_push push = hf_contact_push_of(sim->poses, ends[0], ends[1], &touch->place,
                                                      swarm->dim, touch->force);
            push.scenery = swarm->shapes ? s->points[touch->pair].scenery : 0;
            take(context, &push);
        }
    }
}

double hf_swarms_note(hf_sim *sim)
{
    double deepest = 0.0;
    for (int k = 0; k < sim->model->swarm_count; ++k) {
        const hf_swarm_member *members = sim->model->swarms[k].members;
        hf_swarm_state *s = &sim->swarms[k];
        double *largest = &sim->tallies[sim->model->swarms[k].force].largest_squared;
        for (int i = 0; i < *s->touch_count; ++i) {
            const double *f = s->touches[i].force;
            *largest = fmax(*largest, f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        }
        for (int i = 0; i < *s->touch_count && members == NULL; ++i) {
            deepest = fmax(deepest, -s->touches[i].place.gap);
        }
        for (int i = 0; i < *s->count; ++i) {
            s->memories[i].mode = s->mode[i];
            if (s->mode[i] != HF_MODE_OPEN && members != NULL) {
                const hf_swarm_member *on = &members[s->pairs[i].on];
                const hf_swarm_member *to = &members[s->pairs[i].to];
                double apart = hf_v3_norm(
                    hf_v3_sub(hf_swarm_center(sim->poses, on), hf_swarm_center(sim->poses, to)));
                deepest = fmax(deepest, on->radius + to->radius - apart);
            }
        }
    }
    return deepest;
}
