// SPDX-License-Identifier: Apache-2.0
// How far ahead an adaptive method may step without passing over a contact.
//
// An integrator looks at the ends of its steps, and a body that flies freely asks for no short
// ones: it may be on the other side of an obstacle at the next look. So no internal step goes
// beyond a horizon. From a gap g, closing with v and an acceleration a, it is where half of the gap
// is left,
//
//   v t + a t^2/2 = g/2
//
// and a quarter of a radian of the contact's own oscillation later, t + 1/(4 w): a body that comes
// in meets the contact while it is still shallow, where the error test sees it. Half of the gap is
// for accelerations that change. Horizons follow each other in halves of the gap, so that an
// approach costs as many as its distance has binary digits more than the contact is deep.
#include <math.h>
#include <string.h>

#include "methods/adaptive/adaptive.h"
#include "swarm/swarm.h"

// How far apart accelerations are looked for [s].
#define LOOK 1e-6
// Signals may bring forces that are not there yet: with any of them, no look is further [s].
#define LONGEST_HORIZON 0.05
// How much of its skin a list of pairs may use up before it is looked at again.
#define SKIN_SHARE 0.2
// How far into its oscillation a contact is met [rad].
#define ENTRY 0.25
// How deep a point between shapes may be when it is seen first, by the absolute tolerance: corners
// of what rests are often just open, and creep by as much.
#define NO_DEPTH 10.0

static bool is_looked_at(const hf_force_place *force)
{
    return force->info != NULL && force->ops->contact && force->ops->has_gap;
}

bool hf_adaptive_needs_horizon(const hf_model *model)
{
    for (int i = 0; i < model->force_count; ++i) {
        if (is_looked_at(&model->forces[i])) {
            return true;
        }
    }
    return false;
}

// The time in which a gap may become half of what it is [s].
static double time_to_half(double gap, double closing, double acceleration)
{
    double way = 0.5 * gap, v = fmax(closing, 0.0), a = fmax(acceleration, 0.0);
    if (closing < 0.0 && a > 0.0) { // it opens first
        way += 0.5 * closing * closing / a;
    }
    double root = sqrt(v * v + 2.0 * a * way);
    return v + root > 0.0 ? 2.0 * way / (v + root) : INFINITY;
}

// What is stiff in a contact, by the mass that it moves [rad/s].
static double frequency_of(hf_sim *sim, const hf_force_place *force)
{
    double stiffness = 0.0, damping = 0.0;
    if (force->info->linear == NULL) {
        return 0.0;
    }
    force->info->linear(force->def, 0, &stiffness, &damping);
    double inverse =
        force->site != NULL ? 1.0 / force->site->mass : hf_force_inverse_mass(sim, force, 0);
    return sqrt(stiffness * inverse);
}

static double entry_time(double frequency)
{
    return frequency > 0.0 ? ENTRY / frequency : 0.0;
}

// Of all contacts, before poses are looked at: the look at masses changes their velocities.
static void find_frequencies(hf_sim *sim)
{
    hf_adaptive *own = hf_adaptive_of(sim);
    for (int i = 0; i < sim->model->force_count; ++i) {
        const hf_force_place *force = &sim->model->forces[i];
        own->frequencies[i] = is_looked_at(force) ? frequency_of(sim, force) : 0.0;
    }
}

// Pairs of spheres: accelerations of the centres, in whatever direction.
static double swarm_horizon(const hf_sim *sim, int index, double frequency)
{
    const hf_adaptive *own = hf_adaptive_of(sim);
    const hf_swarm *swarm = &sim->model->swarms[index];
    const hf_swarm_state *s = &sim->swarms[index];
    double horizon = INFINITY, fastest = 0.0;
    for (int i = 0; i < swarm->count; ++i) {
        fastest = fmax(fastest, hf_v3_norm(own->velocities[swarm->members[i].pose]));
    }
    if (fastest > 0.0) {
        horizon = SKIN_SHARE * *s->skin / fastest;
    }
    for (int i = 0; i < *s->count; ++i) {
        const hf_swarm_member *a = &swarm->members[s->pairs[i].on];
        const hf_swarm_member *b = &swarm->members[s->pairs[i].to];
        hf_vec3 apart = hf_v3_sub(hf_swarm_center(sim->poses, a), hf_swarm_center(sim->poses, b));
        double distance = hf_v3_norm(apart), gap = distance - a->radius - b->radius;
        if (!(gap > 0.0)) {
            continue;
        }
        hf_vec3 before = hf_v3_sub(own->velocities[a->pose], own->velocities[b->pose]);
        hf_vec3 now = hf_v3_sub(sim->poses[a->pose].velocity, sim->poses[b->pose].velocity);
        double closing = -hf_v3_dot(before, apart) / distance;
        double acceleration = hf_v3_norm(hf_v3_sub(now, before)) / LOOK;
        horizon = fmin(horizon, time_to_half(gap, closing, acceleration) + entry_time(frequency));
    }
    return horizon;
}

// How fast and how much faster any point of any solid becomes.
static void fastest_of(const hf_sim *sim, double *speed, double *acceleration)
{
    const hf_adaptive *own = hf_adaptive_of(sim);
    double reach = hf_shape_forces_reach(sim);
    *speed = *acceleration = 0.0;
    for (int i = 0; i < sim->model->pose_count; ++i) {
        hf_vec3 v = hf_v3_sub(sim->poses[i].velocity, own->velocities[i]);
        hf_vec3 w = hf_v3_sub(sim->poses[i].spin, own->spins[i]);
        double spin = hf_v3_norm(own->spins[i]);
        *speed = fmax(*speed, hf_v3_norm(own->velocities[i]) + reach * spin);
        *acceleration = fmax(*acceleration,
                             (hf_v3_norm(v) + reach * hf_v3_norm(w)) / LOOK + reach * spin * spin);
    }
}

// Velocity of `on` against `to` at a point, before the look ahead.
static hf_vec3 velocity_before(const hf_adaptive *own, const hf_shape_point *p,
                               const hf_contact_place *place)
{
    hf_vec3 on = hf_v3_add(own->velocities[p->on], hf_v3_cross(own->spins[p->on], place->on_arm));
    hf_vec3 to = hf_v3_add(own->velocities[p->to], hf_v3_cross(own->spins[p->to], place->to_arm));
    return hf_v3_sub(on, to);
}

// Points between shapes: those that are open as other gaps, those that touch until they may be
// others, and what is not listed yet by the fastest of all.
static double shapes_horizon(const hf_sim *sim, int index, double frequency)
{
    const hf_adaptive *own = hf_adaptive_of(sim);
    const hf_swarm_state *s = &sim->swarms[index];
    double speed, acceleration, reach = hf_shape_forces_reach(sim);
    fastest_of(sim, &speed, &acceleration);
    double horizon = time_to_half(hf_shape_forces_margin(sim), 2.0 * speed, 2.0 * acceleration);
    for (int i = 0; i < *s->count; ++i) {
        const hf_shape_point *p = &s->points[i];
        hf_contact_place place = hf_shape_point_place(p, sim->poses, s->memories[i].reference);
        hf_vec3 before = velocity_before(own, p, &place);
        hf_vec3 now = hf_v3_sub(hf_velocity_at(&sim->poses[p->on], place.on_arm),
                                hf_velocity_at(&sim->poses[p->to], place.to_arm));
        double closing = -hf_v3_dot(place.n, before);
        if (place.gap > 0.0) {
            double change = (-hf_v3_dot(place.n, now) - closing) / LOOK;
            double way = place.gap + 2.0 * NO_DEPTH * sim->core->method.atol;
            horizon = fmin(horizon, time_to_half(way, closing, change) + entry_time(frequency));
            continue;
        }
        hf_vec3 spin = hf_v3_sub(own->spins[p->on], own->spins[p->to]);
        double way = hf_v3_norm(before) + reach * hf_v3_norm(spin);
        horizon = way > 0.0 ? fmin(horizon, hf_shape_forces_shift(sim) / way) : horizon;
    }
    return horizon;
}

// A copy of what moves now, then a look ahead; sim->stage is free between steps.
static void look_ahead(hf_sim *sim)
{
    const hf_model *model = sim->model;
    hf_adaptive *own = hf_adaptive_of(sim);
    double t = sim->core->time;
    hf_sim_observe(sim, t, HF_SIDE_RIGHT, sim->x);
    memcpy(own->gaps, sim->gap, (size_t)model->row_count * sizeof *own->gaps);
    memcpy(own->rates, sim->rate, (size_t)model->row_count * sizeof *own->rates);
    for (int i = 0; i < model->pose_count; ++i) {
        own->velocities[i] = sim->poses[i].velocity;
        own->spins[i] = sim->poses[i].spin;
    }
    for (int i = 0; i < model->n; ++i) {
        sim->stage[i] = sim->x[i] + LOOK * sim->k[i];
    }
    hf_sim_normalize(sim, sim->stage);
    hf_sim_observe(sim, t + LOOK, HF_SIDE_AT, sim->stage);
}

double hf_adaptive_horizon(hf_sim *sim)
{
    const hf_model *model = sim->model;
    hf_adaptive *own = hf_adaptive_of(sim);
    double horizon = model->signal_count > 0 ? LONGEST_HORIZON : INFINITY;
    // How stiff contacts are, and how rates change over a short time
    find_frequencies(sim);
    look_ahead(sim);
    // For each contact: when it may be half as far, and how long entering it takes
    for (int i = 0; i < model->force_count; ++i) {
        const hf_force_place *force = &model->forces[i];
        if (!is_looked_at(force)) {
            continue;
        }
        if (force->swarm >= 0 && model->swarms[force->swarm].shapes) {
            horizon = fmin(horizon, shapes_horizon(sim, force->swarm, own->frequencies[i]));
            continue;
        }
        if (force->ops->keeps_pairs) {
            horizon = fmin(horizon, swarm_horizon(sim, force->coupling_index, own->frequencies[i]));
            continue;
        }
        int row = force->row;
        double acceleration = (own->rates[row] - sim->rate[row]) / LOOK;
        if (force->item != NULL && own->gaps[row] > 0.0) {
            horizon = fmin(horizon, time_to_half(own->gaps[row], -own->rates[row], acceleration) +
                                        entry_time(own->frequencies[i]));
        }
    }
    sim->fresh = false;
    return horizon;
}
