// SPDX-License-Identifier: Apache-2.0
// Words that options and operands take from a list: from the tables of the library.
#include <stddef.h>

#include <holdfast/fc3d.h>
#include <holdfast/law.h>
#include <holdfast/spec.h>

#include "cli/cli.h"

// Friction laws of coordinates, then "all" where it is allowed.
static const char *law_at(int index, bool all)
{
    int seen = 0;
    for (int i = 0; i < HF_LAW_TYPE_COUNT; ++i) {
        const hf_law_info *law = hf_law_info_get((hf_law_type)i);
        bool friction = law != NULL && law->friction && law->min_dim >= 1 && law->min_dim <= 3;
        if (friction && seen++ == index) {
            return law->name;
        }
    }
    return all && index == seen ? "all" : NULL;
}

const char *hf_cli_word_at(hf_cli_word kind, int index)
{
    switch (kind) {
    case HF_CLI_WORD_METHOD:
    case HF_CLI_WORD_METHODS:
        return hf_method_name((hf_method_type)index);
    case HF_CLI_WORD_FAMILY:
        return hf_family_name((hf_method_family)(index + HF_FAMILY_DEFAULT + 1));
    case HF_CLI_WORD_SOLVER:
        return index < HF_FC3D_METHOD_COUNT ? hf_fc3d_method_name((hf_fc3d_method)index) : NULL;
    case HF_CLI_WORD_LAW:
    case HF_CLI_WORD_LAWS:
        return law_at(index, kind == HF_CLI_WORD_LAWS);
    case HF_CLI_WORD_ANY:
    case HF_CLI_WORD_MODEL:
    case HF_CLI_WORD_EXAMPLE:
    case HF_CLI_WORD_RECORDING:
    case HF_CLI_WORD_CHANNEL:
    case HF_CLI_WORD_FIGURE:
    case HF_CLI_WORD_PAGE:
    case HF_CLI_WORD_PROBLEM:
    case HF_CLI_WORD_FILE:
    case HF_CLI_WORD_FOLDER:
        break;
    }
    return NULL;
}
