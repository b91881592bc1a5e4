// SPDX-License-Identifier: Apache-2.0
// Any two of many bodies with shapes. Points of contact are found as a run goes (src/collide).
#include <limits.h>
#include <stdlib.h>

#include "base/error.h"
#include "bodies/body.h"
#include "couplings/members.h"

static bool has_shape(const hf_spec *spec, hf_body body)
{
    return hf_body_ops_of(hf_spec_body_type(spec, body))->scenery ||
           hf_spec_body_shape_count(spec, body) > 0;
}

static hf_status check_except(const hf_coupling_def *def, const char *name, hf_error *error)
{
    int *ids = hf_members_sorted(def), count = def->member_count;
    if (ids == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for the members of '%s'", name);
    }
    hf_status status = HF_OK;
    for (int i = 0; i < def->except_count && status == HF_OK; ++i) {
        int a = def->except[2 * i].id, b = def->except[2 * i + 1].id;
        if (a == b || !hf_members_have(ids, count, a) || !hf_members_have(ids, count, b)) {
            status = hf_error_at(error, HF_ERROR_INPUT, hf_at_member("force", name, "except"),
                                 "except must name two different members");
        }
    }
    free(ids);
    return status;
}

static hf_status check_against(const hf_coupling_def *def, const char *name, hf_error *error)
{
    int *ids = hf_members_sorted(def), count = def->member_count;
    if (ids == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for the members of '%s'", name);
    }
    bool good = def->against_count < count;
    for (int i = 0; i < def->against_count && good; ++i) {
        good = hf_members_have(ids, count, def->against[i].id);
    }
    free(ids);
    return good ? HF_OK
                : hf_error_at(error, HF_ERROR_INPUT, hf_at_member("force", name, "against"),
                              "against must name some of the members, and not all");
}

static hf_status check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       hf_error *error)
{
    bool lists = def->except_count >= 0 && def->except_count <= INT_MAX / 64 &&
                 (def->except_count == 0 || def->except != NULL) && def->against_count >= 0 &&
                 (def->against_count == 0 || def->against != NULL);
    if (!lists) {
        return hf_error_at(error, HF_ERROR_RANGE, hf_at("force", name),
                           "except is no list of pairs, or against no list");
    }
    HF_TRY(hf_members_check(
        spec, def, name, has_shape,
        "has no shape: rigid bodies, links, static and driven bodies with one can touch", error));
    HF_TRY(def->against_count == 0 ? HF_OK : check_against(def, name, error));
    return def->except_count == 0 ? HF_OK : check_except(def, name, error);
}

// What is remembered of contacts is the method's, or of points of contact (compile_forces.c).
static int states(const hf_coupling_def *def, int of_law)
{
    (void)def, (void)of_law;
    return 0;
}

const hf_coupling_ops hf_coupling_ops_shapes = {
    .name = "shapes",
    .in_space = true,
    .contact = true,
    .has_gap = true,
    .finds_contacts = true,
    .needs_collider = true,
    .dim = hf_members_dim,
    .check = check,
    .ends = hf_members_ends,
    .states = states,
};
