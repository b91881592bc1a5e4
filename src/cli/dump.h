// SPDX-License-Identifier: Apache-2.0
// The friction-contact problems of a run as files.
#ifndef HF_CLI_DUMP_H
#define HF_CLI_DUMP_H

#include <holdfast/sim.h>

typedef struct hf_cli_dump {
    const char *folder; // NULL: nothing is written
    long long every;    // of every so many steps
    long long above;    // only what took the solver so many iterations
    long long files;    // written
} hf_cli_dump;

// Makes the folder, unless it is there. False after a message on stderr: it cannot be had, or the
// method has no such problems.
bool hf_cli_dump_begin(const hf_cli_dump *dump, const hf_sim *sim);

// After a step: writes its problem, in FCLIB's format, with its reactions, to
// FOLDER/step-NNNNNNNN.hdf5, when it is one of those asked for.
HF_NODISCARD hf_status hf_cli_dump_step(hf_cli_dump *dump, hf_sim *sim, hf_error *error);

#endif
