// SPDX-License-Identifier: Apache-2.0
// Pictures as numbers: PNG, by libpng where it was found.
#ifndef HF_ROBOTS_PICTURE_H
#define HF_ROBOTS_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

typedef enum hf_picture_state {
    HF_PICTURE_READ,
    HF_PICTURE_OTHER,   // no PNG
    HF_PICTURE_UNKNOWN, // a PNG, in a build without libpng
    HF_PICTURE_LARGE,   // more points than allowed: rows and columns are given
    HF_PICTURE_DAMAGED, // or memory was short: `why` says it
} hf_picture_state;

typedef struct hf_picture {
    int rows, columns;
    unsigned char *values; // [rows * columns] from the top row on, 0 to 255, to be freed
    char why[80];
} hf_picture;

// Whether a file begins as a PNG does.
bool hf_picture_is(const char *bytes, size_t length);

// The red channel of a picture in eight bits, without gamma: of gray ones their gray, of sixteen
// bits the upper eight, of fewer bits spread to 0 ... 255. That is what MuJoCo takes as heights.
// most: points, at most.
hf_picture_state hf_picture_read(const char *bytes, size_t length, int most, hf_picture *picture);

#endif
