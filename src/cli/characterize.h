// SPDX-License-Identifier: Apache-2.0
// What a friction law does by itself, in one dimension: a slider that is moved, or pushed.
#ifndef HF_CLI_CHARACTERIZE_H
#define HF_CLI_CHARACTERIZE_H

#include <holdfast/models.h>
#include <holdfast/sim.h>

// A curve that grows.
typedef struct hf_cli_series {
    char name[40];
    double *x, *y;
    size_t count, capacity;
} hf_cli_series;

typedef enum hf_cli_test {
    HF_CLI_TEST_MAP,        // force over velocity, to and fro
    HF_CLI_TEST_PRESLIDING, // force over displacement, loops within loops
    HF_CLI_TEST_STRIBECK,   // force in steady sliding over velocity
    HF_CLI_TEST_LAG,        // force over a velocity that swings and does not turn round
    HF_CLI_TEST_BREAKAWAY,  // largest force before sliding over the rate of the load
    HF_CLI_TEST_DRIFT,      // displacement under a load that oscillates below the level
    HF_CLI_TEST_COUNT
} hf_cli_test;

enum { HF_CLI_SERIES = 3 };

typedef struct hf_cli_character {
    const hf_law_info *law;
    const void *def;  // in `model`
    hf_model *model;  // of the pushed slider
    hf_model *moved;  // of the moved one; NULL: the law is computed once a step
    double speed;     // largest one looked at [m/s]
    double level;     // F: the least that the law's level can be at these speeds [N]
    double stiffness; // K in stick; 0: none [N/m]
    double reach;     // F/K, or 1e-5 m without a stiffness: the length of presliding [m]
    hf_cli_series series[HF_CLI_TEST_COUNT][HF_CLI_SERIES];
    int counts[HF_CLI_TEST_COUNT]; // of series
    // In numbers
    double least, fast;          // force in steady sliding: the least, and at the largest speed [N]
    double closure;              // of the presliding loops: largest difference of force [N]
    double slow_away, fast_away; // break-away at the least and the largest rate [N]
    double slow_rate, fast_rate; // [N/s]
    double lag;      // largest difference of force at one velocity, coming and going [N]
    double lag_rate; // of the swing at which it was found [rad/s]
    double drift;    // [m/s]
} hf_cli_character;

// Makes the law's machine, with parameters "key=value", and runs all tests. `speed` > 0. The
// character must be freed whatever is returned.
HF_NODISCARD hf_status hf_cli_characterize(const char *law, const char *const *parameters,
                                           int parameter_count, double speed,
                                           hf_cli_character *character, hf_error *error);
void hf_cli_character_free(hf_cli_character *character);

#endif
