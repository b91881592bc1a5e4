// SPDX-License-Identifier: Apache-2.0
// The balance of forces at every recorded sample, from public views alone: whatever the method, the
// forces that it shows on a mass are those that its motion needs.
//
//   hf_balance balance = hf_balance_of(sim);
//   while (...) { step(sim); hf_balance_sample(&balance); }
//
// With a = (sum of forces)/m + g of each coordinate of a mass and its velocity v, at samples i:
//   rest    v_i-1 = v_i = v_i+1, bit for bit:   a_i = 0
//   motion  v_i+1 - v_i = h a between the samples: within the largest change of a around them (off
//           where velocities jump: impacts)
//   modes   of a friction on coordinates: a friction that slips has a rate of the sign of its mode,
//           one that sticks has none
//   heat    no friction gives any back
// Machines without loops and swarms; forces on joints are not seen.
#ifndef HF_TESTS_SUPPORT_HF_BALANCE_H
#define HF_TESTS_SUPPORT_HF_BALANCE_H

#include <hf_machine.h>

#include <math.h>

enum { HF_BALANCE_BODIES = 12, HF_BALANCE_FORCES = 32 };

typedef struct hf_balance_sample_data {
    double time;
    double v[HF_BALANCE_BODIES][3], a[HF_BALANCE_BODIES][3];
    double size[HF_BALANCE_BODIES]; // the largest acceleration that one force gives
} hf_balance_sample_data;

typedef struct hf_balance {
    hf_sim *sim;
    bool impacts;      // velocities may jump
    bool ahead;        // modes are those of a step before or to come, not of the rates now
    double allowance;  // part of the largest force on a body that may be out of balance
    double rate;       // below this a velocity has no sign [m/s]
    double least_heat; // of every friction so far may fall by this [J]
    hf_balance_sample_data s[3]; // the last three samples, the newest last
    double heat[HF_BALANCE_FORCES];
    int count;
} hf_balance;

static inline void hf_balance_forces(hf_balance *b, hf_balance_sample_data *s)
{
    const hf_model *model = hf_sim_model(b->sim);
    hf_model_info info = hf_model_get_info(model);
    hf_vec3 gravity = hf_model_gravity(model);
    assert_true(info.bodies <= HF_BALANCE_BODIES && info.forces <= HF_BALANCE_FORCES);
    const double g[3] = {gravity.x, gravity.y, gravity.z};
    *s = (hf_balance_sample_data){.time = hf_sim_time(b->sim)};
    for (int i = 0; i < info.bodies; ++i) {
        hf_body_info body = hf_model_body_info(model, (hf_body){i + 1});
        for (int k = 0; body.type == HF_BODY_MASS && k < body.dim; ++k) {
            s->a[i][k] = g[body.axes[k]];
            s->v[i][k] = hf_sim_v(b->sim, (hf_coordinate){{i + 1}, k});
            s->size[i] = fmax(s->size[i], fabs(g[body.axes[k]]));
        }
    }
    for (int f = 1; f <= info.forces; ++f) {
        hf_coupling_def coupling = hf_model_force_info(model, (hf_force){f}).coupling;
        bool coordinate = coupling.type == HF_COUPLING_COORDINATE;
        hf_vec3 force = hf_sim_force_view(b->sim, (hf_force){f}).force;
        const double on[3] = {force.x, force.y, force.z};
        int ids[2] = {coordinate ? coupling.on_coordinate.body.id : coupling.on_frame.body.id,
                      coordinate ? coupling.to_coordinate.body.id : coupling.to_frame.body.id};
        for (int side = 0; side < 2; ++side) {
            if (ids[side] == 0) {
                continue;
            }
            hf_body_info body = hf_model_body_info(model, (hf_body){ids[side]});
            int i = ids[side] - 1;
            for (int k = 0; body.type == HF_BODY_MASS && k < body.dim; ++k) {
                double part = (side == 0 ? 1.0 : -1.0) * on[body.axes[k]] / body.mass;
                s->a[i][k] += part;
                s->size[i] = fmax(s->size[i], fabs(part));
            }
        }
    }
}

static inline void hf_balance_modes(hf_balance *b)
{
    const hf_model *model = hf_sim_model(b->sim);
    hf_model_info info = hf_model_get_info(model);
    for (int f = 1; f <= info.forces; ++f) {
        hf_force_info force = hf_model_force_info(model, (hf_force){f});
        double heat = hf_sim_force_stats(b->sim, (hf_force){f}).dissipated;
        char what[120];
        if (!force.friction) {
            continue;
        }
        (void)snprintf(what, sizeof what, "heat of '%s' falls, t = %.9g s", force.name,
                       hf_sim_time(b->sim));
        hf_check_below(b->heat[f - 1] - heat, b->least_heat, what, "friction gives nothing back");
        b->heat[f - 1] = fmax(b->heat[f - 1], heat);
        if (b->ahead || force.type != HF_LAW_COULOMB ||
            force.coupling.type != HF_COUPLING_COORDINATE || force.dim != 1) {
            continue;
        }
        (void)snprintf(what, sizeof what, "%s.mode", force.name);
        double mode = value_of(b->sim, what);
        double rate = hf_sim_v(b->sim, force.coupling.on_coordinate) -
                      (force.coupling.to_coordinate.body.id == 0
                           ? 0.0
                           : hf_sim_v(b->sim, force.coupling.to_coordinate));
        (void)snprintf(what, sizeof what, "rate of '%s' in mode %g, t = %.9g s", force.name, mode,
                       hf_sim_time(b->sim));
        if (mode == 0.0) {
            hf_check_below(fabs(rate), b->rate, what, "what sticks does not move");
        } else if (mode != 2.0) {
            hf_check_below(0.0 - mode * rate, b->rate, what, "a slip has the sign of its mode");
        }
    }
}

static inline void hf_balance_check(const hf_balance *b)
{
    const hf_balance_sample_data *s = b->s;
    const hf_model *model = hf_sim_model(b->sim);
    int bodies = hf_model_get_info(model).bodies;
    for (int i = 0; i < bodies; ++i) {
        for (int k = 0; k < 3; ++k) {
            char what[160];
            double size = fmax(s[1].size[i], fmax(s[0].size[i], s[2].size[i]));
            (void)snprintf(what, sizeof what, "acceleration %d of '%s' by its forces, t = %.9g s",
                           k, hf_model_body_name(model, (hf_body){i + 1}), s[1].time);
            if (s[0].v[i][k] == s[1].v[i][k] && s[1].v[i][k] == s[2].v[i][k]) {
                hf_check_near(s[1].a[i][k], 0.0, b->allowance * size, what, "it is at rest");
            } else if (!b->impacts) {
                double mean = (s[2].v[i][k] - s[1].v[i][k]) / (s[2].time - s[1].time);
                double change =
                    fmax(fabs(s[2].a[i][k] - s[1].a[i][k]), fabs(s[1].a[i][k] - s[0].a[i][k]));
                hf_check_near(mean, 0.5 * (s[1].a[i][k] + s[2].a[i][k]),
                              change + b->allowance * size, what, "its motion");
            }
        }
    }
}

static inline void hf_balance_sample(hf_balance *b)
{
    b->s[0] = b->s[1];
    b->s[1] = b->s[2];
    hf_balance_forces(b, &b->s[2]);
    hf_balance_modes(b);
    b->count += 1;
    if (b->count >= 3) {
        hf_balance_check(b);
    }
}

static inline hf_balance hf_balance_of(hf_sim *sim)
{
    hf_balance b = {.sim = sim, .allowance = 1e-6, .rate = 1e-7, .least_heat = 1e-7};
    hf_balance_sample(&b);
    return b;
}

#endif
