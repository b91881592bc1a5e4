// SPDX-License-Identifier: Apache-2.0
// Rows that stick are at rest exactly: their rates are sums of velocities, r = sum f_i v_i, and
// what a step leaves of them by rounding is taken out of one velocity each.
//
//   v_p = -sum_{i != p} (f_i/f_p) v_i
//
// Of a coordinate, or of the difference of two, p is the first. Longer sums come after these and
// choose a velocity that is neither driven nor chosen already. One row's choice may stand in
// another's sum: such rows are gone over again.
#include <string.h>

#include "sim/sim_data.h"

void hf_stops_begin(const hf_sim *sim)
{
    const hf_model *model = sim->model;
    sim->stops->count = 0;
    if (!model->has_sums) {
        return;
    }
    memset(sim->stops->chosen, 0, (size_t)model->nv * sizeof *sim->stops->chosen);
    for (int i = 0; i < model->drive_count; ++i) {
        sim->stops->chosen[model->drives[i].v] = true;
    }
}

static double value_of(const hf_coupling_term *terms, int count, int pivot, const double *v)
{
    double value = 0.0;
    bool first = true;
    for (int i = 0; i < count; ++i) {
        if (i != pivot) {
            double share = -(terms[i].factor / terms[pivot].factor) * v[terms[i].v];
            value = first ? share : value + share; // of a difference the other one, to the bit
            first = false;
        }
    }
    return value;
}

void hf_stops_add(const hf_sim *sim, const hf_force_place *force, double *v)
{
    hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
    for (int row = 0; row < force->dim; ++row) {
        int count = hf_force_difference(force, row, terms);
        if (count == 0) {
            sim->stops->sums[sim->stops->count++] = (hf_stop_sum){.force = force, .pivot = -1};
            continue;
        }
        v[terms[0].v] = value_of(terms, count, 0, v);
        if (sim->model->has_sums) {
            sim->stops->chosen[terms[0].v] = true;
        }
    }
}

// The velocity that a sum changes: the last that is free, of a sum with few of them.
static void choose(const hf_sim *sim, hf_stop_sum *sum)
{
    hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
    int count = sum->force->ops->terms(sum->force->item, 0, terms);
    for (int i = 0; i < count && sum->pivot < 0; ++i) {
        if (!sim->stops->chosen[terms[i].v]) {
            sum->pivot = i;
            sim->stops->chosen[terms[i].v] = true;
        }
    }
}

void hf_stops_end(const hf_sim *sim, double *v)
{
    const hf_stops *stops = sim->stops;
    for (int i = 0; i < stops->count; ++i) {
        choose(sim, &stops->sums[i]);
    }
    // A chain of n sums is right after n rounds.
    bool changed = stops->count > 0;
    for (int round = 0; round < stops->count && changed; ++round) {
        changed = false;
        for (int i = 0; i < stops->count; ++i) {
            hf_coupling_term terms[HF_COUPLING_MAX_TERMS];
            const hf_stop_sum *sum = &stops->sums[i];
            if (sum->pivot >= 0) {
                int count = sum->force->ops->terms(sum->force->item, 0, terms);
                double value = value_of(terms, count, sum->pivot, v);
                changed = changed || value != v[terms[sum->pivot].v];
                v[terms[sum->pivot].v] = value;
            }
        }
    }
}
