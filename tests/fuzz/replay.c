// SPDX-License-Identifier: Apache-2.0
// Hands files of a corpus to a harness, without libFuzzer.
//   replay FOLDER_OR_FILE...
// Fails when there is none, or when one takes longer than MOST_SECONDS.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "fuzz.h"

static const double MOST_SECONDS = 20.0; // with sanitizers, on a busy machine

typedef struct tally {
    int count, slow;
    double slowest;
} tally;

static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void replay_file(const char *path, tally *t)
{
    FILE *file = fopen(path, "rb");
    hf_fuzz_expect(file != NULL && fseek(file, 0, SEEK_END) == 0, "the corpus can be read");
    long size = ftell(file);
    rewind(file);
    uint8_t *bytes = malloc((size_t)size + 1);
    hf_fuzz_expect(bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size,
                   "the corpus can be read");
    (void)fclose(file);
    double start = now();
    (void)printf("%s\n", path);
    (void)fflush(stdout); // the last line names the culprit
    (void)LLVMFuzzerTestOneInput(bytes, (size_t)size);
    double seconds = now() - start;
    free(bytes);
    t->count += 1;
    t->slow += seconds > MOST_SECONDS ? 1 : 0;
    t->slowest = seconds > t->slowest ? seconds : t->slowest;
    if (seconds > MOST_SECONDS) {
        (void)printf("took %g s, allowed %g s\n", seconds, MOST_SECONDS);
    }
}

static int is_visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static void replay(const char *path, tally *t)
{
    struct stat found;
    hf_fuzz_expect(stat(path, &found) == 0, "the corpus is there");
    if (!S_ISDIR(found.st_mode)) {
        replay_file(path, t);
        return;
    }
    struct dirent **entries = NULL;
    int count = scandir(path, &entries, is_visible, alphasort);
    for (int i = 0; i < count; ++i) {
        char inner[4096];
        (void)snprintf(inner, sizeof inner, "%s/%s", path, entries[i]->d_name);
        replay(inner, t);
        free(entries[i]);
    }
    free(entries);
}

int main(int count, char **paths)
{
    tally t = {0};
    for (int i = 1; i < count; ++i) {
        replay(paths[i], &t);
    }
    (void)printf("%d inputs, %d too slow, %.3g s at most\n", t.count, t.slow, t.slowest);
    return t.count > 0 && t.slow == 0 ? 0 : 1;
}
