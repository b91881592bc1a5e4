// SPDX-License-Identifier: Apache-2.0
// What contacts chose for themselves, and whether their wishes come true.
#ifndef HF_CLI_CONTACTS_H
#define HF_CLI_CONTACTS_H

#include <holdfast/sim.h>

// Warns (at most five times) of wishes that are not met, of bodies that begin in each other, and of
// a step larger than the one that contacts chose their numbers for.
void hf_cli_warn_contacts(const hf_sim *sim);

// One line for each contact that chose something: name and numbers. Nothing without such contacts.
void hf_cli_print_choices(const hf_model *model);

// What to say of a wish that is not met; "" when all are.
void hf_cli_contact_shortfall(const hf_contact_report *report, char *text, size_t size);

#endif
