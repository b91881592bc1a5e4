// SPDX-License-Identifier: Apache-2.0
// The numbers that contacts chose for themselves, contacts with the same numbers together.
#ifndef HF_CLI_CHOICES_H
#define HF_CLI_CHOICES_H

#include <holdfast/model.h>

#include "base/json.h"

// A table with one line for each group; nothing without such contacts.
void hf_cli_print_choices(const hf_model *model);
// The member "chosen" with one object for each group; nothing without such contacts.
void hf_cli_write_choices(hf_json *json, const hf_model *model);

#endif
