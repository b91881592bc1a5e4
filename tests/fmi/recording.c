// SPDX-License-Identifier: Apache-2.0
// Reads what `holdfast run -o FILE.csv` has recorded.
#include <hf_test.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recording.h"

recording *read_csv(const char *path)
{
    recording *r = calloc(1, sizeof *r);
    FILE *file = fopen(path, "r");
    static char line[1 << 20];
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    line[strcspn(line, "\r\n")] = '\0';
    for (char *name = strchr(line, ','); name != NULL; name = strchr(name + 1, ',')) {
        (void)snprintf(r->names[r->columns++], sizeof r->names[0], "%.*s",
                       (int)strcspn(name + 1, ","), name + 1);
    }
    r->times = malloc(MOST_ROWS * sizeof *r->times);
    r->values = malloc(MOST_ROWS * (size_t)r->columns * sizeof *r->values);
    while (r->rows < MOST_ROWS && fgets(line, sizeof line, file) != NULL) {
        char *next = line;
        r->times[r->rows] = strtod(next, &next);
        for (int k = 0; k < r->columns; ++k) {
            r->values[r->rows * r->columns + k] = strtod(next + 1, &next);
        }
        r->rows += 1;
    }
    (void)fclose(file);
    return r;
}

void free_csv(recording *r)
{
    free(r->times);
    free(r->values);
    free(r);
}
