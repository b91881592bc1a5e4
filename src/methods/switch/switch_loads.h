// SPDX-License-Identifier: Apache-2.0
// Reactions that load frictions (switch_loads.c).
#ifndef HF_METHODS_SWITCH_LOADS_H
#define HF_METHODS_SWITCH_LOADS_H

#include "methods/switch/switch.h"

// Loads with which the candidates of a place are solved for: those of the motion that they make.
HF_NODISCARD hf_status hf_switch_find_loads(hf_sim *sim, const hf_switch_place *place,
                                            hf_error *error);
// The forces of own->w, c and items alone (switch_solve.c). Where frictions on coordinates are
// redundant, those of least size: which of several solutions pivoting ends in may change with the
// bounds by any amount, and loads that follow from them would have no fixed point.
bool hf_switch_solve_forces(hf_switch *own, int rows);
// In an impact: adds the frictions that reactions load to those listed. Returns the rows of all.
int hf_switch_list_borne(hf_sim *sim, const hf_island *island, int rows);
// Their bounds, by the impulses of the reactions as they are known.
void hf_switch_bear(hf_sim *sim, const hf_island *island);
// Whether the reactions to the impulses own->f are these.
bool hf_switch_is_borne(hf_sim *sim, const hf_island *island);

#endif
