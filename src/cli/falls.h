// SPDX-License-Identifier: Apache-2.0
// Bodies that fell through the whole run because nothing is below them: most often a floor was
// forgotten.
#ifndef HF_CLI_FALLS_H
#define HF_CLI_FALLS_H

#include <holdfast/sim.h>

typedef struct hf_cli_falls {
    hf_vec3 *start;  // of each body, by id - 1 [m]; NULL: not watched
    hf_vec3 *motion; // velocity there [m/s]
    double time;     // when they were there [s]
} hf_cli_falls;

// Takes the bodies' places at the start. Without memory for that nothing is watched.
void hf_cli_falls_begin(hf_cli_falls *falls, hf_sim *sim);
// The first body that fell freely since then, with how far [m]; id 0: none did.
hf_body hf_cli_falls_find(const hf_cli_falls *falls, hf_sim *sim, double *depth);
void hf_cli_falls_end(hf_cli_falls *falls);

#endif
