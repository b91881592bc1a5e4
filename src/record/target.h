// SPDX-License-Identifier: Apache-2.0
// The file that a recording becomes.
//
// It is made under another name, FILE.part, and takes its own only when it can be read: who is
// killed before that leaves what was there before. A lock says that it is being written; it belongs
// to the file, under either name, and the operating system gives it back when the program ends,
// however it ends. A second writer is refused. What is not a plain file (a pipe, a device) is
// written as it is; so is a file in a folder that takes no new ones.
#ifndef HF_RECORD_TARGET_H
#define HF_RECORD_TARGET_H

#include <holdfast/base.h>

typedef struct hf_target {
    char *path; // where it will be; symbolic links followed
    char *part; // where it is until hf_target_reveal; NULL: at its path
    int lock;   // descriptor that holds the lock; -1: none
} hf_target;

// Creates the empty file and locks it. `path` stands in messages.
HF_NODISCARD hf_status hf_target_open(hf_target *target, const char *path, hf_error *error);
// The name to open for writing.
const char *hf_target_place(const hf_target *target);
// Gives the file its name. An existing one is replaced, whole for whole.
HF_NODISCARD hf_status hf_target_reveal(hf_target *target, const char *path, hf_error *error);
// Gives the lock back and frees; removes a file that was not revealed. Zeros are allowed, with
// lock -1.
void hf_target_close(hf_target *target);

// Locks an open file as targets are locked. False when another has it; file systems without locks
// do without.
bool hf_file_lock(int file);

#endif
