// SPDX-License-Identifier: Apache-2.0
// What `holdfast run -o FILE.csv` has recorded.
#ifndef HF_TEST_FMI_RECORDING_H
#define HF_TEST_FMI_RECORDING_H

enum { MOST_ROWS = 20000, MOST_COLUMNS = 400 };

typedef struct recording {
    int rows, columns; // without the time
    double *times, *values;
    char names[MOST_COLUMNS][200];
} recording;

recording *read_csv(const char *path);
void free_csv(recording *r);

#endif
