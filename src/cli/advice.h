// SPDX-License-Identifier: Apache-2.0
// Whether the step suits the laws.
#ifndef HF_CLI_ADVICE_H
#define HF_CLI_ADVICE_H

#include <holdfast/sim.h>

// The force with the smallest stable step; id zero: no force has a limit.
typedef struct hf_cli_advice {
    hf_force force;
    hf_stability stability;
    int checked, total; // forces
    int too_large;      // of the checked ones: those for which the step is too large
} hf_cli_advice;

// Looks at all forces, or at an even sample of them when there are more than 2,000, and warns (at
// most five times) of those for which the sim's step is too large.
hf_cli_advice hf_cli_advise(hf_sim *sim);

// "friction 'floor'" or "force 'spring'".
void hf_cli_force_label(const hf_sim *sim, hf_force force, char *label, size_t size);

#endif
