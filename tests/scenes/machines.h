// SPDX-License-Identifier: Apache-2.0
// Machines as lists of parts, so that a test can build the same one in another order, and random
// ones. Parts refer to each other by their index in the list; -1 means none, or the world.
#ifndef HF_TESTS_MACHINES_H
#define HF_TESTS_MACHINES_H

#include <holdfast/model.h>

#include "hf_test.h"

typedef enum hf_part_kind {
    HF_PART_SIGNAL,
    HF_PART_MASS,
    HF_PART_RIGID,
    HF_PART_DRIVEN,
    HF_PART_TREE,
    HF_PART_JOINT,
    HF_PART_FORCE
} hf_part_kind;

typedef struct hf_part {
    hf_part_kind kind;
    char name[16];
    union {
        hf_signal_def signal;
        hf_mass_def mass;
        hf_rigid_def rigid;
        hf_driven_def driven;
        hf_joint_def joint;
        hf_force_def force;
    };
    union {
        hf_spring_def spring;
        hf_stiction_def stiction;
        hf_dahl_def dahl;
        hf_lugre_def lugre;
        hf_contact_def contact;
        hf_joint_law_def joint_law;
    } law;               // of a force; force.def points here when it is built
    int tree, parent;    // of a joint
    int on, to;          // bodies of a force
    int normal;          // force, or signal, that gives a force its normal
    int signals[6];      // of a prescribed force's values, or of a driven body's motion
    int rate_signals[3]; // of a driven body
} hf_part;

enum { HF_MACHINE_PARTS = 128 };

typedef struct hf_machine {
    hf_vec3 gravity;
    hf_method_def method;
    hf_part parts[HF_MACHINE_PARTS];
    int count;
} hf_machine;

// An empty machine: RK4, 1 ms, no gravity.
hf_machine hf_machine_create(void);

// Adds a part with defaults and the name "<name><index>", or exactly `name` when it ends with '!'.
hf_part *hf_machine_add(hf_machine *machine, hf_part_kind kind, const char *name);
int hf_machine_index(const hf_machine *machine, const hf_part *part);

// Compiles it with its parts declared in order, or in a random order that respects what refers to
// what. A failure fails the test.
hf_model *hf_machine_compile(const hf_machine *machine, hf_rng *shuffle);
// The same, but gives NULL and *error when compiling fails.
hf_model *hf_machine_try(const hf_machine *machine, hf_rng *shuffle, hf_error *error);

// One machine with every kind of body, joint, coupling, law, level and signal: RK4 with tau, 1 ms.
// Its input is named "input".
hf_machine hf_machine_rich(void);

// ------------------------------------------------------------------------------------------------
// Random parts; each returns its index.

hf_vec3 hf_random_vector(hf_rng *rng, double size);
hf_quat hf_random_turn(hf_rng *rng);
// The inertia of a random solid of this mass and about this size.
hf_sym3 hf_random_inertia(hf_rng *rng, double mass, double size);

int hf_machine_random_mass(hf_machine *machine, hf_rng *rng, int dim);
int hf_machine_random_rigid(hf_machine *machine, hf_rng *rng);
// Driven by sines of time; by velocity, by position with its rate, or without.
int hf_machine_random_driven(hf_machine *machine, hf_rng *rng, int dim);
// Adds a tree of `links` links with joints of random types and returns the index of its first link;
// the others follow. `floating`: the first joint is free, the others are not.
int hf_machine_random_tree(hf_machine *machine, hf_rng *rng, int links, bool floating);

// Adds a prescribed force of zero on a random coupling of this type between random bodies. -1 when
// the machine has none that fit.
int hf_machine_random_coupling(hf_machine *machine, hf_rng *rng, hf_coupling_type type, int dim);

// A sine of time, of random size, frequency and phase.
int hf_machine_random_sine(hf_machine *machine, hf_rng *rng);

#endif
