// SPDX-License-Identifier: Apache-2.0
// Frictions that share masses, over one step: what step_forces.c solves and step_regimes.c judges.
#ifndef HF_SIM_STEP_ISLAND_H
#define HF_SIM_STEP_ISLAND_H

#include "sim/sim_data.h"

// Beyond so many stops, or rows of an island, blows do not spread (step_spread.c).
enum { HF_STEP_STOPS = 32, HF_STEP_ROWS = 128 };

// Scratch of one island, rows in the order of its forces.
typedef struct hf_island_work {
    double *w;          // [rows x rows]
    double *free_rate;  // rbar
    double *start_rate; // J v
    double *force;      // f
    double *joint;      // scratch of what sticks, all of it at once
    int rows;
    const double *parts; // by row: what hf_island_spread found; NULL: nothing
} hf_island_work;

static inline const hf_force_place *hf_island_force(const hf_sim *sim, const hf_island *island,
                                                    int i)
{
    return &sim->model->forces[sim->model->step_forces[island->first_force + i]];
}

// J v for all rows of an island; v of the movers in it (others: as their poses and v are).
void hf_island_rates(hf_sim *sim, const hf_island *island, const double *q, const double *v,
                     double *out);

// Methods whose evaluations are of the beginning of the step: what sticks to a driven body has that
// body's velocity of the end.
bool hf_steps_look_ahead(const hf_sim *sim);
// Velocities of driven bodies h seconds from now; where they jump before, as they would have been.
void hf_steps_find_ahead(hf_sim *sim, const double *v, double h);
// What driven bodies put in against the forces of an island: f.(J v) with all else at rest.
// Corrects the heat of the forces, [W] by force.
double hf_island_driven_power(hf_sim *sim, const hf_island *island, const hf_island_work *work,
                              const double *x, double *heat);

// Where a blow on a stop reaches bodies that rest on others: the speeds with which stops part if
// restitution were 1, by row (of HF_STEP_ROWS), signed so that a negative one (also -0) is of the
// lower limit; NAN: Newton's rule. False: it is for all.
bool hf_island_spread(const hf_sim *sim, const hf_island *island, const hf_island_work *work,
                      double h, double *parts);
// The law of a stop that parts with restitution times such a speed.
void hf_island_part(const hf_stop_def *stop, double parts, const hf_law_in *in, hf_law_out *out);

// The heat of such stops, [W] by force: one blow goes through all of them, and what it takes is
// theirs together, in proportion to their forces.
void hf_island_share_heat(const hf_sim *sim, const hf_island *island, const hf_island_work *work,
                          double *heat);

// How a friction begins the step. One that was open, because nothing loaded it, slips when it
// moves; one that turns round has its static level.
hf_regime hf_island_regime(const hf_sim *sim, const hf_island_work *work, int index, int row,
                           int dim);
// Whether a friction was thrown, or a slip turned round, in the step that was solved: it is to be
// solved again with other levels.
bool hf_island_let_go(hf_sim *sim, const hf_island *island, const hf_island_work *work, double h);
bool hf_island_turn_round(hf_sim *sim, const hf_island *island, const hf_island_work *work,
                          double h);
// What does not move at the end of the step sticks.
void hf_island_call_rest_stick(hf_sim *sim, const hf_island *island, const hf_island_work *work,
                               double h);
// Keeps the rates at which frictions slip at the end of the step.
void hf_island_note_slip(hf_sim *sim, const hf_island *island, const hf_island_work *work,
                         double h);
// The fastest rate that stuck forces leave at the end of a step, by the fastest of all.
double hf_island_left_over(const hf_sim *sim, const hf_island *island, const hf_island_work *work,
                           double h);

#endif
