// SPDX-License-Identifier: Apache-2.0
// What couplings among many members share: the list of members, its checks, its ends.
#include "couplings/members.h"

#include <limits.h>
#include <stdlib.h>

#include "base/error.h"

static int by_id(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

int *hf_members_sorted(const hf_coupling_def *def)
{
    int *ids = calloc((size_t)def->member_count, sizeof *ids);
    for (int i = 0; ids != NULL && i < def->member_count; ++i) {
        ids[i] = def->members[i].id;
    }
    if (ids != NULL) {
        qsort(ids, (size_t)def->member_count, sizeof *ids, by_id);
    }
    return ids;
}

bool hf_members_have(const int *sorted, int count, int id)
{
    return bsearch(&id, sorted, (size_t)count, sizeof *sorted, by_id) != NULL;
}

// Each member is named once.
static hf_status check_once(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                            hf_error *error)
{
    int *ids = hf_members_sorted(def);
    if (ids == NULL) {
        return hf_error_set(error, HF_ERROR_MEMORY, "out of memory for the members of '%s'", name);
    }
    hf_status status = HF_OK;
    for (int i = 1; i < def->member_count && status == HF_OK; ++i) {
        if (ids[i] == ids[i - 1]) {
            status =
                hf_error_at(error, HF_ERROR_INPUT, hf_at_member("force", name, "members"),
                            "'%s' is a member twice", hf_spec_body_name(spec, (hf_body){ids[i]}));
        }
    }
    free(ids);
    return status;
}

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
    }
    return check_once(spec, def, name, error);
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
