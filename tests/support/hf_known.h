// SPDX-License-Identifier: Apache-2.0
// Answers that are long, compared with what they are known to be: a hash of each is in a file.
// They say that an answer has changed, not that it was right.
//
//   HF_KNOWN_WRITE=FILE   appends the lines to FILE in place of comparing (tests/known.sh)
//   HF_KNOWN_SHOW=FILE    also appends the answers themselves, so that those of two builds can be
//                         compared by diff
#ifndef HF_KNOWN_H
#define HF_KNOWN_H

// Parts of the present answer: words, a number (both zeros are the same), a count.
void hf_known_text(const char *text); // NULL is "none"
void hf_known_number(double value);
void hf_known_count(long long value);

// Ends the present answer. The program's n-th one with this name must be that of the line
// "name-n hash" of the file. Nothing is compared where functions of the C library give other bits
// than they did when the file was written (its first line): then answers may differ in last digits.
void hf_known_end(const char *path, const char *name);

#endif
