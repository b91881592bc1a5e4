// SPDX-License-Identifier: Apache-2.0
// A run's state as a file: `run --save FILE` and `run --from FILE`.
//
// A line of text, "holdfast state VERSION BYTES", then the bytes of hf_sim_save, which carry a
// checksum and a hash of the machine. A file that is not whole, of another version, machine, method
// or step is refused.
#ifndef HF_CLI_STATE_FILE_H
#define HF_CLI_STATE_FILE_H

#include <holdfast/sim.h>

// Writes the file whole: under another name first, so that what was there before is not lost.
HF_NODISCARD hf_status hf_cli_state_save(const char *path, const hf_sim *sim, hf_error *error);
HF_NODISCARD hf_status hf_cli_state_restore(const char *path, hf_sim *sim, hf_error *error);

#endif
