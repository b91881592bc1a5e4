// SPDX-License-Identifier: Apache-2.0
// Parameters: numbers of the components by name, for hf_spec_set_parameter and
// hf_sim_set_parameter. What a file computes from its own `parameters:` (hf_model_parameter) does
// not follow them; hf_sim_set_model takes a file that was read again.
//
//   BODY.mass  BODY.inertia.{xx,yy,zz,xy,xz,yz}  of masses, rigid bodies and links (TREE.JOINT)
//   TREE.JOINT.armature
//   FORCE.PARAMETER       a number of its law, by its name in files: spring.stiffness
//   FORCE.level           a whole level: constant, newtons or coefficient as it is now
//   FORCE.level.MEMBER    kinetic, static, stribeck_velocity, viscous (both ways), shape
//   FORCE.value[.K]       a prescribed force or an input of a law that is a constant
//   SIGNAL.value          of a constant signal
//   gravity.{x,y,z}
#ifndef HOLDFAST_PARAMETER_H
#define HOLDFAST_PARAMETER_H

#include <holdfast/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hf_parameter {
    const char *name; // until `visit` returns
    const char *unit; // SI, "" for none
    double value;     // now; of FORCE.level: the kinetic level forth
} hf_parameter;

// Changes one number of the description, by the names above.
// Checked as when the component was added; the spec stays as it was after an error. HF_ERROR_NAME:
// there is no such parameter.
HF_API HF_NODISCARD hf_status hf_spec_set_parameter(hf_spec *spec, const char *name, double value,
                                                    hf_error *error);

#ifdef __cplusplus
}
#endif
#endif
