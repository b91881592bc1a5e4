// SPDX-License-Identifier: Apache-2.0
// What random machines are made with (machine.h).
#ifndef HF_TESTS_RANDOM_MAKER_H
#define HF_TESTS_RANDOM_MAKER_H

#include <holdfast/base.h>

#include "machine.h"

// Which laws a machine has: those that methods solve exactly, or those that are ordinary forces.
typedef enum hf_random_family { EXACT, COMPLIANT, SMOOTH, FAMILIES } hf_random_family;

typedef struct hf_maker {
    hf_random_machine *machine;
    hf_rng rng;
    hf_random_family laws;
    int bodies;
    // A second of the machine lasts so long: times are as many times longer, velocities smaller,
    // and masses larger by its square, so that forces and places are the same.
    double slow;
} hf_maker;

// A line of a section.
void hf_maker_add(hf_random_section *section, const char *format, ...) HF_PRINTF(2, 3);
// A draw stands in a statement of its own: compilers evaluate a call's arguments in unlike orders.
double hf_maker_uniform(hf_maker *m, double low, double high);
// True once in `odds` times.
bool hf_maker_once_in(hf_maker *m, int odds);
double hf_maker_heavy(const hf_maker *m, double mass);

// A signal of about this size, with or without jumps and kinks. Writes its name.
void hf_maker_signal(hf_maker *m, double size, char name[16]);
// The law of a friction of about this level [N or Nm], and its parameters.
void hf_maker_friction(hf_maker *m, double level, double mass, char text[200]);
// Up to two frictions.
void hf_maker_frictions(hf_maker *m, const char *on, const char *to, double size, double mass);
// Whatever acts on a coordinate at `start`; forces are of about `size`.
void hf_maker_load(hf_maker *m, const char *on, double size, double mass, double start);

// An arm of two equal links, 0.5 m each, whose tip falls onto the floor.
typedef struct hf_maker_arm {
    double mass, inertia; // of a link [kg, kg m^2]
    double height;        // of the shoulder [m]
    double first, second; // angles of both joints [rad]
    double spins[2];      // and their velocities [rad/s]
    double friction;      // of the tip
    int digits;           // of the height
} hf_maker_arm;
void hf_maker_add_arm(hf_maker *m, const hf_maker_arm *arm);

// Parts of machines from seed 200000 on (latest.c).
void hf_maker_latest(hf_maker *m);
// Machines from seed 300000 on (items.c).
void hf_maker_items(hf_maker *m);
// Machines from seed 400000 on (solids.c). They cannot be made slower.
void hf_maker_solids(hf_maker *m);
// Machines from seed 500000 on (faults.c).
void hf_maker_faults(hf_maker *m);
// Machines from seed 600000 on (wider.c).
void hf_maker_wider(hf_maker *m);

#endif
