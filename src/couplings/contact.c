// SPDX-License-Identifier: Apache-2.0
// What the tables of contacts share.
#include "couplings/contact.h"

int hf_contact_dim(const hf_coupling_def *def)
{
    return def->turning ? 6 : 3;
}

hf_status hf_contact_check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                           hf_error *error)
{
    return def->turning ? hf_space_check_frames(spec, def, name, error)
                        : hf_space_check_points(spec, def, name, error);
}

// Forces are shown in world axes, rates along the contact's own.
const char *hf_contact_row_name(const hf_coupling_def *def, const hf_body_site *sites,
                                hf_coupling_quantity quantity, int row)
{
    static const char *const own[] = {"normal", "tangent1", "tangent2", "spin", "roll1", "roll2"};
    if (quantity == HF_ROW_GAP) {
        return "";
    }
    return quantity == HF_ROW_RATE || row >= 3 ? own[row]
                                               : hf_space_row_name(def, sites, quantity, row);
}
