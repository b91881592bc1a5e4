// SPDX-License-Identifier: Apache-2.0
// Impacts in which the normal drives the slip, under methods that take contacts as forces.
//
// A rigid impact at one point, with the normal's impulse P as its clock                [Routh1905]:
//   du_N/dP = W_NN - mu W_NT sign(s),   ds/dP = W_TN - mu W_TT sign(s)
// A slip s that friction and the normal stop before P has stopped the approach
//   turns round where |W_TN| > mu W_TT: contacts that are forces follow it, with friction one way
//     up to the stop and the other way from there. Exact contacts (switch, timestep, nlp) have one
//     impulse, against the slip that is left in the end [JeanMoreau1987];
//   sticks elsewhere, held by |W_TN|/W_TT of the normal. Contacts that are forces hold it by
//     springs, which the normal winds up: they let go of a part of it, or all, when it ends.
// A slip that does not stop ends the same way under both, and so does one with W_TN = 0.
#include <math.h>
#include <string.h>

#include <holdfast/laws/rigid_contact.h>

#include "sim/sim_data.h"

// Of the approach: a difference of slips that is reported, and what the normal may drive of one
// that sticks.
#define REVERSED_SHARE 0.02
#define DRIVEN_SHARE   0.1

// Whether the two rules leave other slips, for an approach u > 0, a slip s > 0 and W along it.
static bool differs(double u, double s, double mu, const double w[3])
{
    double nn = w[0], driven = w[1], tt = w[2]; // W_NN, W_TN, W_TT
    double brake = mu * tt - driven;
    if (!(s > 0.0) || !(brake > 0.0) || !(nn > 0.0) || !(mu > 0.0)) {
        return false;
    }
    // The slip stops, with this approach left
    double stop = s / brake, left = u - (nn - mu * driven) * stop;
    if (!(left > 0.0)) {
        return false;
    }
    // It sticks: nn - driven^2/tt is the normal's answer with the tangent held
    if (fabs(driven) <= mu * tt) {
        return fabs(driven) * left > DRIVEN_SHARE * u * (nn - driven * driven / tt);
    }
    // It turns round; a normal that friction on the way back cannot stop jams
    double slope = nn + mu * driven;
    if (!(slope > 0.0)) {
        return true;
    }
    double followed = (driven + mu * tt) * left / slope;
    double at_once = s + (driven + mu * tt) * u / slope;
    return fabs(followed - at_once) > REVERSED_SHARE * u;
}

// W_NN, W_NT and W_TT along a unit vector of the tangents. Leaves rates, gaps and poses as they
// are.
static void find_w(hf_sim *sim, const hf_force_place *force, const double *along, double w[3])
{
    double rate[HF_LAW_MAX_DIM], gap[HF_LAW_MAX_DIM], column[HF_LAW_MAX_DIM];
    size_t size = (size_t)force->dim * sizeof *rate;
    int tangents = force->dim > 2 ? 2 : 1;
    memcpy(rate, sim->rate + force->row, size);
    memcpy(gap, sim->gap + force->row, size);
    hf_force_answers(sim, force, 0, column);
    w[0] = column[0];
    w[1] = w[2] = 0.0;
    for (int k = 0; k < tangents; ++k) {
        w[1] += along[k] * column[1 + k];
    }
    for (int j = 0; j < tangents; ++j) {
        hf_force_answers(sim, force, 1 + j, column);
        for (int k = 0; k < tangents; ++k) {
            w[2] += along[j] * along[k] * column[1 + k];
        }
    }
    memcpy(sim->rate + force->row, rate, size);
    memcpy(sim->gap + force->row, gap, size);
    hf_update_poses(sim, sim->x, sim->x + sim->model->nq);
}

void hf_tally_reversal(hf_sim *sim, int i)
{
    const hf_force_place *force = &sim->model->forces[i];
    hf_force_tally *tally = &sim->tallies[i];
    if (force->exact != HF_EXACT_CONTACT || force->item == NULL || force->dim < 2 ||
        sim->exact_contacts || hf_method_solves_contacts(sim->core->method.type)) {
        return;
    }
    // Rates of the last look before it closed
    const double *rate = sim->rate + force->row;
    if (sim->mode[i] == HF_MODE_OPEN) {
        for (int k = 0; k < 3; ++k) {
            tally->open[k] = k < force->dim ? rate[k] : 0.0;
        }
        return;
    }
    double approach = -tally->open[0], x = tally->open[1], y = tally->open[2], slip = hypot(x, y);
    tally->open[0] = 0.0;
    if (!(approach > 0.0) || !(slip > 0.0)) {
        return;
    }
    // What the two rules of impact make of it
    const hf_level *level = &((const hf_rigid_contact_def *)force->def)->friction;
    double w[3], along[2] = {x / slip, y / slip};
    find_w(sim, force, along, w);
    if (differs(approach, slip, level->kinetic[HF_FORTH], w)) {
        tally->reversed = fmax(tally->reversed, 0.5 * approach * approach / w[0]);
    }
}
