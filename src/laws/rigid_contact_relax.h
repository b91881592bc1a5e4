// SPDX-License-Identifier: Apache-2.0
// A rigid contact that is open, without the velocities that its force would need: most pairs of a
// heap are apart and have only something to forget.
#ifndef HF_LAWS_RIGID_CONTACT_RELAX_H
#define HF_LAWS_RIGID_CONTACT_RELAX_H

#include <holdfast/laws/rigid_contact.h>

// As hf_rigid_contact_eval at this gap, if its normal force and friction are zero there whatever
// the rate: writes out->dy, stored, dissipated, normal (0) and regime, but no force. False, with
// nothing written: they are not, or gap or state are not numbers.
bool hf_rigid_contact_relax(const hf_rigid_contact_def *def, int dim, double gap, double tau,
                            const double *y, hf_law_out *out);

#endif
