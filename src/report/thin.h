// SPDX-License-Identifier: Apache-2.0
// Thinning of curves for figures.
#ifndef HF_REPORT_THIN_H
#define HF_REPORT_THIN_H

#include <stddef.h>

// Curves up to this length are drawn as they are.
enum { HF_THIN_LONGEST = 20000, HF_THIN_BUCKETS = 3000, HF_THIN_PER_BUCKET = 7 };
// Room that hf_thin needs.
enum { HF_THIN_ROOM = HF_THIN_BUCKETS * HF_THIN_PER_BUCKET };

// Chooses samples of the curve (x, y), writes their indices, rising, and returns how many. Of each
// of HF_THIN_BUCKETS neighbourhoods it keeps the first and the last sample, those with the least
// and the largest x and y, and one that is not finite (a gap). `kept` has room for HF_THIN_ROOM;
// count must exceed HF_THIN_LONGEST.
size_t hf_thin(const double *x, const double *y, size_t count, size_t *kept);

#endif
