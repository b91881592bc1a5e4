// SPDX-License-Identifier: Apache-2.0
// The laws' definitions. Each has a default and a check, and goes into hf_force_def (use_law.h).
#ifndef HOLDFAST_LAWS_H
#define HOLDFAST_LAWS_H

#include <holdfast/laws/armstrong.h>
#include <holdfast/laws/compound.h>
#include <holdfast/laws/contact.h>
#include <holdfast/laws/continuous.h>
#include <holdfast/laws/coulomb.h>
#include <holdfast/laws/dahl.h>
#include <holdfast/laws/elastoplastic.h>
#include <holdfast/laws/gms.h>
#include <holdfast/laws/hayward_armstrong.h>
#include <holdfast/laws/joint.h>
#include <holdfast/laws/karnopp.h>
#include <holdfast/laws/leuven.h>
#include <holdfast/laws/level.h>
#include <holdfast/laws/lugre.h>
#include <holdfast/laws/maxwell_slip.h>
#include <holdfast/laws/penalty_contact.h>
#include <holdfast/laws/pid.h>
#include <holdfast/laws/prox.h>
#include <holdfast/laws/quinn.h>
#include <holdfast/laws/rigid_contact.h>
#include <holdfast/laws/rigid_contact_choice.h>
#include <holdfast/laws/servo.h>
#include <holdfast/laws/smooth_contact.h>
#include <holdfast/laws/spring.h>
#include <holdfast/laws/stiction.h>
#include <holdfast/laws/stop.h>
#include <holdfast/laws/viscous_approximation.h>

// The laws whose definitions are structs of laws.h. The others take their numbers by name (law.h).
#define HF_LAW_DEFS(X)                                                                             \
    X(SPRING, spring)                                                                              \
    X(STICTION, stiction)                                                                          \
    X(DAHL, dahl)                                                                                  \
    X(LUGRE, lugre)                                                                                \
    X(CONTACT, contact)                                                                            \
    X(JOINT, joint_law)                                                                            \
    X(COULOMB, coulomb)                                                                            \
    X(CONTINUOUS, continuous)                                                                      \
    X(COMPOUND, compound)                                                                          \
    X(MAXWELL_SLIP, maxwell_slip)                                                                  \
    X(KARNOPP, karnopp)                                                                            \
    X(VISCOUS_APPROXIMATION, viscous_approximation)                                                \
    X(QUINN, quinn)                                                                                \
    X(ELASTOPLASTIC, elastoplastic)                                                                \
    X(LEUVEN, leuven)                                                                              \
    X(GMS, gms)                                                                                    \
    X(ARMSTRONG, armstrong)                                                                        \
    X(HAYWARD_ARMSTRONG, hayward_armstrong)                                                        \
    X(RIGID_CONTACT, rigid_contact)                                                                \
    X(PENALTY_CONTACT, penalty_contact)                                                            \
    X(SMOOTH_CONTACT, smooth_contact)                                                              \
    X(STOP, stop)                                                                                  \
    X(PID, pid)

// The members of a union of pointers to them: spring, stiction, ..., joint_law, ..., pid.
#define HF_LAW_POINTER(NAME, name) const hf_##name##_def *name;

#endif
