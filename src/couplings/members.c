// SPDX-License-Identifier: Apache-2.0
#include "couplings/members.h"

#include <limits.h>

#include "base/error.h"

hf_status hf_members_check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                           bool (*fits)(const hf_spec *spec, hf_body body), const char *lack,
                           hf_error *error)
{
    if (def->member_count < 2 || def->members == NULL || def->capacity < 0 ||
        def->capacity > INT_MAX / 64 || def->member_count > INT_MAX / 64) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at_member("force", name, "members"),
                           "it needs at least two members, and no negative capacity");
    }
    for (int i = 0; i < def->member_count; ++i) {
        const char *body = hf_spec_body_name(spec, def->members[i]);
        if (body == NULL || !fits(spec, def->members[i])) {
            return hf_error_at(error, HF_ERROR_UNSUPPORTED, hf_at_member("force", name, "members"),
                               "member '%s' %s", body == NULL ? "?" : body, lack);
        }
        // Comparing all with all takes long; the rest is found when a model or sim is created.
        for (int j = 0; j < i && i < 64; ++j) {
            if (def->members[j].id == def->members[i].id) {
                return hf_error_at(error, HF_ERROR_INPUT, hf_at_member("force", name, "members"),
                                   "'%s' is a member twice", body);
            }
        }
    }
    return HF_OK;
}

int hf_members_dim(const hf_coupling_def *def)
{
    (void)def;
    return 0;
}

int hf_members_ends(const hf_coupling_def *def, hf_frame *list)
{
    (void)def, (void)list;
    return 0;
}
