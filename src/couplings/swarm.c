// SPDX-License-Identifier: Apache-2.0
// Any two of many spheres. Pairs that are near are found as a run goes (src/swarm).
#include "bodies/body.h"
#include "couplings/members.h"

int hf_swarm_capacity(const hf_coupling_def *def)
{
    return def->capacity > 0 ? def->capacity : 8 * def->member_count;
}

static bool is_sphere(const hf_spec *spec, hf_body body)
{
    return hf_body_ops_of(hf_spec_body_type(spec, body))->floats &&
           hf_spec_body_shape(spec, body).type == HF_SHAPE_SPHERE &&
           hf_spec_body_shape_count(spec, body) == 1;
}

static hf_status check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                       hf_error *error)
{
    return hf_members_check(spec, def, name, is_sphere,
                            "is not a rigid body with the shape of a sphere", error);
}

// Deflections of the contact law, of each pair.
static int states(const hf_coupling_def *def, int of_law)
{
    (void)of_law;
    return (def->turning ? 6 : 3) * hf_swarm_capacity(def);
}

const hf_coupling_ops hf_coupling_ops_swarm = {
    .name = "swarm",
    .in_space = true,
    .contact = true,
    .has_gap = true,
    .finds_contacts = true,
    .keeps_pairs = true,
    .dim = hf_members_dim,
    .check = check,
    .ends = hf_members_ends,
    .states = states,
};
