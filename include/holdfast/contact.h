// SPDX-License-Identifier: Apache-2.0
// HF_METHOD_TIMESTEP: rigid contact and Coulomb friction over fixed steps, all contacts of a step
// at once, without a stiffness to choose. It is a library of its own, holdfast-contact. A program
// that links it has the method; one that loads it as it runs sets an entry of hf_sim_def.methods to
// hf_contact_methods().
//
// Laws rigid-contact (mu and restitution; stiffness and times have no influence), stop and coulomb
// are taken as they are, set-valued. The others are forces: at the beginning of the step where they
// are soft, implicit where they are stiff, so that there is no largest stable step. See
// docs/methods/timestep.md.
//
// Memory: a step allocates only when it has more contacts, or contacts between other bodies, than
// any step before it had room for; how much that is grows by doubling. A machine that has been
// running for a while allocates nothing; hf_sim_def.room makes it so from the first step on.
#ifndef HOLDFAST_CONTACT_H
#define HOLDFAST_CONTACT_H

#include <holdfast/fc3d.h>
#include <holdfast/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

// A table for hf_sim_def.methods.
HF_API const hf_method_table *hf_contact_methods(void);

// The friction-contact problem that the last step solved [N s, m/s] and its reactions (3 a
// contact). Islands at rest beside what moves are not solved, and are not in it; hf_sim_contacts
// has their contacts too. The arrays are the sim's, until the next step, save, restore or look at
// the sim. False: the method is another, or there was no contact. May allocate.
HF_API bool hf_contact_problem(hf_sim *sim, hf_fc3d_problem *problem, const double **reactions);

#ifdef __cplusplus
}
#endif
#endif
