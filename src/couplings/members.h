// SPDX-License-Identifier: Apache-2.0
// What couplings among many members share. They have no rows: contacts are found as a run goes.
#ifndef HF_COUPLINGS_MEMBERS_H
#define HF_COUPLINGS_MEMBERS_H

#include "couplings/couplings.h"

// At least two members, each named once, for which `fits`; `lack` completes "member 'NAME' ...".
hf_status hf_members_check(const hf_spec *spec, const hf_coupling_def *def, const char *name,
                           bool (*fits)(const hf_spec *spec, hf_body body), const char *lack,
                           hf_error *error);
// The ids of the members, rising, to be freed; NULL when out of memory. Lists of pairs are long:
// whether an id is among them is a search in these.
int *hf_members_sorted(const hf_coupling_def *def);
bool hf_members_have(const int *sorted, int count, int id);
int hf_members_dim(const hf_coupling_def *def);
int hf_members_ends(const hf_coupling_def *def, hf_frame *list);

// Most pairs that a swarm keeps (swarm.c). Near pairs of a force between shapes, for each of them,
// unless it says how many.
int hf_swarm_capacity(const hf_coupling_def *def);
enum { HF_PAIRS_A_MEMBER = 16 };

#endif
