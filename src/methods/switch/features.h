// SPDX-License-Identifier: Apache-2.0
// What roots ask of points of contact between shapes (switch_features.c).
#ifndef HF_METHODS_SWITCH_FEATURES_H
#define HF_METHODS_SWITCH_FEATURES_H

#include "methods/switch/switch.h"

// How far bodies may still go before other features could touch [m].
double hf_points_leeway(const hf_sim *sim);
// How far two points at one place may still part before both are points [m].
double hf_point_twin_room(const hf_switch *own, const hf_element *twin);
// Whether an open point touches as soon as it is inside: it slides onto a face at its own height.
bool hf_point_slides_in(const hf_sim *sim, const hf_element *e);

#endif
