// SPDX-License-Identifier: Apache-2.0
// Random machines as text: 1 to 6 bodies (masses, trees, rigid bodies, belts, rods), springs,
// stops, controllers, contacts, several frictions on one coordinate, inputs with jumps and kinks.
// The same seed gives the same machine. For whatever must hold for every machine and method.
#ifndef HF_TESTS_RANDOM_MACHINE_H
#define HF_TESTS_RANDOM_MACHINE_H

#include <stdint.h>

#include "hf_test.h"

enum { HF_RANDOM_LINES = 48, HF_RANDOM_LINE = 800 };

// Declarations whose order must not matter.
typedef struct hf_random_section {
    char lines[HF_RANDOM_LINES][HF_RANDOM_LINE];
    int count;
} hf_random_section;

// Which methods have no reason for doubt at a quarter of the step: none that is known, those that
// locate or look ahead to contacts (switch, adaptive, timestep), or all.
typedef enum hf_random_plain { HF_PLAIN_NONE, HF_PLAIN_AHEAD, HF_PLAIN_ALL } hf_random_plain;

typedef struct hf_random_machine {
    uint64_t seed;
    bool heavy; // there is gravity
    hf_random_plain plain;
    double coarse; // share of the motion that timestep may be off by at 1 ms too; 0: any [-]
    double slow;   // how long a second of it lasts [s]
    hf_random_section signals, bodies, forces, loops;
} hf_random_machine;

// slow: 1; or how many times longer everything is to last, with the same forces and places.
void hf_random_machine_make(hf_random_machine *machine, uint64_t seed, double slow);

// The model file, to be freed; NULL when out of memory. `shuffle` 0: as made; else the seed of
// another order of its declarations.
char *hf_random_machine_text(const hf_random_machine *machine, uint64_t shuffle);

#endif
