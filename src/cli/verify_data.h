// SPDX-License-Identifier: Apache-2.0
// What verify.c (companions) and verify_judge.c (comparison) share.
#ifndef HF_CLI_VERIFY_DATA_H
#define HF_CLI_VERIFY_DATA_H

#include <pthread.h>
#include <stdatomic.h>

#include "cli/verify.h"

enum { HF_CLI_PLACE_SIZE = 200, HF_CLI_MOST_KINDS = 8 };

// One or several coordinates that are one place: `sled.position` with its x, y and z. Or the heat
// of a friction or contact: how far its bodies slid on each other, wherever they went together.
typedef struct hf_cli_place {
    char name[HF_CLI_PLACE_SIZE];
    const char *unit;
    int kind;         // index of its unit among those of the places
    int first, count; // in hf_sim_positions; neighbours. Of a heat: the force, from 0, and none
} hf_cli_place;

// How far two runs are apart in a place.
typedef struct hf_cli_apart {
    double off;  // the largest difference
    double at;   // when that was [s]
    double way;  // how far the place went from its start, in either run
    double size; // how far from zero it was
} hf_cli_apart;

typedef enum hf_cli_companion_state {
    HF_CLI_NOT_RUN,
    HF_CLI_NOT_MADE, // memory, or a model or method that cannot have this step: says nothing
    HF_CLI_FAILED_IN_STEP,
    HF_CLI_STOPPED, // by a signal, or because the run itself ended early
    HF_CLI_CAME_TO_END
} hf_cli_companion_state;
// What a friction or contact has become.
typedef struct hf_cli_heat {
    double energy; // [J]
    double slip;   // [s] that it slid
} hf_cli_heat;

typedef struct hf_cli_companion {
    bool finer;
    int pieces;     // steps of the finer one in one of the other's
    bool vain;      // it made the same steps as the run
    long long made; // pieces of its steps
    hf_cli_companion_state state;
    hf_error error;
    int kept;                           // instants
    double *places;                     // [instants][coordinates]
    hf_cli_heat *heats;                 // [forces] at the last even instant
    double work;                        // all work to and fro until its end [J]
    double *modes;                      // [forces] at its end, HF_CLI_NO_MODE: none
    double seconds;                     // that it took
    bool beside;                        // the run; or after it
    hf_cli_apart *apart;                // [places]
    double longest[HF_CLI_MOST_KINDS];  // way of a place of this unit
    double farthest[HF_CLI_MOST_KINDS]; // from zero
    int worst;                          // place; -1: none
    double share;                       // of the worst place: its difference over its way
    double within;                      // the run's answer is right within this part of the way
} hf_cli_companion;

#define HF_CLI_NO_MODE 1000.0

struct hf_cli_verify {
    hf_cli_verify_def def;
    hf_sim *sim;
    // Of it, for the other thread
    const hf_model *model;
    hf_method_def method;
    bool adaptive;
    const char *why_not; // not compared; NULL: compared
    char why_text[600];
    // Moments at which places are compared: evenly through the run
    int instants, coordinates, forces;
    int even; // of these, those at even steps; the last step may be odd
    hf_cli_place *places;
    int place_count;
    const char *kinds[HF_CLI_MOST_KINDS]; // units
    int kind_count;
    double *mine;       // [instants][coordinates]
    hf_cli_heat *heats; // [forces] at the last even instant
    int kept;
    long long made; // pieces of its steps; until the last one: those before the first
    // Companions
    hf_cli_companion coarse, fine;
    const hf_cli_companion *decides; // NULL: none
    bool doubtful;
    pthread_t thread;
    bool started; // the thread
    atomic_bool cancelled;
};

// The step of the run at which instant i is.
long long hf_cli_verify_instant(const hf_cli_verify *v, int i);
// The mode of a force (from 0) now; HF_CLI_NO_MODE: it has none. It may cost an evaluation.
double hf_cli_verify_mode(hf_sim *sim, int force);
// Fills apart, worst, share and within.
void hf_cli_verify_compare(const hf_cli_verify *v, hf_cli_companion *c);
// Beyond it the answer is doubtful.
bool hf_cli_verify_agrees(const hf_cli_companion *c);

#endif
