// SPDX-License-Identifier: Apache-2.0
// Which level a friction of a step has: how it begins the step, and where the solution shows that
// it lets go, turns round, or rests.
#include <math.h>

#include "laws/element.h"
#include "sim/step_island.h"

// Rounding of a rate that forces cancel, in parts of what they cancel.
#define REST_SLACK 1e-11
// What moves at the beginning of a step, by what would move at its end.
#define MOVING_SHARE 1e-9

// How a friction begins the step. One that was open, because nothing loaded it, slips when it
// moves.
hf_regime hf_island_regime(const hf_sim *sim, const hf_island_work *work, int index, int row,
                           int dim)
{
    hf_regime regime = hf_mode_regime(sim->mode_before[index]);
    double start = 0.0, free = 0.0;
    for (int k = row; k < row + dim; ++k) {
        start = fmax(start, fabs(work->start_rate[k]));
        free = fmax(free, fabs(work->free_rate[k]));
    }
    bool slides =
        regime == HF_REGIME_OPEN ? start > MOVING_SHARE * free : sim->tallies[index].jolted;
    return sim->tallies[index].turn == HF_TURN_STOPS ? HF_REGIME_STICK
           : slides                                  ? HF_REGIME_SLIP
                                                     : regime;
}

// Whether a friction holds more at rest than in slip.
static bool falls(const hf_force_place *force)
{
    return force->exact == HF_EXACT_FRICTION &&
           hf_level_falls(&((const hf_coulomb_def *)force->def)->level);
}

// The rate along row k at the end of the step, and the size of its terms.
static double end_rate(const hf_island_work *work, int k, double h, double *scale)
{
    double rate = work->free_rate[k];
    *scale = fabs(rate);
    for (int j = 0; j < work->rows; ++j) {
        double change = h * work->w[k * work->rows + j] * work->force[j];
        rate -= change;
        *scale += fabs(change);
    }
    return rate;
}

// Of several frictions, one that is thrown in this step, by an impact or a load that it could not
// have stopped, the fastest: from there on it has its
// kinetic level, with which the others are found again. What it held at rest would pull at the
// others for a step, and might make them let go too.
bool hf_island_let_go(hf_sim *sim, const hf_island *island, const hf_island_work *work, double h)
{
    int found = -1;
    double fastest = 0.0, scale;
    for (int i = 0, row = 0; i < island->force_count && island->force_count > 1; ++i) {
        int index = sim->model->step_forces[island->first_force + i];
        const hf_force_place *force = &sim->model->forces[index];
        double speed = fabs(end_rate(work, row, h, &scale));
        double own = h * fabs(work->w[row * work->rows + row] * work->force[row]);
        row += force->dim;
        if (falls(force) && !sim->tallies[index].jolted &&
            hf_mode_regime(sim->mode_before[index]) == HF_REGIME_STICK &&
            hf_mode_regime(sim->mode[index]) == HF_REGIME_SLIP && speed > fmax(fastest, own)) {
            fastest = speed;
            found = index;
        }
    }
    if (found >= 0) {
        sim->tallies[found].jolted = true;
    }
    return found >= 0;
}

// Of slips that would turn round in this step: they stop first, all of them at once, with their
// static levels. Of those that these do not hold the fastest goes on, by its kinetic level.
bool hf_island_turn_round(hf_sim *sim, const hf_island *island, const hf_island_work *work,
                          double h)
{
    int goes = -1;
    bool stops = false;
    double fastest = 0.0;
    for (int i = 0, row = 0; i < island->force_count; ++i) {
        // Slips that fall below their static level once they stop
        int index = sim->model->step_forces[island->first_force + i];
        const hf_force_place *force = &sim->model->forces[index];
        hf_force_tally *tally = &sim->tallies[index];
        bool slipped = hf_mode_regime(sim->mode_before[index]) == HF_REGIME_SLIP;
        double after[HF_LAW_MAX_DIM], squares = 0.0, scale;
        int dim = force->dim, first = row;
        row += dim;
        if (!falls(force) || hf_mode_regime(sim->mode[index]) != HF_REGIME_SLIP) {
            continue;
        }
        // Those that stop now, and the fastest of those that stopped already
        for (int k = 0; k < dim; ++k) {
            after[k] = end_rate(work, first + k, h, &scale);
            squares += after[k] * after[k];
        }
        if (tally->turn == HF_TURN_STOPS && squares >= fastest) {
            fastest = squares;
            goes = index;
        } else if (tally->turn == HF_TURN_NONE &&
                   hf_island_regime(sim, work, index, first, dim) == HF_REGIME_SLIP &&
                   hf_turns_round(slipped ? tally->slip : work->start_rate + first, after, dim)) {
            tally->turn = HF_TURN_STOPS;
            stops = true;
        }
    }
    if (!stops && goes >= 0) {
        sim->tallies[goes].turn = HF_TURN_GOES;
    }
    return stops || goes >= 0;
}

// The rates at which frictions slip at the end of the step. What drives them may give them others
// before the next begins.
void hf_island_note_slip(hf_sim *sim, const hf_island *island, const hf_island_work *work, double h)
{
    for (int i = 0, row = 0; i < island->force_count; ++i) {
        int index = sim->model->step_forces[island->first_force + i];
        const hf_force_place *force = &sim->model->forces[index];
        double scale;
        for (int k = 0; k < force->dim && falls(force); ++k) {
            sim->tallies[index].slip[k] = end_rate(work, row + k, h, &scale);
        }
        row += force->dim;
    }
}

// Rates at the end of the step, of rounding size, have no sign: what does not move sticks, also
// where one of several forces that hold it together is at its own bound.
void hf_island_call_rest_stick(hf_sim *sim, const hf_island *island, const hf_island_work *work,
                               double h)
{
    for (int i = 0, row = 0; i < island->force_count; ++i) {
        int index = sim->model->step_forces[island->first_force + i];
        int dim = sim->model->forces[index].dim;
        bool rests = true;
        for (int k = row; k < row + dim; ++k) {
            double scale, rate = end_rate(work, k, h, &scale);
            rests = rests && fabs(rate) <= REST_SLACK * scale;
        }
        if (rests && hf_mode_regime(sim->mode[index]) == HF_REGIME_SLIP) {
            sim->mode[index] = 0.0;
        }
        row += dim;
    }
}

// The fastest rate that stuck forces leave at the end of a step, by the fastest of all.
double hf_island_left_over(const hf_sim *sim, const hf_island *island, const hf_island_work *work,
                           double h)
{
    double left = 0.0, fastest = 0.0, scale;
    for (int i = 0, row = 0; i < island->force_count; ++i) {
        int index = sim->model->step_forces[island->first_force + i];
        for (int end = row + sim->model->forces[index].dim; row < end; ++row) {
            fastest = fmax(fastest, fmax(fabs(work->free_rate[row]), fabs(work->start_rate[row])));
            left =
                sim->mode[index] == 0.0 ? fmax(left, fabs(end_rate(work, row, h, &scale))) : left;
        }
    }
    return fastest > 0.0 ? left / fastest : 0.0;
}

void hf_start_friction_modes(hf_sim *sim)
{
    for (int i = 0; i < sim->model->force_count; ++i) {
        const hf_force_place *force = &sim->model->forces[i];
        if (force->exact != HF_EXACT_FRICTION || force->load >= 0 || force->normal_force >= 0) {
            continue; // reactions are not known yet
        }
        const hf_level *level = &((const hf_coulomb_def *)force->def)->level;
        const double *rate = sim->rate + force->row;
        bool moves = false;
        for (int k = 0; k < force->dim; ++k) {
            moves = moves || rate[k] != 0.0;
        }
        sim->mode_before[i] = hf_level_is_open(level, hf_normal_for(sim, force)) ? HF_MODE_OPEN
                              : !moves                                           ? 0.0
                              : force->dim == 1 && rate[0] < 0.0                 ? -1.0
                                                                                 : 1.0;
        sim->mode[i] = sim->mode_before[i];
    }
}
