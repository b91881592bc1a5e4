// SPDX-License-Identifier: Apache-2.0
// Small machines whose numbers have units: to be written in other ones, and with parts that do
// nothing.
#ifndef HF_TESTS_UNIT_MACHINES_H
#define HF_TESTS_UNIT_MACHINES_H

#include "hf_machine.h"

typedef struct units {
    double length, mass, time; // one of the machine's units in these
} units;

typedef struct machine {
    const char *name, *methods; // that do not admit it: their first letters, 'r' also for verlet
    const char *on;             // one of its coordinates; NULL: none that takes a force alone
    double step, end;
    const char *text; // number@l,m,t: of the unit m^l kg^m s^t; its forces come last
} machine;

extern const machine MACHINES[];
extern const int MACHINE_COUNT;

double unit_of(const units *u, double l, double m, double t);
// A sim of the machine in the units, with further lines of bodies and of forces.
hf_sim *begin_machine(const machine *m, const char *method, const units *u, const char *bodies,
                      const char *forces, hf_model **model);

#endif
