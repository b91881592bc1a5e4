// SPDX-License-Identifier: Apache-2.0
// What a run's verdict and summary are made from, noted step by step: time in each mode, work by
// its size, heat that fell, forces beyond their bounds, contacts that a step may pass over.
#include <math.h>

#include "sim/sim_data.h"

// Share of its bound that a force may be beyond it and still count as within the method's error.
#define BEYOND_SHARE 0.1
// |z'| of a bristle by |v|: 1, and the level at rest over that in sliding.
#define BRISTLE_RATE 3.0

void hf_tally_modes(hf_sim *sim, double h)
{
    for (int i = 0; i < sim->model->force_count; ++i) {
        hf_regime now = hf_mode_regime(sim->mode_now[i]);
        sim->tallies[i].seconds[now] += h;
        sim->tallies[i].transitions += now != hf_mode_regime(sim->mode_before[i]) ? 1 : 0;
        sim->mode_before[i] = sim->mode_now[i];
    }
}

void hf_tally_work(hf_sim *sim)
{
    const hf_model *model = sim->model;
    const double *before = sim->x + model->n - 1 - model->force_count;
    const double *after = sim->stage + model->n - 1 - model->force_count;
    for (int i = 0; i < model->force_count; ++i) {
        double change = after[i] - before[i];
        sim->tallies[i].work += fabs(change);
        sim->tallies[i].fallen += change < 0.0 ? -change : 0.0;
    }
    sim->core->driven_work += fabs(after[model->force_count] - before[model->force_count]);
}

// The largest force that a law whose inner state is bounded can come to at this motion:
// K |y| + B |z'|. INFINITY: not known.
static double bound_of(const hf_sim *sim, const hf_force_place *force, double speed)
{
    double lambda[HF_LAW_MAX_DIM], stiffness, damping;
    if (force->info == NULL || force->info->relax == NULL || force->info->linear == NULL ||
        force->y_count > HF_LAW_MAX_DIM) {
        return INFINITY;
    }
    hf_law_in in = {.gap = sim->gap + force->row,
                    .rate = sim->rate + force->row,
                    .y = sim->x + sim->model->nq + sim->model->nv + force->y,
                    .normal = hf_normal_for(sim, force),
                    .regime = HF_REGIME_STICK};
    double reach = force->info->relax(force->def, force->dim, &in, lambda);
    force->info->linear(force->def, 0, &stiffness, &damping);
    return stiffness * reach + BRISTLE_RATE * damping * speed;
}

void hf_tally_forces(hf_sim *sim)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->force_count; ++i) {
        hf_force_tally *tally = &sim->tallies[i];
        double squares = 0.0, speed = 0.0;
        for (int row = model->rows[i]; row < model->rows[i + 1]; ++row) {
            squares += sim->force[row] * sim->force[row];
            speed += sim->rate[row] * sim->rate[row];
        }
        sim->mode_now[i] = sim->mode[i];
        if (sim->mode_before[i] == HF_MODE_OPEN && sim->mode[i] != HF_MODE_OPEN &&
            model->rows[i] < model->rows[i + 1]) {
            tally->impact = fmax(tally->impact, fabs(sim->rate[model->rows[i]]));
        }
        if (squares > tally->largest_squared) {
            tally->largest_squared = squares;
            double bound = bound_of(sim, &model->forces[i], sqrt(speed));
            tally->beyond += sqrt(squares) > (1.0 + BEYOND_SHARE) * bound ? 1 : 0;
        }
    }
}

// Whether one of many bodies moves by more than two of the smallest in a step.
static bool leaps(const hf_sim *sim, const hf_swarm *swarm, double h)
{
    const hf_contact_site *site = sim->model->forces[swarm->force].site;
    double way = swarm->shapes ? 2.0 * (site == NULL ? 0.0 : site->size) : 4.0 * swarm->smallest;
    int count = swarm->shapes ? sim->model->pose_count : swarm->count;
    double fastest = 0.0;
    for (int i = 0; i < count; ++i) {
        int pose = swarm->shapes ? i : swarm->members[i].pose;
        if (!swarm->shapes || swarm->inverse_masses[i] > 0.0) {
            hf_vec3 v = sim->poses[pose].velocity;
            fastest = fmax(fastest, hf_v3_dot(v, v));
        }
    }
    return way > 0.0 && fastest * h * h > way * way;
}

// Methods of fixed steps see a contact where a step ends: what is open there and would be closed by
// more than the bodies' own size at the end of the next may have come out on the other side.
void hf_tally_passes(hf_sim *sim, double h)
{
    const hf_model *model = sim->model;
    for (int i = 0; i < model->swarm_count && sim->plugged == NULL; ++i) {
        sim->tallies[model->swarms[i].force].passes += leaps(sim, &model->swarms[i], h) ? 1 : 0;
    }
    for (int i = 0; i < model->force_count && sim->plugged == NULL; ++i) {
        const hf_force_place *force = &model->forces[i];
        double size = force->site == NULL ? 0.0 : force->site->size;
        if (size > 0.0 && force->item != NULL && sim->gap[force->row] > 0.0 &&
            sim->gap[force->row] + h * sim->rate[force->row] < -size) {
            sim->tallies[i].passes += 1;
        }
    }
}
