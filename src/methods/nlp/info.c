// SPDX-License-Identifier: Apache-2.0
// What nlp is to the rest: the steps of timestep, solved by IPOPT. In the library holdfast.
#include "methods/timestep/info.h"
#include "methods/plugs.h"

const hf_method_info hf_method_nlp = {
    .name = "nlp",
    .phrase = "the steps of timestep, each by a nonlinear program",
    .library = "holdfast-nlp",
    .plug = "hf_nlp_methods()",
    .linked = HF_LINKED(hf_nlp_methods),
    .package = "IPOPT (coinor-libipopt-dev)",
    .keys = hf_contact_keys,
    .key_count = HF_NLP_KEYS,
    .solves_contacts = true,
    .in_steps = true,
    .accepts = true,
    .exact = true,
    .shapes = true,
    .surfaces = true,
    .swarms = true,
    .loads = true,
    .look_ahead = 1.0,
    .first_tau = 1.0,
    .admits = hf_timestep_admits,
};
