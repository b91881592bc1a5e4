// SPDX-License-Identifier: Apache-2.0
// Frictions that reactions load: bearings, gears, loops. In one instant
//
//   f = F(L) from the laws,    L = reactions of the motion that f makes
//
// so that L = G(L): a fixed point over all loads together. G is evaluated by evaluating the
// machine. It is found by Broyden's method from L = 0, with a bracket where there is one load
// alone: of a gear G(L) - L falls in all four quadrants, and has one zero. Where none is found the
// machine jams, and the step fails with the name of the friction.
#ifndef HF_SIM_LOADS_H
#define HF_SIM_LOADS_H

#include "base/carve.h"
#include "sim/sim_data.h"

// Links of the largest tree.
int hf_most_links(const hf_model *model);
// Adds the forces of loops between frames to sim->wrenches.
void hf_push_loops(hf_sim *sim, const double *lambda);
void hf_loads_lay_out(hf_sim *sim, hf_carver *c);
// L of the evaluation that comes next, by its index: signed for gears, else a size.
double hf_load_of(const hf_sim *sim, int load);
// All loads are zero, and looked for from there.
void hf_loads_begin(hf_sim *sim);
// The same for an impact: forces are impulses, dx is the change of velocities, and nothing else
// acts.
void hf_loads_begin_impact(hf_sim *sim);
// Until loads are begun anew: reactions are solved for and known to less than rounding. Rounds that
// gain nothing any more are then the last.
void hf_loads_are_rough(hf_sim *sim);
// Loads by the motion dx at x that was found with the present ones. True: these are they, or there
// are none. False: evaluate again. `push`: adds wrenches of reactions that are no forces' of the
// model's couplings to sim->wrenches; NULL: there are none.
bool hf_loads_next(hf_sim *sim, const double *x, const double *dx, void (*push)(hf_sim *sim));
// A load that was not found since this was asked last; -1: none.
int hf_loads_take_jam(hf_sim *sim);
// Says so.
hf_status hf_loads_tell_jam(const hf_sim *sim, int load, double t, hf_error *error);
// Whether loads of the evaluations since the last step's were found.
HF_NODISCARD hf_status hf_loads_check(hf_sim *sim, double end, hf_error *error);
// The same evaluation again, with other loads (eval.c).
void hf_sim_eval_again(hf_sim *sim, double tau, double *x, double *dx);

#endif
