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
static double scale_of(const hf_swarm *swarm, const hf_pair *pair)
{
    return swarm->scaled ? 1.0 / (swarm->members[pair->on].inverse_mass +
                                  swarm->members[pair->to].inverse_mass)
                         : 1.0;
}

static void add_up(sums *sum, double scale, const hf_law_out *out)
{
    sum->slips = sum->slips || out->regime == HF_REGIME_SLIP;
    sum->stored += scale * out->stored;
    sum->heat += scale * out->dissipated;
    sum->normal += scale * out->normal;
}

// A pair that may touch: its law, with the force kept for hf_swarms_phi.
static void eval_pair(hf_sim *sim, const hf_swarm *swarm, hf_swarm_state *s, int i, double tau,
                      const double *y, double *dy, sums *sum)
{
    const hf_pair *pair = &s->pairs[i];
    const hf_pair_memory *memory = &s->memories[i];
    hf_sphere on = hf_swarm_sphere(sim->poses, &swarm->members[pair->on]);
    hf_sphere to = hf_swarm_sphere(sim->poses, &swarm->members[pair->to]);
    hf_pair_touch *touch = &s->touches[*s->touch_count];
    double rate[HF_LAW_MAX_DIM];
    touch->place = hf_spheres_place(&on, &to, memory->reference);
    hf_vec3 velocity = hf_v3_sub(hf_velocity_at(on.pose, touch->place.on_arm),
                                 hf_velocity_at(to.pose, touch->place.to_arm));
    hf_store3(rate, hf_in_axes(&touch->place, velocity));
    if (swarm->dim == 6) {
        hf_vec3 spin = hf_v3_sub(on.pose->spin, to.pose->spin);
        hf_store3(rate + 3, hf_in_axes(&touch->place, spin));
    }
    hf_law_in in = {.gap = &touch->place.gap,
                    .rate = rate,
                    .y = y,
                    .tau = tau,
                    .regime = hf_mode_regime(memory->mode)};
    hf_law_out out = {.force = touch->force, .dy = dy};
    hf_rigid_contact_eval(sim->model->forces[swarm->force].def, swarm->dim, &in, &out);
    double scale = scale_of(swarm, pair);
    for (int k = 0; k < swarm->dim; ++k) {
        touch->force[k] *= scale;
    }
    touch->pair = i;
    s->mode[i] = out.regime == HF_REGIME_OPEN   ? HF_MODE_OPEN
                 : out.regime == HF_REGIME_SLIP ? 1.0
                                                : 0.0;
    *s->touch_count += 1;
    add_up(sum, scale, &out);
}

// A pair that is apart exerts no force: what is left of its contact dies away. False: it touches.
static bool relax_pair(const hf_rigid_contact_def *law, const hf_swarm *swarm,
                       const hf_swarm_state *s, const hf_pair *pair, double tau, const double *y,
                       double *dy, sums *sum)
{
    double radii = swarm->members[pair->on].radius + swarm->members[pair->to].radius;
    hf_vec3 d = hf_v3_sub(s->centers[pair->on], s->centers[pair->to]);
    double square = hf_v3_dot(d, d);
    if (!(square > radii * radii)) {
        return false;
    }
    if (hf_swarm_is_zero(y, swarm->dim)) {
        memset(dy, 0, (size_t)swarm->dim * sizeof *dy);
        return true;
    }
    hf_law_out out = {.dy = dy};
    if (!hf_rigid_contact_relax(law, swarm->dim, sqrt(square) - radii, tau, y, &out)) {
        return false;
    }
    add_up(sum, scale_of(swarm, pair), &out);
    return true;
}

void hf_swarm_eval(hf_sim *sim, int force, double tau, const double *y, double *dy, double *dw)
{
    const hf_force_place *place = &sim->model->forces[force];
    const hf_swarm *swarm = &sim->model->swarms[place->coupling_index];
    hf_swarm_state *s = &sim->swarms[place->coupling_index];
    sums sum = {0};
    for (int i = 0; i < swarm->count; ++i) {
        s->centers[i] = hf_swarm_center(sim->poses, &swarm->members[i]);
    }
    *s->touch_count = 0;
    for (int i = 0; i < *s->count; ++i) {
        const double *e = y + place->y + (ptrdiff_t)swarm->dim * i;
        double *de = dy + place->y + (ptrdiff_t)swarm->dim * i;
        s->mode[i] = HF_MODE_OPEN;
        if (!relax_pair(place->def, swarm, s, &s->pairs[i], tau, e, de, &sum)) {
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
            const hf_pair *pair = &s->pairs[touch->pair];
            hf_wrench *on = &sim->wrenches[swarm->members[pair->on].pose];
            hf_wrench *to = &sim->wrenches[swarm->members[pair->to].pose];
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

void hf_swarms_note(hf_sim *sim)
{
    double *deepest = &sim->core->stats.largest_penetration;
    for (int k = 0; k < sim->model->swarm_count; ++k) {
        const hf_swarm_member *members = sim->model->swarms[k].members;
        hf_swarm_state *s = &sim->swarms[k];
        double *largest = &sim->tallies[sim->model->swarms[k].force].largest_squared;
        for (int i = 0; i < *s->touch_count; ++i) {
            const double *f = s->touches[i].force;
            *largest = fmax(*largest, f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
        }
        for (int i = 0; i < *s->count; ++i) {
            const hf_swarm_member *on = &members[s->pairs[i].on], *to = &members[s->pairs[i].to];
            s->memories[i].mode = s->mode[i];
            if (s->mode[i] != HF_MODE_OPEN) {
                double apart = hf_v3_norm(
                    hf_v3_sub(hf_swarm_center(sim->poses, on), hf_swarm_center(sim->poses, to)));
                *deepest = fmax(*deepest, on->radius + to->radius - apart);
            }
        }
    }
}
