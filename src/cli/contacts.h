// SPDX-License-Identifier: Apache-2.0
// Whether contacts get the restitution and penetration that were asked for.
#ifndef HF_CLI_CONTACTS_H
#define HF_CLI_CONTACTS_H

#include <holdfast/sim.h>

// Bodies that begin no deeper than this in each other touch: the rest is rounding of their places
// [m].
#define HF_CLI_NO_DEPTH 1e-12

// Whether a method uses the numbers that contacts choose: exact ones use restitution and friction
// alone.
bool hf_cli_contacts_have_numbers(hf_method_type method);

// Warns (at most five times) of wanted values that are not met at the method's step, where it has
// one of its own, and of bodies that begin in each other.
void hf_cli_warn_contacts(const hf_sim *sim);

// What to say of a wanted value that is not met; "" when all are.
void hf_cli_contact_shortfall(const hf_contact_report *report, char *text, size_t size);

#endif
