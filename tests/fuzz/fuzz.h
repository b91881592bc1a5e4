// SPDX-License-Identifier: Apache-2.0
// A harness hands bytes of strangers to one reader. Whatever they are, it returns 0 in time:
// nothing crashes, leaks, hangs or prints. libFuzzer calls it in the preset `fuzz`, replay.c with
// the files of a corpus in every build.
#ifndef HF_TESTS_FUZZ_H
#define HF_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The bytes as a file with this ending (".csv"), in memory where the system can; one file a
// process, made anew by each call. Its path.
const char *hf_fuzz_file(const uint8_t *data, size_t size, const char *ending);

// The bytes with a zero behind them, to be freed.
char *hf_fuzz_text(const uint8_t *data, size_t size);

// Ends the program with a message, as a finding: what a reader accepted breaks its promise.
void hf_fuzz_expect(int holds, const char *promise);

#endif
