// SPDX-License-Identifier: Apache-2.0
// Thins curves for figures: keeps the ends and extremes of every bucket.
#include "report/thin.h"

#include <math.h>

static size_t insert(size_t *sorted, size_t count, size_t index)
{
    size_t place = count;
    while (place > 0 && sorted[place - 1] > index) {
        --place;
    }
    if (place > 0 && sorted[place - 1] == index) {
        return count;
    }
    for (size_t i = count; i > place; --i) {
        sorted[i] = sorted[i - 1];
    }
    sorted[place] = index;
    return count + 1;
}

static size_t thin_bucket(const double *x, const double *y, size_t first, size_t end, size_t *kept)
{
    size_t least_x = end, largest_x = end, least_y = end, largest_y = end, gap = end;
    for (size_t i = first; i < end; ++i) {
        if (!isfinite(x[i]) || !isfinite(y[i])) {
            gap = i;
            continue;
        }
        least_x = least_x == end || x[i] < x[least_x] ? i : least_x;
        largest_x = largest_x == end || x[i] > x[largest_x] ? i : largest_x;
        least_y = least_y == end || y[i] < y[least_y] ? i : least_y;
        largest_y = largest_y == end || y[i] > y[largest_y] ? i : largest_y;
    }
    const size_t chosen[HF_THIN_PER_BUCKET] = {first,   end - 1,   least_x, largest_x,
                                               least_y, largest_y, gap};
    size_t count = 0;
    for (int i = 0; i < HF_THIN_PER_BUCKET; ++i) {
        if (chosen[i] != end) {
            count = insert(kept, count, chosen[i]);
        }
    }
    return count;
}

size_t hf_thin(const double *x, const double *y, size_t count, size_t *kept)
{
    size_t total = 0;
    // Bucket b is [b count / BUCKETS, (b + 1) count / BUCKETS), without the product's overflow.
    size_t whole = count / HF_THIN_BUCKETS, rest = count % HF_THIN_BUCKETS;
    for (size_t b = 0; b < HF_THIN_BUCKETS; ++b) {
        size_t first = b * whole + b * rest / HF_THIN_BUCKETS;
        size_t end = (b + 1) * whole + (b + 1) * rest / HF_THIN_BUCKETS;
        total += thin_bucket(x, y, first, end, kept + total);
    }
    return total;
}
