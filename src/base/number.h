// SPDX-License-Identifier: Apache-2.0
// Numbers as text, with a decimal point whatever the program's language (LC_NUMERIC).
#ifndef HF_BASE_NUMBER_H
#define HF_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { HF_NUMBER_SIZE = 32 };

// Writes the shortest of 15, 16 and 17 digits that reads back to the same double; nan, inf, -inf.
// Returns the length.
size_t hf_number_format(double value, char text[HF_NUMBER_SIZE]);

// Reads a number that fills text[0..length): decimal digits with point and exponent, nan or inf.
// False when it is anything else, or too large for a double. text must be followed by a character
// that belongs to no number.
bool hf_number_parse(const char *text, size_t length, double *value);

#endif
