// SPDX-License-Identifier: Apache-2.0
// Laws with a memory that switches, located as events (law_switches.c).
#ifndef HF_METHODS_ADAPTIVE_LAW_SWITCHES_H
#define HF_METHODS_ADAPTIVE_LAW_SWITCHES_H

#include "sim/sim_data.h"

// Root functions of a switching function.
enum { HF_LAW_ROOTS = 2 };

// How many root functions laws have: HF_LAW_ROOTS of each that switches, and one of each whose
// level depends on whether it slips.
int hf_law_root_count(const hf_model *model);
// Their values.
void hf_law_roots(hf_sim *sim, double t, hf_side side, double *x, double *g);
// What happens where some of them fell, at the present state.
HF_NODISCARD hf_status hf_law_switches_meet(hf_sim *sim, const int *fallen, hf_error *error);
// The same where the integrator begins, of those that are below zero already.
HF_NODISCARD hf_status hf_law_switches_begin(hf_sim *sim, bool *changed, hf_error *error);

#endif
