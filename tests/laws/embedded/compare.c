// SPDX-License-Identifier: Apache-2.0
// Reads the microcontroller's run from standard input and compares it with the host's.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace.h"

typedef struct comparison {
    int lines, wrong;
    double worst; // largest difference of a number that was not exact
} comparison;

static void compare(void *context, const char *law, int step, bool exact, double force)
{
    comparison *c = context;
    char line[128], name[64];
    uint64_t bits = 0;
    int at = -1;
    c->lines++;
    if (fgets(line, sizeof line, stdin) == NULL ||
        sscanf(line, "%16" SCNx64 " %d %63[^\n]", &bits, &at, name) != 3 || at != step ||
        strcmp(name, law) != 0) {
        if (c->wrong++ == 0)
            printf("line %d: want %s at step %d\n", c->lines, law, step);
        return;
    }
    double got;
    memcpy(&got, &bits, sizeof got);
    if (!exact)
        c->worst = fmax(c->worst, fabs(got - force));
    // Rounding of one exponential may move an implicit solution by some units in the last place.
    if (exact ? memcmp(&got, &force, sizeof got) != 0 : !(fabs(got - force) <= 1e-12)) {
        if (c->wrong++ < 10)
            printf("%s at step %d: got %.17g, want %.17g (host)\n", law, step, got, force);
    }
}

int main(void)
{
    comparison c = {0};
    char line[128];
    hf_trace_run(compare, &c);
    if (fgets(line, sizeof line, stdin) == NULL || strcmp(line, "end\n") != 0) {
        printf("the run did not end\n");
        c.wrong++;
    }
    printf("%d forces, %d wrong, inexact ones within %g N\n", c.lines, c.wrong, c.worst);
    return c.wrong == 0 ? 0 : 1;
}
