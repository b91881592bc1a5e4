// SPDX-License-Identifier: Apache-2.0
// One block of memory for many arrays: counts their sizes, then hands out their places.
#include "base/carve.h"

#include <stdint.h>

// Far from the end of size_t, so that callers may add a header or an alignment.
#define MOST (SIZE_MAX / 4)

size_t hf_carve_offset(hf_carver *carver, size_t count, size_t size)
{
    size_t start =
        (carver->used + HF_CARVE_ALIGNMENT - 1) / HF_CARVE_ALIGNMENT * HF_CARVE_ALIGNMENT;
    if (carver->overflow || start > MOST || (size != 0 && count > (MOST - start) / size)) {
        carver->overflow = true;
        return 0;
    }
    carver->used = start + count * size;
    return start;
}

void *hf_carve(hf_carver *carver, size_t count, size_t size)
{
    size_t start = hf_carve_offset(carver, count, size);
    return carver->base == NULL || carver->overflow ? NULL : carver->base + start;
}

void *hf_carve_matrix(hf_carver *carver, size_t rows, size_t columns, size_t size)
{
    if (columns != 0 && size > MOST / columns) {
        carver->overflow = true;
        return NULL;
    }
    return hf_carve(carver, rows, columns * size);
}
